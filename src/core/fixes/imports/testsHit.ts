// Which failing tests of a file a repair of its imports is for.
import type ts from 'typescript';
import type { TestResult } from '../../model/testResult.ts';
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

/** A skill file says of everything that it failed; what it really was is in its text. */
const isNoExpectation = (result: TestResult): boolean =>
  result.failure?.kind !== 'assertion' || result.id.startsWith('skill');

interface TestRange {
  /** 1-based line on which the call starts. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

function testRanges(typescript: typeof ts, repair: FileRepair): readonly TestRange[] {
  const source = typescript.createSourceFile(repair.file, repair.text, typescript.ScriptTarget.Latest, true);
  const ranges: TestRange[] = [];
  const visit = (node: ts.Node): void => {
    if (
      typescript.isCallExpression(node) &&
      node.arguments.some((one) => typescript.isFunctionLike(one)) &&
      /^(?:it|test|specify|fit|bench)\b/.test(node.expression.getText(source))
    ) {
      const start = node.getStart(source);
      ranges.push({ line: source.getLineAndCharacterOfPosition(start).line + 1, start, end: node.getEnd() });
    }
    typescript.forEachChild(node, visit);
  };
  visit(source);
  return ranges;
}
