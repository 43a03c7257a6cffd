// Reads stored snapshot files (`.snap` of jest and vitest) as text: nothing in them is ever executed.
import type { TestResult } from '../../model/testResult.ts';

interface SnapshotEntry {
  readonly name: string;
  /** The text between the backticks as it is written, and where it lies. */
  readonly raw: string;
  readonly start: number;
  readonly end: number;
  /** What it stands for, line ends as `\n`. */
  readonly value: string;
}

/** Undefined when the file holds anything else than comments and entries, or one entry twice. */
export function readSnapshotFile(text: string): readonly SnapshotEntry[] | undefined {
  const entries = new Map<string, SnapshotEntry>();
  let position = 0;
  for (const found of text.matchAll(entryPattern)) {
    if (!isBlank(text.slice(position, found.index))) return undefined;
    position = found.index + found[0].length;
    const { name = '', raw = '', lead = '' } = found.groups ?? {};
    const start = found.index + lead.length;
    const entry = { name: unescapeTemplate(name), raw, start, end: start + raw.length };
    if (entries.has(entry.name)) return undefined;
    entries.set(entry.name, { ...entry, value: unescapeTemplate(raw) });
  }
  return isBlank(text.slice(position)) ? [...entries.values()] : undefined;
}

/** No `${`: both frameworks escape it, and an expression is no stored text. */
const body = String.raw`(?:\\[\s\S]|\$(?!\{)|[^\\${'`'}$])*`;
const entryPattern = new RegExp(
  `(?<lead>exports\\[\`(?<name>${body})\`\\]\\s*=\\s*\`)(?<raw>${body})\`;`,
  'g',
);

const isBlank = (text: string): boolean => /^(?:\s|\/\/[^\r\n]*)*$/.test(text.replace(/^\uFEFF/, ''));

/** Frameworks escape nothing but backslash, backtick and `$`. */
function unescapeTemplate(raw: string): string {
  return raw.replace(/\r\n?/g, '\n').replace(/\\([\s\S])/g, '$1');
}

/** `name 1`, `name > hint 1` (vitest), `name: hint 1` (jest); the longest name that fits. */
export function testsOfEntry(entry: string, tests: readonly TestResult[]): readonly TestResult[] {
  const stem = entry.replace(/ \d+$/, '');
  const fitting = tests.flatMap((test) => {
    const names = [...test.suites, test.title];
    const fits = [names.join(' > '), names.join(' ')].find(
      (name) => stem === name || stem.startsWith(`${name} > `) || stem.startsWith(`${name}: `),
    );
    return fits === undefined ? [] : [{ test, length: fits.length }];
  });
  const longest = Math.max(...fitting.map(({ length }) => length));
  return fitting.filter(({ length }) => length === longest).map(({ test }) => test);
}
