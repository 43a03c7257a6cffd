// Picks the one literal, out of a table's many, that the failed test expected: by its value, its printed title, its case number.
import ts from 'typescript';
import { caseNumberOf } from '../../model/testId.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { Value } from '../../model/value.ts';
import { propertyKey, staticValue } from '../../syntax/javascript/literalSource.ts';
import { unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { refuse, type Refusal } from './literalChange.ts';
import { titlesFit } from './rowTitle.ts';
import { sameValue } from './sameValue.ts';
import { callbackTable, iteratedValue } from './tables.ts';
import { testCallsAround } from './testCalls.ts';
import type { TraceCandidate, TraceWorld } from './traceLiteral.ts';

export interface Choice {
  readonly candidate: TraceCandidate;
  /** How it was told from the others: nothing to choose, or by what. */
  readonly by: 'only' | 'value' | 'title' | 'case';
}

interface Place {
  readonly node: ts.Node;
  readonly tree: SourceTree;
}

/** The candidate, or why it is not certain which one it is. `assertion` may lie in a helper of the test. */
export async function chooseCandidate(
  candidates: readonly TraceCandidate[],
  expected: Value | undefined,
  result: TestResult,
  assertion: Place,
  world: TraceWorld,
): Promise<Choice | Refusal> {
  const fitting = candidates.filter((candidate) => mayBe(candidate.node, expected));
  const only = onlyNode(fitting);
  if (fitting.length === 0) return refuse('No literal in the test has the expected value.');
  if (only !== undefined) return { candidate: only, by: candidates.length === 1 ? 'only' : 'value' };
  const byTitle = await filterAsync(fitting, (candidate) =>
    titlesFit(candidate, result, placeInTest(assertion, candidate), world),
  );
  const titled = onlyNode(byTitle);
  if (titled !== undefined) return { candidate: titled, by: 'title' };
  const index = caseIndex(result.id);
  const rest = byTitle.length > 0 ? byTitle : fitting;
  const numbered = rest.filter(
    (candidate) => index !== undefined && isCase(candidate, index, placeInTest(assertion, candidate)),
  );
  const byCase = onlyNode(numbered);
  if (byCase !== undefined) return { candidate: byCase, by: 'case' };
  return refuse(
    `${fitting.length} rows of the table expect the same value, and it is unclear which of them belongs to this test.`,
  );
}

/** The assertion, or the call of the helper that holds it. */
function placeInTest(assertion: Place, { links }: TraceCandidate): Place {
  const places = [assertion, ...links.map(({ use, tree }) => ({ node: use, tree }))];
  return places.find(({ node }) => testCallsAround(node).length > 0) ?? assertion;
}

function onlyNode(candidates: readonly TraceCandidate[]): TraceCandidate | undefined {
  return new Set(candidates.map((candidate) => candidate.node)).size === 1 ? candidates[0] : undefined;
}

/** False only when the literal certainly has another value. */
function mayBe(node: ts.Expression, expected: Value | undefined): boolean {
  if (expected === undefined) return true;
  const value = staticValue(node);
  if (value !== undefined) return sameValue(value, expected, 'loose');
  const inner = unwrap(node);
  if (ts.isObjectLiteralExpression(inner)) {
    if (expected.kind !== 'object') return false;
    const entries = new Map(expected.entries);
    return inner.properties.every((property) => {
      const key = ts.isPropertyAssignment(property) ? propertyKey(property.name) : undefined;
      if (!ts.isPropertyAssignment(property) || key === undefined) return true;
      return mayBe(property.initializer, entries.get(key) ?? { kind: 'undefined' });
    });
  }
  if (ts.isArrayLiteralExpression(inner)) {
    if (expected.kind !== 'array') return false;
    if (inner.elements.some((element) => ts.isSpreadElement(element))) return true;
    return (
      inner.elements.length === expected.items.length &&
      inner.elements.every((element, index) => mayBe(element, expected.items[index]))
    );
  }
  if (ts.isTemplateExpression(inner))
    return expected.kind === 'string' && expected.value.startsWith(inner.head.text);
  return true;
}

/** Number of the case from 0, as in `…::3`. */
function caseIndex(id: string): number | undefined {
  const number = caseNumberOf(id);
  return number === undefined ? undefined : number - 1;
}

/** The case number counts the rows, when the table is the only thing that repeats the test. */
function isCase(candidate: TraceCandidate, index: number, place: Place): boolean {
  const rows = candidate.links.flatMap((link) => link.row ?? []);
  const test = testCallsAround(place.node).find(({ kind }) => kind === 'test')?.call;
  if (test === undefined || rows.length !== 1 || rows[0]?.index !== index) return false;
  if (rows[0].row.unnumbered) return false;
  const repeating: ts.Node[] = [];
  for (let node: ts.Node | undefined = test; node !== undefined; node = node.parent) {
    const isTable =
      ts.isCallExpression(node) &&
      node.arguments.some((argument) => callbackTable(argument) || iteratedValue(argument));
    if (isTable || ts.isIterationStatement(node, false)) repeating.push(node);
  }
  return repeating.length === 1 && repeating[0] === rows[0].origin;
}

async function filterAsync<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const item of items) if (await test(item)) kept.push(item);
  return kept;
}
