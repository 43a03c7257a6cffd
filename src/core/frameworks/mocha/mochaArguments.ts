// The command line of mocha: the names of its options, which of them take a value, and what it says before a run.

/** What one place says; a list that is absent is not set there. */
export interface PartialOptions {
  readonly lists: ReadonlyMap<string, readonly string[]>;
  readonly values: ReadonlyMap<string, string | boolean>;
}

const aliases: Readonly<Record<string, string>> = {
  A: 'async-only',
  b: 'bail',
  c: 'color',
  colors: 'color',
  f: 'fgrep',
  globals: 'global',
  g: 'grep',
  exclude: 'ignore',
  i: 'invert',
  j: 'jobs',
  C: 'no-colors',
  n: 'node-option',
  p: 'parallel',
  R: 'reporter',
  'reporter-options': 'reporter-option',
  O: 'reporter-option',
  r: 'require',
  s: 'slow',
  S: 'sort',
  t: 'timeout',
  timeouts: 'timeout',
  u: 'ui',
  w: 'watch',
};
const lists: ReadonlySet<string> = new Set(['spec', 'ignore', 'extension', 'file']);
/** These take the next word when they have no `=`. */
export const takeValue: ReadonlySet<string> = new Set([
  ...lists,
  'global',
  'node-option',
  'reporter-option',
  'require',
  'watch-files',
  'watch-ignore',
  'retries',
  'jobs',
  'config',
  'fgrep',
  'grep',
  'package',
  'reporter',
  'ui',
  'slow',
  'timeout',
]);

export const canonicalName = (name: string): string => aliases[name] ?? name;

/** Commas separate values, except in patterns. */
export function listValues(name: string, values: readonly string[]): readonly string[] {
  return name === 'spec' || name === 'ignore' ? values : values.flatMap((value) => value.split(/ *, */));
}

/** A command line as mocha reads it. */
export function readArguments(args: readonly string[]): PartialOptions {
  const found = new Map<string, readonly string[]>();
  const values = new Map<string, string | boolean>();
  const add = (name: string, value: string): void =>
    void found.set(name, [...(found.get(name) ?? []), ...listValues(name, [value])]);
  let onlyFiles = false;
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? '';
    if (onlyFiles || !/^--?[^\s]/.test(word)) {
      add('spec', word);
      continue;
    }
    if (word === '--') {
      onlyFiles = true;
      continue;
    }
    const [, written = '', , inline] = /^--?([^=]+)(=(.*))?$/s.exec(word) ?? [];
    const negated = written.startsWith('no-');
    const name = canonicalName(negated ? written.slice(3) : written);
    if (negated) values.set(name, false);
    else if (takeValue.has(name)) {
      const value = inline ?? args[++at] ?? '';
      if (lists.has(name)) add(name, value);
      else values.set(name, value);
    } else values.set(name, inline === undefined ? true : inline);
  }
  return { lists: found, values };
}
