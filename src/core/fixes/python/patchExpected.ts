// The edits of an expected side: of all of it where it is a literal, of the leaves that differ where it holds other things too.
import type { SyntaxNode } from '@lezer/common';
import { approxArgument, valueArguments } from '../../syntax/python/expectedParts.ts';
import {
  childrenOf,
  elementsOf,
  unwrapPython,
  type Argument,
  type PythonSource,
} from '../../syntax/python/parsePython.ts';
import {
  readPythonLiteral,
  sameLiteral,
  type PythonLiteral,
  type RecordedObject,
} from '../../syntax/python/pythonLiteral.ts';
import { valueCallee, valueNamesOf, writtenValue } from '../../syntax/python/valueNames.ts';
import { wrappedText, type WrappedText } from '../../syntax/python/wrappedText.ts';
import { isRefusal, refuse } from '../assertion/literalChange.ts';
import type { LocatedExpectation } from './locateExpectation.ts';
import { patchBuilt } from './patchBuilt.ts';
import { patchApprox } from './patchApprox.ts';
import { joinEdits, patchLiteral, within, type Edits, type PatchRequest } from './patchLiteral.ts';
import { inFormOf } from './valueForm.ts';
import { wrapText } from './wrapText.ts';
import { classIn } from './writeLiteral.ts';

export function patchExpected({ node, actual, expected }: LocatedExpectation, source: PythonSource): Edits {
  return patchNode({ node, actual, expected, path: '' }, source);
}

export function patchNode(request: PatchRequest, source: PythonSource): Edits {
  const { node, actual, expected, path } = request;
  const was = readPythonLiteral(source.text, node.from, node.to);
  if (was !== undefined) {
    if (expected === undefined || !sameLiteral(was, expected)) return refuse(isAnother);
    return patchWritten(was, actual, request, source);
  }
  const value = writtenValue(node, source);
  if (value !== undefined) {
    if (expected === undefined) return refuse(isAnother);
    const before = inFormOf(value, expected, expected);
    if (isRefusal(before) || !sameLiteral(value, before)) return refuse(isAnother);
    const now = inFormOf(value, expected, actual);
    return isRefusal(now) ? now : patchWritten(value, now, request, source);
  }
  const inner = unwrapPython(node);
  const wrapped = wrappedText(inner, source);
  if (wrapped !== undefined) return patchWrapped(wrapped, request, source);
  const built = patchBuilt(inner, expected, actual, source, path);
  if (built !== undefined) return built;
  const number = approxArgument(inner, source);
  if (number !== undefined) return patchApprox(number, { ...request, node: inner }, source);
  const given = valueArguments(inner, source);
  if (given !== undefined) return patchArguments(inner, given, request, source);
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
    return refuse(
      'The actual value has a different structure, and the expected value contains more than literals.',
    );
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

const isAnother = 'The value compared in the assertion differs from the literal in the test.';

function patchWritten(
  was: PythonLiteral,
  now: PythonLiteral,
  { path }: PatchRequest,
  source: PythonSource,
): Edits {
  const strange = classIn(now);
  if (strange !== undefined)
    return refuse(
      `The actual value cannot be written as a literal: it is an object of the class ${strange}.`,
    );
  const edits = patchLiteral(was, now, source.text, valueNamesOf(source));
  return isRefusal(edits) ? edits : edits.map((edit) => ({ ...edit, path: within(path, edit.path) }));
}

/** The text that is written, so that what is made of it is the new one. */
function patchWrapped({ literal, made }: WrappedText, request: PatchRequest, source: PythonSource): Edits {
  const { actual, expected } = request;
  const was = readPythonLiteral(source.text, literal.from, literal.to);
  if (was?.kind !== 'str' || expected?.kind !== 'str' || made(was.value) !== expected.value)
    return refuse(isAnother);
  if (actual.kind !== 'str')
    return refuse('The test expects a string, but the actual value is not a string.');
  const value = wrapText(was.value, actual.value, made);
  return value === undefined
    ? refuse('The new text cannot be written in the style of the old one.')
    : patchWritten(was, { ...was, value }, request, source);
}

/** Of a call that is given more than literals: those that differ. */
function patchArguments(
  call: SyntaxNode,
  given: readonly Argument[],
  { actual, expected, path }: PatchRequest,
  source: PythonSource,
): Edits {
  const callee = valueCallee(call, source) ?? '';
  if (actual.kind !== 'object' || expected?.kind !== 'object' || !expected.object.callees.includes(callee))
    return refuse(`It is not known what ${callee} does with its arguments.`);
  const [was, now] = [expected.object, actual.object];
  if (was.type !== now.type || was.args?.length !== now.args?.length)
    return refuse(`The actual value is of another class, ${now.type}.`);
  const edits: Edits[] = [];
  const written = given.map(({ name }, index) => name ?? was.params[index] ?? '');
  for (const [index, { value }] of given.entries()) {
    const of = ({ args }: RecordedObject): PythonLiteral | undefined =>
      args?.find(({ name }) => name === written[index])?.value;
    if (of(was) === undefined) return refuse(`It is not known what ${callee} does with its arguments.`);
    const place = within(path, written[index] ?? '');
    edits.push(patchItem({ node: value, actual: of(now), expected: of(was), path: place }, source));
  }
  const isOther = was.args?.some(({ name, value }, index) => {
    const other = now.args?.[index]?.value;
    return !written.includes(name) && (other === undefined || !sameLiteral(value, other));
  });
  return isOther === true
    ? refuse(`The arguments of ${callee} that changed are not those that the test writes.`)
    : joinEdits(edits);
}

interface Item extends Omit<PatchRequest, 'actual'> {
  readonly actual: PythonLiteral | undefined;
}

function patchItem({ actual, ...rest }: Item, source: PythonSource): Edits {
  return actual === undefined
    ? refuse('A part of the value is missing.')
    : patchNode({ ...rest, actual }, source);
}

/** A part that is computed stays, as long as it has the value that it is to have. */
function unchanged({ node, actual, expected }: PatchRequest, source: PythonSource): Edits {
  if (expected !== undefined && sameLiteral(actual, expected)) return [];
  // `ANY` is equal to everything.
  if (expected?.kind === 'object' && expected.object.type === 'unittest.mock._ANY') return [];
  return refuse(`The expected value is computed by \`${source.textOf(node).slice(0, 60)}\`, not a literal.`);
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
    return refuse(
      'The actual value has a different structure, and the expected value contains more than literals.',
    );
  if (actual.entries.length !== keys.length || expected.entries.length !== keys.length)
    return refuse('Keys were added to or removed from a value that contains more than literals.');
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
