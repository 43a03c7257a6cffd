// What the tests of a file expect, as far as it is written down: each literal that is certainly the expected side of an assertion.
import type { SyntaxNode } from '@lezer/common';
import { literalParts, type ExpectationKind } from './expectedParts.ts';
import { expectedSides, type ExpectationContext, type ExpectedSides } from './expectedSides.ts';
import { moduleConstants } from './moduleConstants.ts';
import { safeAssertions } from './safeAssertions.ts';
import { argumentsOf, type PythonSource } from './parsePython.ts';
import { testFunctionsOf, type TestFunction } from './testFunctions.ts';

export interface Expectation {
  readonly kind: ExpectationKind;
  /** The expression that may change. */
  readonly from: number;
  readonly to: number;
  readonly test: TestFunction;
  /** Of a name: where its value is written down. */
  readonly origin: 'assertion' | 'variable' | 'row';
}

/** In the order of the text; none in a file that the grammar does not know. */
export function expectationsOf(
  source: PythonSource,
  context: ExpectationContext = {},
): readonly Expectation[] {
  if (source.errorLine !== undefined || hasDangerousMarks(source)) return [];
  // Who may turn a failure into something else, or expect it.
  const { conftests = [] } = context;
  if (conftests.some((text) => /\bxfail\b|pytest_runtest_(?:makereport|call)|pytest_pyfunc_call/.test(text)))
    return [];
  const tests = testFunctionsOf(source);
  const constants = moduleConstants(tests, source, context);
  const found = tests.flatMap((test) => expectationsIn(test, source, context, constants));
  const unique = new Map(found.map((one) => [one.from, one]));
  return [...unique.values()].sort((a, b) => a.from - b.from);
}

/** `pytestmark` may expect that tests fail: only marks that are written down at once, and do no such thing, are none. */
function hasDangerousMarks({ text }: PythonSource): boolean {
  const mentions = text.match(/\bpytestmark\b/g)?.length ?? 0;
  const plain =
    /^[ \t]*pytestmark\s*=\s*\[?\s*pytest\.mark\.(?!xfail|flaky|skip\b|retry|repeat|parametrize)/gm;
  const isMarkedAside = /pytestmark[^]{0,500}?\b(?:xfail|flaky|retry|repeat)\b/.test(text);
  return mentions !== (text.match(plain)?.length ?? 0) || isMarkedAside || /\b__test__\b/.test(text);
}

/** Which sides of a test's assertions are what it expects, and where the values of names come from. */
export function expectedOf(
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext = {},
): ExpectedSides {
  const constants = moduleConstants(testFunctionsOf(source), source, context, source.textOf(test.node));
  return expectedSides(test, safeAssertions(test, source).assertions, source, context, constants);
}

/** The calls of `pytest.raises` in a test whose pattern is certainly asked for. */
export function raisesOf(test: TestFunction, source: PythonSource): readonly SyntaxNode[] {
  return safeAssertions(test, source).raises;
}

/** What `match=` of such a call is given. */
export function patternIn(call: SyntaxNode, source: PythonSource): SyntaxNode | undefined {
  return argumentsOf(call.getChild('ArgList'), source).find(({ name }) => name === 'match')?.value;
}

function expectationsIn(
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext,
  constants: ReadonlyMap<string, SyntaxNode>,
): readonly Expectation[] {
  const { assertions, raises } = safeAssertions(test, source);
  const { sides, variables, columns, kindOf } = expectedSides(test, assertions, source, context, constants);
  const found: Expectation[] = [];
  for (const { node, kind } of sides) add(node, kind, 'assertion');
  for (const [name, value] of variables) add(value, kindOf(name), 'variable');
  for (const [name, cells] of columns)
    for (const cell of cells) if (cell !== undefined) add(cell, kindOf(name), 'row');
  for (const call of raises) {
    const match = patternIn(call, source);
    if (match !== undefined) add(match, 'match', 'assertion');
  }
  return found;

  function add(node: SyntaxNode, kind: ExpectationKind | undefined, origin: Expectation['origin']): void {
    if (kind === undefined) return;
    for (const part of literalParts(node, kind, source)) found.push({ ...part, test, origin });
  }
}
