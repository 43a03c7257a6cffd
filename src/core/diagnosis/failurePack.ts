// What is known of a failing test by itself: values, its text, places, and the changed source; short enough to be read.
import { redactSecrets } from '../base/redactSecrets.ts';
import type { HandOver } from '../model/cycle.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CapturedAssertion, PythonSide, Value } from '../model/value.ts';
import { valueSource } from '../syntax/javascript/literalSource.ts';
import { testTextAt } from '../syntax/testTextAt.ts';
import { findSourceChange } from './findSourceChange.ts';
import type { ReachedChange } from './reachedChange.ts';
import type { SourceChanges } from './sourceChanges.ts';
import { hunksReaching } from './sourceHunks.ts';

export type FailurePack = Pick<HandOver, 'values' | 'test' | 'stack' | 'sourceChanges'>;

interface FailureToPack {
  readonly result: TestResult;
  readonly captured: readonly CapturedAssertion[];
  readonly changes: SourceChanges;
  readonly reached?: ReachedChange | undefined;
  /** Text of a file relative to the root, or undefined when it does not exist. */
  readText(file: string): Promise<string | undefined>;
  /** A text as it is told of the workspace. */
  told(text: string): string;
  /** Takes the secrets out of a text; blots them out unless told otherwise. */
  readonly hide?: (text: string) => string;
}

/** Limits in characters, so that many failures stay readable, and small enough for a model. */
const limits = { value: 2_000, test: 6_000, hunk: 2_000, hunks: 8_000 };

/** Runs nothing: what was not recorded is left out. Secrets are blotted out. */
export async function failurePack(failure: FailureToPack): Promise<FailurePack> {
  const { result, captured, hide = redactSecrets } = failure;
  const clean = (text: string, limit: number): string => cut(hide(failure.told(text)), limit);
  const text = (await failure.readText(result.file)) ?? '';
  const hunks = await hunksOf(failure);
  return {
    values: await Promise.all(
      captured.map(async (one) => {
        const sides = await sidesOf(one, result.file, text);
        return valuesOf(one, sides, (of) => clean(of, limits.value));
      }),
    ),
    test: {
      file: result.file,
      line: result.line,
      text: clean(testTextAt(result.file, text, result.line), limits.test),
    },
    stack: (result.failure?.stack ?? [])
      .filter(({ file }) => !/node_modules|^node:/.test(file) && !file.startsWith('/'))
      .map(({ file, line }) => `${file}:${line}`),
    sourceChanges: hunks.map((hunk) => ({ ...hunk, text: clean(hunk.text, limits.hunk) })),
  };
}

/** At most `limit` characters of it, with a mark where there were more. */
export const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;

function valuesOf(
  { matcher, negated }: CapturedAssertion,
  sides: Sides,
  clean: (text: string) => string,
): HandOver['values'][number] {
  const [wanted, given] = sides.map((side) => side && clean(side));
  return {
    matcher: `${negated ? 'not ' : ''}${matcher}`,
    ...(wanted !== undefined && { expected: wanted }),
    ...(given !== undefined && { actual: given }),
  };
}

type Sides = readonly [expected: string | undefined, actual: string | undefined];

/** Of Python nothing but the text of the test tells which side is the expected one. */
async function sidesOf(captured: CapturedAssertion, file: string, text: string): Promise<Sides> {
  if (captured.kind !== 'python') {
    const source = (value: Value): string | undefined =>
      valueSource(value, captured.kind === 'go' ? { ...style, quote: '"' } : style);
    return [source(captured.expected), source(captured.actual)];
  }
  const { operator, frames = [] } = captured.python;
  const [left, right] = [textOf(captured.python.left), textOf(captured.python.right)];
  // A pattern, and what is looked for; else what is asked comes first, as people write it.
  const isSought = /^(?:match|in|not in)$/.test(operator);
  const own = frames.filter((frame) => `/${frame.file.replaceAll('\\', '/')}`.endsWith(`/${file}`));
  const lines = own.map(({ line }) => line);
  const isLeft = operator === 'match' ? true : await isWrittenLeft(text, lines, operator);
  return (isLeft ?? isSought) ? [left, right] : [right, left];
}

async function isWrittenLeft(
  text: string,
  lines: readonly number[],
  operator: string,
): Promise<boolean | undefined> {
  if (lines.length === 0) return undefined;
  // Loaded late: it brings the parser of Python along.
  const { isExpectedLeft } = await import('../syntax/python/comparisonAt.ts');
  return isExpectedLeft(text, lines, operator);
}

const textOf = (side: PythonSide): string | undefined => ('text' in side ? side.text : undefined);

const style = { quote: "'", indent: '  ', eol: '\n', spaced: true, json: false } as const;

/** The likeliest first, as many as fit. */
async function hunksOf(failure: FailureToPack): Promise<HandOver['sourceChanges']> {
  const { result, changes, reached } = failure;
  const readText = (file: string): Promise<string | undefined> => failure.readText(file);
  const likely = await findSourceChange({ result, changes, reached, readText });
  const hunks = await hunksReaching(result.file, changes, readText);
  const isLikely = ({ file, line }: { readonly file: string; readonly line: number }): boolean =>
    file === likely?.location.file && line === likely.location.line;
  const sorted = [...hunks.filter(isLikely), ...hunks.filter((hunk) => !isLikely(hunk))];
  let size = 0;
  return sorted
    .map(({ file, line, lines }) => ({ file, line, text: lines.join('\n') }))
    .filter(({ text }) => (size += Math.min(text.length, limits.hunk)) <= limits.hunks);
}
