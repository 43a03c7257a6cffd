// Finds what a failed assertion of Python expected: the one comparison at its line, its two values, and where the expected one is written.
import type { SyntaxNode } from '@lezer/common';
import type { TestResult } from '../../model/testResult.ts';
import type { CapturedAssertion, PythonSide } from '../../model/value.ts';
import { expectedOf } from '../../syntax/python/expectations.ts';
import type { ExpectedSide } from '../../syntax/python/expectedSides.ts';
import { unwrapPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { readPythonLiteral, type PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { testFunctionsOf } from '../../syntax/python/testFunctions.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';

export interface LocatedExpectation {
  readonly side: ExpectedSide;
  /** What to patch: the expected side, or the value that its name was given. */
  readonly node: SyntaxNode;
  readonly origin: 'assertion' | 'variable' | 'row';
  readonly rowIndex: number | undefined;
  readonly actual: PythonLiteral;
  /** Undefined where only its source is known, as of `pytest.approx`. */
  readonly expected: PythonLiteral | undefined;
}

export interface ExpectationQuestion {
  readonly source: PythonSource;
  readonly captured: CapturedAssertion;
  readonly result: TestResult;
  readonly conftests: readonly string[];
  readonly line: number | undefined;
}

export function locateExpectation(question: ExpectationQuestion): LocatedExpectation | Refusal {
  const { source, captured, result, conftests, line } = question;
  const { python } = captured;
  if (source.errorLine !== undefined)
    return refuse(`The test file cannot be read (line ${source.errorLine}).`);
  if (python === undefined || line === undefined)
    return refuse('The assertion failed in a function that the test calls.');
  const name = [...result.suites, result.title.replace(/\[.*$/s, '')].join('.');
  const test = testFunctionsOf(source).find((one) => one.name === name);
  if (test === undefined)
    return refuse(
      'The test is one whose assertions are not certain to count: by its decorators, its class or a namesake.',
    );
  const { sides, variables, columns, kindOf } = expectedOf(test, source, { conftests });
  const here = sides.filter((side) => holdsLine(side.comparison, line, source));
  const [side] = here;
  if (side === undefined || here.length > 1 || side.kind !== 'equal')
    return refuse('The failed assertion is no equality with a value that is written down in the test.');
  const isRight = side.node.from > side.actual.from;
  const [expectedSide, actualSide] = isRight ? [python.right, python.left] : [python.left, python.right];
  if ('refused' in actualSide)
    return refuse(`The actual value cannot be written as a literal: it is ${actualSide.refused}.`);
  const actual = literalOf(actualSide);
  if (actual === undefined) return refuse('The actual value cannot be written as a literal.');
  const found = { side, actual, expected: literalOf(expectedSide) };
  const inner = unwrapPython(side.node);
  if (inner.name !== 'VariableName')
    return { ...found, node: side.node, origin: 'assertion', rowIndex: undefined };
  const variable = source.textOf(inner);
  if (kindOf(variable) !== 'equal') return refuse(`${variable} is compared in more than one way.`);
  const value = variables.get(variable);
  if (value !== undefined) return { ...found, node: value, origin: 'variable', rowIndex: undefined };
  const rowIndex = python.rows[variable];
  const cell = rowIndex === undefined ? undefined : columns.get(variable)?.[rowIndex];
  return cell === undefined
    ? refuse(`Where ${variable} comes from cannot be told.`)
    : { ...found, node: cell, origin: 'row', rowIndex };
}

/** The whole statement counts: pytest tells the line that it begins in. */
function holdsLine(comparison: SyntaxNode, line: number, source: PythonSource): boolean {
  let statement: SyntaxNode | null = comparison;
  while (statement !== null && statement.name !== 'AssertStatement') statement = statement.parent;
  return statement !== null && source.lineOf(statement.from) <= line && line <= source.lineOf(statement.to);
}

const literalOf = (side: PythonSide): PythonLiteral | undefined =>
  'text' in side ? readPythonLiteral(side.text, 0, side.text.length) : undefined;
