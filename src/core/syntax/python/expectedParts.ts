// What an expected side consists of: literals, and names that stand for some.
import type { SyntaxNode } from '@lezer/common';
import { builtText } from './builtText.ts';
import { readImports } from './importStatements.ts';
import { callArguments } from './mockCalls.ts';
import {
  argumentsOf,
  childrenOf,
  elementsOf,
  unwrapPython,
  type Argument,
  type PythonSource,
} from './parsePython.ts';
import { readPythonLiteral } from './pythonLiteral.ts';
import { valueCallee, writtenValue } from './valueNames.ts';
import { wrappedText } from './wrappedText.ts';

/**
 * How the value is compared: `==`, `== pytest.approx(…)`, `is`, `… in actual`, `pytest.raises(match=…)`; `piece`, `pieceIn`: it is a
 * part of a text that is put together for `==` or `in`, without its quotes.
 */
export type ExpectationKind = 'equal' | 'approx' | 'is' | 'in' | 'match' | 'piece' | 'pieceIn';

interface LiteralPart {
  readonly kind: ExpectationKind;
  readonly from: number;
  readonly to: number;
}

/** The literals that a written expression is made of: all of it, or the parts of a display that holds other things too. */
export function literalParts(
  whole: SyntaxNode,
  kind: ExpectationKind,
  source: PythonSource,
): readonly LiteralPart[] {
  if (readPythonLiteral(source.text, whole.from, whole.to) !== undefined)
    return [{ kind, from: whole.from, to: whole.to }];
  const node = unwrapPython(whole);
  if (kind === 'equal' || kind === 'in') {
    const pieces = builtText(node, source) ?? [];
    const fixed = pieces.filter((piece) => piece.kind === 'fixed');
    const kindOfPiece = kind === 'equal' ? 'piece' : 'pieceIn';
    if (fixed.length > 0) return fixed.map(({ from, to }) => ({ kind: kindOfPiece, from, to }));
  }
  if (kind !== 'equal') return [];
  if (writtenValue(whole, source) !== undefined) return [{ kind, from: whole.from, to: whole.to }];
  const wrapped = wrappedText(node, source);
  if (wrapped !== undefined) return [{ kind, from: wrapped.literal.from, to: wrapped.literal.to }];
  const approx = approxArgument(node, source);
  if (approx !== undefined) return literalParts(approx, 'approx', source);
  if (node.name === 'DictionaryExpression') {
    const parts = childrenOf(node);
    if (parts.some(({ name }) => name === '**' || name === 'for')) return [];
    return parts
      .filter((_part, index) => parts[index - 1]?.name === ':')
      .flatMap((part) => literalParts(part, kind, source));
  }
  if (node.name === 'SetExpression') return [];
  return partsOf(node, source).flatMap((part) => literalParts(part, kind, source));
}

/** Elements of a display, arguments of a call that is expected of a mock or is a value. */
function partsOf(node: SyntaxNode, source: PythonSource): readonly SyntaxNode[] {
  const given = callArguments(node, source) ?? valueArguments(node, source);
  return given?.map(({ value }) => value) ?? elementsOf(node) ?? [];
}

/** Of a call that is nothing but a value of its class; undefined where some are spread out of something. */
export function valueArguments(node: SyntaxNode, source: PythonSource): readonly Argument[] | undefined {
  if (valueCallee(node, source) === undefined) return undefined;
  const given = argumentsOf(node.getChild('ArgList'), source);
  return given.some(({ spread }) => spread) ? undefined : given;
}

/** The number, or the display of numbers, in `pytest.approx(number, …)`. */
export function approxArgument(node: SyntaxNode, source: PythonSource): SyntaxNode | undefined {
  const callee = node.name === 'CallExpression' ? node.firstChild : null;
  const name = callee === null ? '' : source.textOf(callee);
  if (name !== 'pytest.approx' && !(name === 'approx' && isOfPytest(name, source))) return undefined;
  const [first, ...more] = argumentsOf(node.getChild('ArgList'), source);
  // With `rel`, a larger number is a wider tolerance.
  if (more.some(({ name, spread }) => spread || (name !== 'abs' && name !== 'nan_ok'))) return undefined;
  return first === undefined || first.spread || first.name !== undefined ? undefined : first.value;
}

/** `from pytest import approx`, and nothing else of that name. */
function isOfPytest(name: string, source: PythonSource): boolean {
  const isOther = new RegExp(`\\b(?:as|def|class|for|global)\\s+${name}\\b|(?<![.\\w])${name}\\s*=(?!=)`);
  return (
    !isOther.test(source.text) &&
    readImports(source, source.root).some(
      ({ module, items }) =>
        module?.text === 'pytest' && items.some((item) => item.name === name && item.alias === undefined),
    )
  );
}

/** The names in it, as the whole or as a part of a display. */
export function namesWritten(whole: SyntaxNode, source: PythonSource): readonly SyntaxNode[] {
  const node = unwrapPython(whole);
  if (node.name === 'VariableName') return [node];
  if (node.name === 'DictionaryExpression') {
    const parts = childrenOf(node);
    return parts
      .filter((_part, index) => parts[index - 1]?.name === ':')
      .flatMap((part) => namesWritten(part, source));
  }
  const approx = approxArgument(node, source);
  if (approx !== undefined) return namesWritten(approx, source);
  if (node.name === 'SetExpression') return [];
  return partsOf(node, source).flatMap((part) => namesWritten(part, source));
}
