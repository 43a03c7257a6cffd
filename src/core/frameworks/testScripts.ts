// Finds how the scripts of a package.json start a test framework: with which arguments, flags of node, and variables.
import { shellCommands, type ShellWord } from './shellWords.ts';

/** One way in which the project starts the framework. */
export interface TestCommand {
  /** Name of the script; absent where none starts it. */
  readonly script?: string;
  /** What is written after its name. */
  readonly words: readonly ShellWord[];
  /** Flags of `node` before it, as `node --import tsx node_modules/.bin/mocha`; none that waits for a debugger. */
  readonly nodeFlags: readonly string[];
  /** Variables set for it whose values are written out. */
  readonly env: Readonly<Record<string, string>>;
  /** Words that only a shell could fill in, as written. */
  readonly notUnderstood: readonly string[];
}

type Scripts = Readonly<Record<string, string>>;

export interface FrameworkStart {
  /** Is the word what starts the framework (`mocha`, `node_modules/.bin/mocha`)? */
  readonly isStart: (word: string) => boolean;
  /** Where no script named after tests starts it, the first one that does counts. */
  readonly anyScript?: true;
}

/** Commands that start another one; what is between them and the framework is theirs. */
const runners =
  /^(?:npx|pnpm|yarn|bunx?|npm|nyc|c8|istanbul|cross-env(?:-shell)?|env|dotenvx?|dotenv-cli|dotenv-run-script|time|nice|exec|xvfb-run|tsx|node|cov8|wtfnode|0x|clinic|env-cmd|op|doppler|infisical)$/;
const assignment = /^([A-Za-z_]\w*)=(.*)$/s;

/**
 * The commands by which tests are run: those of the script `test` (also through `npm run …`); when it does not start the framework,
 * those of scripts named after tests. Empty when none starts it.
 */
export function testCommands(scripts: Scripts, start: FrameworkStart): readonly TestCommand[] {
  const named = Object.keys(scripts).filter(
    (name) => /^tests?[:_.-]/.test(name) && !/watch|debug|cov/.test(name),
  );
  const commands = (names: readonly string[]): readonly TestCommand[] =>
    distinct(names.flatMap((name) => commandsOf(name, scripts, start, new Set())));
  const own = [commands(['test']), commands(named)].find(({ length }) => length > 0);
  if (own || start.anyScript !== true) return own ?? [];
  return commands(Object.keys(scripts)).slice(0, 1);
}

/** Does any script start the framework? */
export function isStartedBy(scripts: Scripts, start: FrameworkStart): boolean {
  return Object.values(scripts).some((text) =>
    shellCommands(text).some((words) => readCommand(words, start) !== undefined),
  );
}

function commandsOf(
  name: string,
  scripts: Scripts,
  start: FrameworkStart,
  seen: Set<string>,
): readonly TestCommand[] {
  const text = scripts[name];
  if (text === undefined || seen.has(name)) return [];
  seen.add(name);
  const exported: Record<string, string> = {};
  return shellCommands(text).flatMap((words): readonly TestCommand[] => {
    if (words[0]?.text === 'export') Object.assign(exported, variablesIn(words));
    const command = readCommand(words, start);
    if (command) return [{ ...command, script: name, env: { ...exported, ...command.env } }];
    const env = { ...exported, ...variablesIn(words) };
    return scriptsRunBy(words, scripts).flatMap(({ script, extra }) =>
      commandsOf(script, scripts, start, seen).map((inner) => ({
        ...inner,
        words: [...inner.words, ...extra],
        env: { ...env, ...inner.env },
      })),
    );
  });
}

/** The command, when it starts the framework: itself, or through something that starts commands. */
function readCommand(words: readonly ShellWord[], { isStart }: FrameworkStart): TestCommand | undefined {
  const at = words.findIndex(({ text }) => isStart(text));
  if (at < 0) return undefined;
  const before = words.slice(0, at);
  const commands = before.map(({ text }) => text).filter((text) => !assignment.test(text));
  const [first] = commands;
  const name = first?.replace(/^.*[\\/]/, '').replace(/\.(?:cmd|exe|[cm]?js)$/, '');
  if (name !== undefined && !runners.test(name)) return undefined;
  if (/^(?:npm|pnpm|yarn)$/.test(name ?? '') && /^(?:i|install|add|remove|un|up)/.test(commands[1] ?? ''))
    return undefined;
  const after = words.slice(at + 1);
  const all = [...before.filter(({ text }) => assignment.test(text)), ...after];
  return {
    words: after[0]?.text === '--' ? after.slice(1) : after,
    nodeFlags: nodeFlagsIn(commands).filter((flag) => !isInspector(flag)),
    env: variablesIn(before),
    notUnderstood: all.filter(({ computed }) => computed).map(({ text }) => text),
  };
}

/** A process that waits for a debugger never ends. */
const isInspector = (flag: string): boolean => /^--(?:inspect|debug)\b/.test(flag);

/** Values that only a shell could fill in are left out, and so are the variables that are ours. */
function variablesIn(words: readonly ShellWord[]): Record<string, string> {
  const env: Record<string, string> = {};
  for (const { text, computed } of words) {
    const [, name = '', value = ''] = assignment.exec(text) ?? [];
    if (name === '' || computed || name.startsWith('TESTMEND_')) continue;
    env[name] =
      name === 'NODE_OPTIONS'
        ? value
            .split(/\s+/)
            .filter((flag) => !isInspector(flag))
            .join(' ')
        : value;
  }
  return env;
}

/** What stands between `node` and the framework; a flag and its value are given as one. */
function nodeFlagsIn(commands: readonly string[]): readonly string[] {
  const isValue = (at: number): boolean =>
    /^(?:-r|--(?:import|require|loader|experimental-loader))$/.test(commands[at - 1] ?? '');
  const node = commands.findLastIndex(
    (word, at) => /(?:^|[\\/])(?:node|tsx)(?:\.exe)?$/.test(word) && !isValue(at),
  );
  if (node < 0) return [];
  const flags: string[] = commands[node]?.endsWith('tsx') === true ? ['--import=tsx'] : [];
  const words = commands.slice(node + 1);
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) continue;
    const long = word.replace(/^-r$/, '--require').replace(/^-C$/, '--conditions');
    const value = words[at + 1];
    if (!long.includes('=') && value !== undefined && !value.startsWith('-')) {
      flags.push(`${long}=${value}`);
      at++;
    } else flags.push(long);
  }
  return flags;
}

/** `npm run test:unit -- --bail`, `yarn test:unit`, `run-s test:*`. */
export function scriptsRunBy(
  words: readonly ShellWord[],
  scripts: Scripts,
): readonly { readonly script: string; readonly extra: readonly ShellWord[] }[] {
  const texts = words
    .map(({ text }) => text)
    .filter((text) => !assignment.test(text) && !/^(?:cross-env(?:-shell)?|env)$/.test(text));
  const [command = '', ...rest] = texts;
  const dashes = words.findIndex(({ text }) => text === '--');
  const extra = dashes < 0 ? [] : words.slice(dashes + 1);
  if (/^(?:npm|pnpm|yarn|bun)$/.test(command)) {
    const script = rest.find((word) => !word.startsWith('-') && !/^run(?:-script)?$/.test(word));
    return script !== undefined && script in scripts ? [{ script, extra }] : [];
  }
  if (!/^(?:npm-run-all2?|run-[sp])$/.test(command)) return [];
  const patterns = rest.slice(0, texts.indexOf('--') < 0 ? undefined : texts.indexOf('--') - 1);
  return patterns
    .filter((word) => !word.startsWith('-'))
    .flatMap((pattern) => {
      const source = pattern.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*\*?/g, '[^:]*');
      return Object.keys(scripts).filter((name) => new RegExp(`^${source}$`).test(name));
    })
    .map((script) => ({ script, extra: [] }));
}

function distinct(commands: readonly TestCommand[]): readonly TestCommand[] {
  const key = ({ words, env, nodeFlags }: TestCommand): string =>
    JSON.stringify([words.map(({ text }) => text), env, nodeFlags]);
  return [
    ...new Map(commands.map((command) => [key(command), command] as const).reverse()).values(),
  ].reverse();
}

/**
 * Those of the options that are written among the words and that have one of these names, as `--name=value` or `--name`. `values` take a value,
 * `flags` take none. What only a shell could fill in is left out.
 */
export function optionsAmong(
  words: readonly ShellWord[],
  { values, flags }: { readonly values: readonly string[]; readonly flags: readonly string[] },
): readonly string[] {
  const kept: string[] = [];
  for (const [index, { text, computed }] of words.entries()) {
    const [, name = '', , inline] = /^--([\w.-]+)(=(.*))?$/s.exec(text) ?? [];
    const next = words[index + 1];
    if (computed) continue;
    if (flags.includes(name)) kept.push(text);
    else if (!values.includes(name)) continue;
    else if (inline !== undefined) kept.push(text);
    else if (next && !next.computed && !next.text.startsWith('-')) kept.push(`--${name}=${next.text}`);
  }
  return kept;
}
