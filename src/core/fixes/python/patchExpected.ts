// The edits of an expected side: of all of it where it is a literal, of the leaves that differ where it holds other things too.
import type { SyntaxNode } from '@lezer/common';
import { approxArgument } from '../../syntax/python/expectedParts.ts';
import { childrenOf, elementsOf, unwrapPython, type PythonSource } from '../../syntax/python/parsePython.ts';
import { readPythonLiteral, sameLiteral, type PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { isRefusal, refuse } from '../assertion/literalChange.ts';
import type { LocatedExpectation } from './locateExpectation.ts';
import { patchBuilt } from './patchBuilt.ts';
import { patchApprox } from './patchApprox.ts';
import { joinEdits, patchLiteral, type Edits, type PatchRequest } from './patchLiteral.ts';

export function patchExpected({ node, actual, expected }: LocatedExpectation, source: PythonSource): Edits {
  return patchNode({ node, actual, expected, path: '' }, source);
}

export function patchNode(request: PatchRequest, source: PythonSource): Edits {
  const { node, actual, expected, path } = request;
  const was = readPythonLiteral(source.text, node.from, node.to);
  if (was !== undefined) {
    if (expected === undefined || !sameLiteral(was, expected))
      return refuse('The value that met in the assertion is not the one that is written in the test.');
    const edits = patchLiteral(was, actual, source.text);
    return isRefusal(edits) ? edits : edits.map((edit) => ({ ...edit, path: path + edit.path }));
  }
  const inner = unwrapPython(node);
  const built = patchBuilt(inner, expected, actual, source, path);
  if (built !== undefined) return built;
  const number = approxArgument(inner, source);
  if (number !== undefined) return patchApprox(number, { ...request, node: inner }, source);
  if (inner.name === 'DictionaryExpression') return patchEntries(inner, request, source);
  const parts = inner.name === 'SetExpression' ? undefined : elementsOf(inner);
  if (parts === undefined) return unchanged(request, source);
  const kind = inner.name === 'TupleExpression' ? 'tuple' : 'list';
  if (
    actual.kind !== kind ||
    expected?.kind !== kind ||
    actual.items.length !== parts.length ||
    expected.items.length !== parts.length
  )
    return refuse('The value has another make-up than the one in the test, which holds more than literals.');
  return joinEdits(
    parts.map((part, index) =>
      patchItem(
        {
          node: part,
          actual: actual.items[index],
          expected: expected.items[index],
          path: `${path}[${index}]`,
        },
        source,
      ),
    ),
  );
}

interface Item extends Omit<PatchRequest, 'actual'> {
  readonly actual: PythonLiteral | undefined;
}

function patchItem({ actual, ...rest }: Item, source: PythonSource): Edits {
  return actual === undefined
    ? refuse('A part of the value is gone.')
    : patchNode({ ...rest, actual }, source);
}

/** A part that is computed stays, as long as it has the value that it is to have. */
function unchanged({ node, actual, expected }: PatchRequest, source: PythonSource): Edits {
  if (expected !== undefined && sameLiteral(actual, expected)) return [];
  return refuse(`What is expected is computed by \`${source.textOf(node).slice(0, 60)}\`, and no literal.`);
}

function patchEntries(
  dictionary: SyntaxNode,
  { actual, expected, path }: PatchRequest,
  source: PythonSource,
): Edits {
  const parts = childrenOf(dictionary);
  const values = parts.filter((_part, index) => parts[index - 1]?.name === ':');
  const keys = parts.filter((_part, index) => parts[index + 1]?.name === ':');
  if (
    actual.kind !== 'dict' ||
    expected?.kind !== 'dict' ||
    parts.some(({ name }) => name === '**' || name === 'for')
  )
    return refuse('The value has another make-up than the one in the test, which holds more than literals.');
  if (actual.entries.length !== keys.length || expected.entries.length !== keys.length)
    return refuse('Keys came or went in a value that holds more than literals.');
  return joinEdits(
    keys.map((node, index) => {
      const key = readPythonLiteral(source.text, node.from, node.to);
      const value = values[index];
      if (key === undefined || value === undefined) return refuse('A key of the value is computed.');
      const of = (dict: typeof actual): PythonLiteral | undefined =>
        dict.entries.find(([other]) => sameLiteral(other, key))?.[1];
      return patchItem(
        { node: value, actual: of(actual), expected: of(expected), path: `${path}.${source.textOf(node)}` },
        source,
      );
    }),
  );
}
