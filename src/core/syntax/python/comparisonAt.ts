// Where a comparison of Python stands, and which of its sides is what was expected, as the test writes it.
import type { SyntaxNode } from '@lezer/common';
import { expectedOf } from './expectations.ts';
import { approxArgument } from './expectedParts.ts';
import type { ExpectedSide } from './expectedSides.ts';
import { childrenOf, parsePython, unwrapPython, visitPython, type PythonSource } from './parsePython.ts';
import { readPythonLiteral } from './pythonLiteral.ts';
import { testFunctionsOf } from './testFunctions.ts';
import { comparingMethod } from './unittestCase.ts';

/** The whole statement counts: pytest tells the line that it begins in. */
export function holdsLine(comparison: SyntaxNode, line: number, source: PythonSource): boolean {
  let statement: SyntaxNode | null = comparison;
  while (statement !== null && !/^(?:Assert|With|Expression)Statement$/.test(statement.name))
    statement = statement.parent;
  if (statement === null) return false;
  const end = statement.getChild('Body')?.from ?? statement.to;
  return source.lineOf(statement.from) <= line && line <= source.lineOf(end);
}

/** The comparison itself, in the last of the helpers. */
export function innermost(side: ExpectedSide): ExpectedSide {
  return side.inner === undefined ? side : innermost(side.inner.side);
}

/**
 * Is the left side of the comparison what is expected? By what the test hands to it or writes there; undefined where that does not tell.
 * `lines` (from 1): where the test was, down to the comparison.
 */
export function isExpectedLeft(
  text: string,
  lines: readonly number[],
  operator: string,
): boolean | undefined {
  const source = parsePython(text);
  if (source.errorLine !== undefined) return undefined;
  const holds = ({ from, to }: SyntaxNode): boolean =>
    lines.some((line) => source.lineOf(from) <= line && line <= source.lineOf(to));
  const sides = testFunctionsOf(source)
    .filter(({ node }) => holds(node))
    .flatMap((test) => expectedOf(test, source).sides)
    .filter(({ comparison }) => lines.some((line) => holdsLine(comparison, line, source)))
    .map((side) => innermost(side));
  const known = sides.map(({ node, actual }) => node.from < actual.from);
  return oneOf(known.length > 0 ? known : writtenLeft(source, lines.slice(-1), operator));
}

const oneOf = (answers: readonly boolean[]): boolean | undefined =>
  new Set(answers).size === 1 ? answers[0] : undefined;

/** Of a test whose assertions are not certain to count it can be read all the same which side is written down. */
function writtenLeft(source: PythonSource, lines: readonly number[], operator: string): readonly boolean[] {
  const found: boolean[] = [];
  const isWritten = (whole: SyntaxNode): boolean =>
    readPythonLiteral(source.text, whole.from, whole.to) !== undefined ||
    approxArgument(unwrapPython(whole), source) !== undefined;
  visitPython(source.root, (node) => {
    const sides = comparedSides(node, source, operator);
    if (sides === undefined || !lines.some((line) => holdsLine(node, line, source))) return;
    const [left, right] = sides.map(isWritten);
    if (left !== undefined && left !== right) found.push(left);
  });
  return found;
}

function comparedSides(
  node: SyntaxNode,
  source: PythonSource,
  operator: string,
): readonly [SyntaxNode, SyntaxNode] | undefined {
  const method = comparingMethod(node, source);
  if (method?.operator === operator) return [method.left, method.right];
  if (node.name !== 'BinaryExpression') return undefined;
  const parts = childrenOf(node);
  const [left, right] = [parts[0], parts.at(-1)];
  const sign = parts
    .slice(1, -1)
    .map((part) => source.textOf(part))
    .join(' ');
  return left !== undefined && right !== undefined && sign === operator ? [left, right] : undefined;
}
