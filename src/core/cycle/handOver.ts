// The pack that is handed over with a failure that nothing mended: all that the cycle learnt of it, short enough to be read.
import { redactSecrets } from '../base/redactSecrets.ts';
import { findSourceChange } from '../diagnosis/findSourceChange.ts';
import { hunksReaching } from '../diagnosis/sourceHunks.ts';
import type { CycleFix, HandOver } from '../model/cycle.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CapturedAssertion, Value } from '../model/value.ts';
import { valueSource } from '../syntax/javascript/literalSource.ts';
import { testTextAt } from '../syntax/testTextAt.ts';
import type { CycleBench } from './cycleBench.ts';
import type { CycleState } from './cycleState.ts';

/** Limits in characters, so that many failures stay readable, and small enough for a model. */
const limits = { value: 2_000, test: 6_000, hunk: 2_000, hunks: 8_000, diff: 3_000 };

/** Runs nothing: what was not recorded is left out. Secrets are blotted out, and no text names the sandbox. */
export async function handOverOf(
  result: TestResult,
  bench: CycleBench,
  state: CycleState,
): Promise<HandOver> {
  const clean = (text: string, limit: number): string => cut(redactSecrets(bench.told(text)), limit);
  const text = (await bench.readText(result.file)) ?? '';
  const fixes = state.attempts.fixes.filter(({ failures }) => failures.includes(result.id));
  const hunks = await hunksOf(result, bench);
  return {
    values: bench.recorded(result).map((captured) => valuesOf(captured, (of) => clean(of, limits.value))),
    test: {
      file: result.file,
      line: result.line,
      text: clean(testTextAt(result.file, text, result.line), limits.test),
    },
    stack: (result.failure?.stack ?? [])
      .filter(({ file }) => !/node_modules|^node:/.test(file) && !file.startsWith('/'))
      .map(({ file, line }) => `${file}:${line}`),
    sourceChanges: hunks.map((hunk) => ({ ...hunk, text: clean(hunk.text, limits.hunk) })),
    refusals: (state.refusals.get(result.id) ?? []).map((reason) => clean(reason, limits.value)),
    candidates: fixes.map((fix) => candidateOf(fix, clean)),
  };
}

function valuesOf(
  { matcher, negated, expected, actual, python, go }: CapturedAssertion,
  clean: (text: string) => string,
): HandOver['values'][number] {
  const source = (value: Value): string | undefined =>
    valueSource(value, go === undefined ? style : { ...style, quote: '"' });
  const sides =
    python === undefined ? [source(expected), source(actual)] : [textOf(python.right), textOf(python.left)];
  const [wanted, given] = sides.map((side) => side && clean(side));
  return {
    matcher: `${negated ? 'not ' : ''}${matcher}`,
    ...(wanted !== undefined && { expected: wanted }),
    ...(given !== undefined && { actual: given }),
  };
}

const textOf = (side: NonNullable<CapturedAssertion['python']>['left']): string | undefined =>
  'text' in side ? side.text : undefined;

const style = { quote: "'", indent: '  ', eol: '\n', spaced: true, json: false } as const;

/** The likeliest first, as many as fit. */
async function hunksOf(result: TestResult, bench: CycleBench): Promise<HandOver['sourceChanges']> {
  const changes = await bench.changes();
  const readText = (file: string): Promise<string | undefined> => bench.readText(file);
  const likely = await findSourceChange({ result, changes, readText });
  const hunks = await hunksReaching(result.file, changes, readText);
  const isLikely = ({ file, line }: { readonly file: string; readonly line: number }): boolean =>
    file === likely?.location.file && line === likely.location.line;
  const sorted = [...hunks.filter(isLikely), ...hunks.filter((hunk) => !isLikely(hunk))];
  let size = 0;
  return sorted
    .map(({ file, line, lines }) => ({ file, line, text: lines.join('\n') }))
    .filter(({ text }) => (size += Math.min(text.length, limits.hunk)) <= limits.hunks);
}

function candidateOf(
  fix: CycleFix,
  clean: (text: string, limit: number) => string,
): HandOver['candidates'][number] {
  const { title, provider, trust, verdict, stops = [], otherSide, diff } = fix;
  const reasons = [verdict.reason, ...stops.map(({ reason }) => reason), otherSide].flatMap(
    (reason) => reason ?? [],
  );
  return {
    title: clean(title, limits.value),
    provider,
    trust,
    verdict: verdict.verdict,
    reasons: [...new Set(reasons)].map((reason) => clean(reason, limits.value)),
    diff: clean(diff, limits.diff),
  };
}

const cut = (text: string, limit: number): string =>
  text.length > limit ? `${text.slice(0, limit - 1)}…` : text;
