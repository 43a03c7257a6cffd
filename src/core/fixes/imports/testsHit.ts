// Which failing tests of a file a repair of its imports is for.
import type ts from 'typescript';
import { frameworkOfId } from '../../model/testId.ts';
import { namesLacked, type ReachedChange } from '../../diagnosis/reachedChange.ts';
import type { TestResult } from '../../model/testResult.ts';
import { kindOfCall } from '../assertion/testCalls.ts';
import type { FailingTest } from '../fixProvider.ts';
import type { FileRepair } from './repairFile.ts';

/**
 * The failing tests that use what was broken. An expectation that fails in a test without any of it has another cause, and
 * is left out: the fix could not make it pass.
 */
export function testsHitBy(
  typescript: typeof ts,
  own: FileRepair | undefined,
  helpers: readonly FileRepair[],
  results: readonly TestResult[],
): readonly TestResult[] {
  const broken = helpers.filter((helper) => helper.changes.length > 0);
  if (broken.some((helper) => helper.breaksFile)) return results;
  if (!own || own.changes.length === 0) return broken.length === 0 ? [] : results.filter(isNoExpectation);
  if (own.breaksFile) return results;
  const ranges = testRanges(typescript, own);
  const isInTest = (at: number): boolean => ranges.some(({ start, end }) => start <= at && at < end);
  const shared = broken.length > 0 || own.places.length === 0 || own.places.some((at) => !isInTest(at));
  return results.filter((result) => {
    const at = ranges.filter(({ line }) => line === result.line);
    if (at.some(({ start, end }) => own.places.some((place) => start <= place && place < end))) return true;
    if (result.failure?.kind === 'load' || at.length === 0) return isNoExpectation(result);
    return shared && isNoExpectation(result);
  });
}

/**
 * The name that the failure itself is about: it says that the name is nothing, the file does not load without it, or it had no value on
 * the line that failed. A test that uses a name and fails for another reason is none of it.
 */
export function reachedBy(
  typescript: typeof ts,
  { file, text, lost }: FileRepair,
  { result, captured }: FailingTest,
): ReachedChange | undefined {
  const { failure } = result;
  if (failure === undefined || lost.length === 0) return undefined;
  const named = namesLacked(failure.message);
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const ranges = testRanges(typescript, { file, text });
  const isIn = (at: number, some: readonly TestRange[]): boolean =>
    some.some(({ start, end }) => start <= at && at < end);
  const own = ranges.filter(({ line }) => line === result.line);
  // What no test holds is shared by all of them.
  const mayRun = (at: number): boolean => own.length === 0 || isIn(at, own) || !isIn(at, ranges);
  const line = failure.location?.file === result.file ? failure.location.line : undefined;
  const hasNothing = captured.some(
    ({ actual, expected }) => actual.kind === 'undefined' || expected.kind === 'undefined',
  );
  const isOnLine = (place: number): boolean => source.getLineAndCharacterOfPosition(place).line + 1 === line;
  return lost.find(({ change: { name }, places, isStatic }) => {
    if (failure.kind === 'load') return isStatic && named.includes(name);
    if (named.includes(name)) return places.some(mayRun);
    const isNothing =
      hasNothing || /\bof undefined\b|\bis undefined\b|'instanceof' is not/.test(failure.message);
    return isNothing && named.length === 0 && places.some(isOnLine);
  })?.change;
}

/** A skill file says of everything that it failed; what it really was is in its text. */
const isNoExpectation = (result: TestResult): boolean =>
  result.failure?.kind !== 'assertion' || frameworkOfId(result.id) === 'skill';

interface TestRange {
  /** 1-based line on which the call starts. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

function testRanges(typescript: typeof ts, repair: Pick<FileRepair, 'file' | 'text'>): readonly TestRange[] {
  const source = typescript.createSourceFile(repair.file, repair.text, typescript.ScriptTarget.Latest, true);
  const ranges: TestRange[] = [];
  const visit = (node: ts.Node): void => {
    if (
      typescript.isCallExpression(node) &&
      node.arguments.some((one) => typescript.isFunctionLike(one)) &&
      kindOfCall(node) === 'test'
    ) {
      const start = node.getStart(source);
      ranges.push({ line: source.getLineAndCharacterOfPosition(start).line + 1, start, end: node.getEnd() });
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return ranges;
}
