// Finds what a failed assertion of Python expected: the one comparison at its line, its two values, and where the expected one is written.
import type { SyntaxNode } from '@lezer/common';
import type { TestResult } from '../../model/testResult.ts';
import type { AssertionOf, PythonComparison, PythonSide } from '../../model/value.ts';
import { holdsLine, innermost } from '../../syntax/python/comparisonAt.ts';
import type { ExpectationContext } from '../../syntax/python/expectationContext.ts';
import { expectedOf, patternIn, raisesOf } from '../../syntax/python/expectations.ts';
import type { ExpectationKind } from '../../syntax/python/expectedParts.ts';
import type { ExpectedSide, ExpectedSides } from '../../syntax/python/expectedSides.ts';
import { unwrapPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import {
  readPythonLiteral,
  readRecorded,
  sameLiteral,
  type PythonLiteral,
} from '../../syntax/python/pythonLiteral.ts';
import { testFunctionsOf, type TestFunction } from '../../syntax/python/testFunctions.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { plainPattern } from '../assertion/plainPattern.ts';
import { patternFor } from './patternFor.ts';
import { plainAs } from './plainValue.ts';
import { textInside } from './textInside.ts';

export interface LocatedExpectation {
  readonly side: ExpectedSide;
  /** What to patch: the expected side, or the value that its name was given. */
  readonly node: SyntaxNode;
  readonly origin: 'assertion' | 'argument' | 'variable' | 'row';
  readonly rowIndex: number | undefined;
  /** What the code gives; of a text that is looked for in another one the part that is there now. */
  readonly actual: PythonLiteral;
  /** Undefined where only its source is known, as of `pytest.approx`. */
  readonly expected: PythonLiteral | undefined;
  /** The text that was looked for, where the assertion asks for a part of a text. */
  readonly sought?: string;
}

export interface ExpectationQuestion {
  readonly source: PythonSource;
  readonly captured: AssertionOf<'python'>;
  readonly result: TestResult;
  readonly conftests: readonly string[];
  /** May another file take this name from the test's module? */
  readonly isTaken: (name: string) => boolean;
  readonly readModule: NonNullable<ExpectationContext['readModule']>;
  /** Where the test itself was. */
  readonly line: number | undefined;
  /** What it called, down to the comparison; files are relative to the root, undefined for the one of the test. */
  readonly calls: readonly CalledPlace[];
}

export interface CalledPlace {
  readonly file: string | undefined;
  readonly line: number;
  readonly name: string;
}

/** The sides of the assertions at the line, and where the values of names come from. */
export interface ExpectedAt extends ExpectedSides {
  readonly here: ExpectedSides['sides'];
}

export function assertionAt(question: ExpectationQuestion): ExpectedAt | Refusal {
  const { source, line, calls } = question;
  const test = testOf(question);
  if (isRefusal(test)) return test;
  const expected = expectedOf(test, source, question);
  const here = expected.sides.filter(
    (side) => line !== undefined && holdsLine(side.comparison, line, source) && isCalled(side, calls),
  );
  if (here.length === 0 && calls.length > 0) return refuse(calledDeeper);
  return { ...expected, here };
}

const calledDeeper =
  'The assertion failed in a function that the test calls, and it may compare something other than the value that the test passes to it.';

/** Did the values meet where the helper compares what it is given here? */
function isCalled({ inner }: ExpectedSide, [first, ...rest]: readonly CalledPlace[]): boolean {
  if (inner === undefined || first === undefined) return inner === undefined && first === undefined;
  return (
    inner.file === first.file &&
    inner.name === first.name &&
    holdsLine(inner.side.comparison, first.line, inner.source) &&
    isCalled(inner.side, rest)
  );
}

function testOf(question: ExpectationQuestion): TestFunction | Refusal {
  const { source, result, line } = question;
  if (source.errorLine !== undefined)
    return refuse(`The test file cannot be read (line ${source.errorLine}).`);
  if (line === undefined) return refuse('The assertion failed in a function that the test calls.');
  const name = [...result.suites, result.title.replace(/\[.*$/s, '')].join('.');
  return (
    testFunctionsOf(source, question).find((one) => one.name === name) ??
    refuse(
      'The decorators, the class or a second definition of the test make it unclear whether its assertions count.',
    )
  );
}

export function locateExpectation(question: ExpectationQuestion): LocatedExpectation | Refusal {
  const { source, captured, line } = question;
  const { python } = captured;
  const test = testOf(question);
  if (isRefusal(test)) return test;
  if (line === undefined) return refuse('The values are not known.');
  if (python.operator === 'match' && question.calls.length > 0) return refuse(calledDeeper);
  if (python.operator === 'match') return locatePattern(raisesOf(test, source), python, line, source);
  const at = assertionAt(question);
  if (isRefusal(at)) return at;
  const kind = python.operator === 'in' ? 'in' : 'equal';
  const [side, ...others] = at.here.length > 1 ? metSides(at.here, python, source) : at.here;
  if (python.operator === 'is' && side?.kind !== 'equal') return unsaid(python.operator);
  if (others.length > 0 || (side === undefined && at.here.length > 1))
    return refuse('The line contains several comparisons, and it is unclear which of them failed.');
  if (side === undefined || side.kind !== kind)
    return refuse(
      kind === 'in'
        ? 'The value that the failed assertion looks for is not a literal in the test.'
        : 'The failed assertion is not an equality check with a literal in the test.',
    );
  const [expectedSide, actualSide] = sidesMet(side, python);
  if ('refused' in actualSide)
    return refuse(`The actual value cannot be written as a literal: it is ${actualSide.refused}.`);
  const expected = literalOf(expectedSide);
  const given = literalOf(actualSide);
  const plain = given && plainAs(given, expected);
  const actual = kind === 'in' ? partOf(plain, expected) : plain;
  if (actual !== undefined && isRefusal(actual)) return actual;
  if (actual === undefined) return refuse('The actual value cannot be written as a literal.');
  const sought = kind === 'in' && expected?.kind === 'str' ? { sought: expected.value } : {};
  const written = writtenAs(side.node, kind, at, captured, source);
  if (isRefusal(written)) return written;
  const origin = side.inner !== undefined && written.origin === 'assertion' ? 'argument' : written.origin;
  return { side, actual, expected, ...sought, ...written, origin };
}

/** Of an operator that more values than one would satisfy, or that asks for more than a value. */
export const unsaid = (operator: string): Refusal =>
  refuse(`An assertion with \`${operator}\` does not determine which other value would be right.`);

/** Of several in one line those whose written value is the one that met. */
function metSides(
  sides: readonly ExpectedSide[],
  python: PythonComparison,
  { text }: PythonSource,
): readonly ExpectedSide[] {
  return sides.filter((side) => {
    const written = readPythonLiteral(text, side.node.from, side.node.to);
    const expected = literalOf(sidesMet(side, python)[0]);
    return written !== undefined && expected !== undefined && sameLiteral(written, expected);
  });
}

/** What was expected, and what the code gave. */
function sidesMet(
  side: ExpectedSide,
  { left, right }: PythonComparison,
): readonly [expected: PythonSide, actual: PythonSide] {
  const { node, actual } = innermost(side);
  return node.from > actual.from ? [right, left] : [left, right];
}

/** The node itself, or the value that its name was given. */
export function writtenAs(
  node: SyntaxNode,
  kind: ExpectationKind,
  { variables, columns, loops, kindOf }: ExpectedSides,
  { python }: AssertionOf<'python'>,
  source: PythonSource,
): Pick<LocatedExpectation, 'node' | 'origin' | 'rowIndex'> | Refusal {
  const inner = unwrapPython(node);
  if (inner.name !== 'VariableName') return { node, origin: 'assertion', rowIndex: undefined };
  const variable = source.textOf(inner);
  if (kindOf(variable) !== kind) return refuse(`${variable} is compared in more than one way.`);
  const value = variables.get(variable);
  if (value !== undefined) return { node: value, origin: 'variable', rowIndex: undefined };
  const loop = loops.get(variable)?.find(({ body }) => body.from <= node.from && node.to <= body.to);
  const cells = loop?.cells ?? columns.get(variable);
  const rowIndex = loop === undefined ? python.rows[variable] : python.loops?.[String(loop.line)];
  const cell = rowIndex === undefined ? undefined : cells?.[rowIndex];
  return cell === undefined
    ? refuse(`The source of ${variable} cannot be determined.`)
    : { node: cell, origin: 'row', rowIndex };
}

/** `pytest.raises(Error, match="…")`: another message was raised, by the same kind of error. */
function locatePattern(
  raises: readonly SyntaxNode[],
  { left, right }: PythonComparison,
  line: number,
  source: PythonSource,
): LocatedExpectation | Refusal {
  const here = raises.filter((call) => holdsLine(call, line, source));
  const [call] = here;
  const node = call === undefined ? undefined : patternIn(call, source);
  if (call === undefined || node === undefined || here.length > 1)
    return refuse('The message pattern is not a literal in the test, or it is unclear whether it counts.');
  const [pattern, message] = [literalOf(left), literalOf(right)];
  if (pattern?.kind !== 'str' || message?.kind !== 'str')
    return refuse('The message pattern is not a string.');
  const value = patternFor(message.value, pattern.value);
  if (typeof value !== 'string') return value;
  const side = { kind: 'match' as const, node, comparison: call, actual: call };
  return {
    side,
    node,
    origin: 'assertion',
    rowIndex: undefined,
    actual: { ...message, value },
    expected: pattern,
    sought: plainPattern(pattern.value)?.text ?? pattern.value,
  };
}

/** What of a text should be looked for now; of anything else than texts nothing can be told. */
function partOf(
  actual: PythonLiteral | undefined,
  expected: PythonLiteral | undefined,
): PythonLiteral | Refusal {
  if (actual?.kind !== 'str' || expected?.kind !== 'str')
    return refuse('Only the parts of a string can be followed.');
  const crash = 'Traceback (most recent call last)';
  if (actual.value.includes(crash) && !expected.value.includes(crash))
    return refuse('The text that the test searches reports a crash.');
  const value = textInside(actual.value, expected.value);
  return typeof value === 'string' ? { ...actual, value } : value;
}

export const literalOf = (side: PythonSide): PythonLiteral | undefined =>
  'text' in side ? readRecorded(side.text, side.objects ?? []) : undefined;
