// What the tests of a file expect, as far as it is written down: each literal that is certainly the expected side of an assertion.
import type { SyntaxNode } from '@lezer/common';
import type { ExpectationContext } from './expectationContext.ts';
import { literalParts, namesWritten, type ExpectationKind } from './expectedParts.ts';
import { assertedNames, expectedSides, type ExpectedSides } from './expectedSides.ts';
import { moduleConstants } from './moduleConstants.ts';
import { callArguments, mockAssertion } from './mockCalls.ts';
import { safeAssertions } from './safeAssertions.ts';
import { argumentsOf, elementsOf, unwrapPython, type Argument, type PythonSource } from './parsePython.ts';
import { testFunctionsOf, type TestFunction } from './testFunctions.ts';

export interface Expectation {
  readonly kind: ExpectationKind;
  /** The expression that may change. */
  readonly from: number;
  readonly to: number;
  readonly test: TestFunction;
  /** Of a name: where its value is written down. */
  readonly origin: 'assertion' | 'variable' | 'row';
  /** The source of what is compared with it; empty where that is not one side of a comparison. */
  readonly asked: string;
}

/** In the order of the text; none in a file that the grammar does not know. */
export function expectationsOf(
  source: PythonSource,
  context: ExpectationContext = {},
): readonly Expectation[] {
  const tests = countingTests(source, context);
  const constants = moduleConstants(tests, source, context);
  const found = tests.flatMap((test) => expectationsIn(test, source, context, constants));
  const unique = new Map(found.map((one) => [one.from, one]));
  return [...unique.values()].sort((a, b) => a.from - b.from);
}

interface ExpectedCall {
  /** `assert_called_with`, or `call` of what is compared by `==`. */
  readonly name: string;
  readonly given: readonly Argument[];
  /** Behind the opening bracket. */
  readonly start: number;
}

/**
 * The calls of mocks that the tests of a file certainly expect: where one more argument asks for more. In the order of the text; never
 * those of `assert_has_calls`, where `any_order=True` asks for less, nor any call that is looked for, denied or handed to something.
 */
export function expectedCallsOf(
  source: PythonSource,
  context: ExpectationContext = {},
): readonly ExpectedCall[] {
  if (!/\bcall\b|\.assert_/.test(source.text)) return [];
  const found = new Map<number, ExpectedCall>();
  const add = (node: SyntaxNode, name: string, given: readonly Argument[] | undefined): void => {
    const list = node.getChild('ArgList');
    if (list !== null && given !== undefined) found.set(node.from, { name, given, start: list.from + 1 });
  };
  for (const test of countingTests(source, context)) {
    const safe = safeAssertions(test, source, context);
    for (const one of safe.assertions) {
      const asked = mockAssertion(one, source);
      if (asked?.isList === false) add(one, asked.method, asked.given);
    }
    for (const { node, kind, comparison } of expectedSides(test, safe, source, context).sides) {
      if (kind !== 'equal' || mockAssertion(comparison, source) !== undefined) continue;
      const side = unwrapPython(node);
      for (const one of [side, ...(elementsOf(side) ?? []).map(unwrapPython)])
        add(one, 'call', callArguments(one, source));
    }
  }
  return [...found.values()].sort((a, b) => a.start - b.start);
}

/** None where something may turn a failure into something else, or expect it. */
function countingTests(source: PythonSource, context: ExpectationContext): readonly TestFunction[] {
  const { conftests = [] } = context;
  if (source.errorLine !== undefined || hasDangerousMarks(source)) return [];
  return conftests.some((text) =>
    /\bxfail\b|pytest_runtest_(?:makereport|call)|pytest_pyfunc_call/.test(text),
  )
    ? []
    : testFunctionsOf(source, context);
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
  const constants = moduleConstants(
    testFunctionsOf(source, context),
    source,
    context,
    source.textOf(test.node),
  );
  return expectedSides(test, safeAssertions(test, source, context), source, context, constants);
}

/** The calls of `pytest.raises` in a test whose pattern is certainly asked for. */
export function raisesOf(test: TestFunction, source: PythonSource): readonly SyntaxNode[] {
  return safeAssertions(test, source).raises;
}

/** What `match=` of such a call is given, or the second argument of `self.assertRaisesRegex`. */
export function patternIn(call: SyntaxNode, source: PythonSource): SyntaxNode | undefined {
  const given = argumentsOf(call.getChild('ArgList'), source);
  const callee = call.firstChild === null ? '' : source.textOf(call.firstChild);
  if (!callee.startsWith('self.')) return given.find(({ name }) => name === 'match')?.value;
  const [, pattern, ...more] = given;
  const isPlain = more.length === 0 && given.every(({ name, spread }) => name === undefined && !spread);
  return isPlain ? pattern?.value : undefined;
}

function expectationsIn(
  test: TestFunction,
  source: PythonSource,
  context: ExpectationContext,
  constants: ReadonlyMap<string, SyntaxNode>,
): readonly Expectation[] {
  const safe = safeAssertions(test, source, context);
  const { sides, variables, columns, loops, kindOf } = expectedSides(test, safe, source, context, constants);
  const found: Expectation[] = [];
  for (const side of sides) add(side.node, side.kind, 'assertion', assertedNames(side, source));
  for (const [name, value] of variables) add(value, kindOf(name), 'variable', askedBy(name));
  for (const [name, cells] of columns)
    for (const cell of cells) if (cell !== undefined) add(cell, kindOf(name), 'row', askedBy(name));
  for (const [name, tables] of loops)
    for (const { cells } of tables)
      for (const cell of cells) if (cell !== undefined) add(cell, kindOf(name), 'row', askedBy(name));
  for (const call of safe.raises) {
    const match = patternIn(call, source);
    if (match !== undefined) add(match, 'match', 'assertion', '');
  }
  return found;

  function add(
    node: SyntaxNode,
    kind: ExpectationKind | undefined,
    origin: Expectation['origin'],
    asked: string,
  ): void {
    if (kind === undefined) return;
    for (const part of literalParts(node, kind, source)) found.push({ ...part, test, origin, asked });
  }

  function askedBy(name: string): string {
    return sides
      .filter(({ node }) => namesWritten(node, source).some((one) => source.textOf(one) === name))
      .map((side) => assertedNames(side, source))
      .join(' ');
  }
}
