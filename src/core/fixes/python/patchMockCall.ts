// The edits of what a Python test expects a mock to be called with: the arguments that differ in the call that is meant, and new ones behind.
import type { SyntaxNode } from '@lezer/common';
import type { PythonCall } from '../../model/value.ts';
import { callArguments, mockAssertion } from '../../syntax/python/mockCalls.ts';
import {
  elementsOf,
  unwrapPython,
  type Argument,
  type PythonSource,
} from '../../syntax/python/parsePython.ts';
import { readPythonLiteral, type PythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import {
  assertionAt,
  literalOf,
  writtenAs,
  type ExpectationQuestion,
  type ExpectedAt,
} from './locateExpectation.ts';
import { chooseMockCall } from './chooseMockCall.ts';
import { patchNode } from './patchExpected.ts';
import type { LiteralEdit } from './patchLiteral.ts';
import { plainAs } from './plainValue.ts';
import { classIn, writeLiteral } from './writeLiteral.ts';

interface MockPatch {
  readonly edits: readonly LiteralEdit[];
  /** Both values of each argument that changes; without an expected one it is new. */
  readonly values: readonly {
    readonly actual: PythonLiteral;
    readonly expected: PythonLiteral | undefined;
  }[];
  /** The whole assertion. */
  readonly asked: SyntaxNode;
  readonly isDirect: boolean;
}

export function patchMockCall(question: ExpectationQuestion): MockPatch | Refusal {
  const { source, captured } = question;
  const calls = captured.python.calls;
  if (calls?.right.length === 0)
    return refuse(`You must decide whether and how often a mock is called (${calls.method ?? ''}).`);
  const at = assertionAt(question);
  if (isRefusal(at)) return at;
  const [side] = at.here;
  if (
    calls === undefined ||
    side === undefined ||
    new Set(at.here.map((one) => one.comparison.from)).size > 1
  )
    return refuse('The assertion on the calls of a mock may not count, or shares its line with other code.');
  const asked = mockAssertion(side.comparison, source);
  const isLeft = asked === undefined && side.node.from < side.actual.from;
  const [actual, expected] = isLeft ? [calls.right, calls.left] : [calls.left, calls.right];
  const written = asked?.isList === false ? [asked.given] : listed(side.node, source);
  if (written === undefined || written.length !== expected.length)
    return refuse('The assertion does not contain all expected calls.');
  const chosen = chooseMockCall(asked?.method ?? '', expected, actual);
  if (isRefusal(chosen)) return chosen;
  const patch: Patching = { at, question, edits: [], values: [], isDirect: true };
  for (const [index, call] of chosen.entries()) {
    const [given, wanted] = [written[index], expected[index]];
    const refusal =
      given && wanted && patchCall(given, wanted, call, endOf(side, given, index, source), patch);
    if (refusal) return refusal;
  }
  const { edits, values, isDirect } = patch;
  return { edits, values, isDirect, asked: side.comparison };
}

/** The arguments of `call(…)`, and of each in a list. */
function listed(whole: SyntaxNode, source: PythonSource): readonly (readonly Argument[])[] | undefined {
  const node = unwrapPython(whole);
  const own = callArguments(node, source);
  if (own !== undefined) return [own];
  const all = elementsOf(node)?.map((one) => callArguments(unwrapPython(one), source));
  const known = all?.flatMap((one) => (one === undefined ? [] : [one]));
  return known?.length === all?.length ? known : undefined;
}

/** Where a further argument goes: behind the last one, else behind the opening bracket. */
function endOf(
  { node, comparison }: ExpectedAt['here'][number],
  given: readonly Argument[],
  index: number,
  source: PythonSource,
): number {
  const last = given.at(-1);
  if (last !== undefined) return last.value.to;
  const display = unwrapPython(node);
  const call =
    mockAssertion(comparison, source)?.isList === false
      ? comparison
      : display.name === 'CallExpression'
        ? display
        : (elementsOf(display)?.[index] ?? display);
  return (call.getChild('ArgList')?.from ?? call.to) + 1;
}

interface Patching {
  readonly at: ExpectedAt;
  readonly question: ExpectationQuestion;
  readonly edits: LiteralEdit[];
  readonly values: { actual: PythonLiteral; expected: PythonLiteral | undefined }[];
  isDirect: boolean;
}

function patchCall(
  given: readonly Argument[],
  wanted: PythonCall,
  made: PythonCall,
  end: number,
  patch: Patching,
): Refusal | undefined {
  const named = given.filter(({ name }) => name !== undefined);
  const placed = given.filter(({ name }) => name === undefined);
  if (placed.length !== wanted.args.length || named.length !== Object.keys(wanted.kwargs).length)
    return refuse('The expected arguments differ from those written in the test.');
  const lost = Object.keys(wanted.kwargs).find((name) => made.kwargs[name] === undefined);
  if (made.args.length < wanted.args.length || lost !== undefined)
    return refuse(
      `The mock is now called without ${lost === undefined ? `argument ${made.args.length + 1}` : `the argument ${lost}`}: you must decide whether it may be left out.`,
    );
  if (made.args.length > wanted.args.length && named.length > 0)
    return refuse('The mock is called with an additional positional argument before the keyword arguments.');
  for (const [index, argument] of [...placed, ...named].entries()) {
    const key = argument.name ?? String(index);
    const sides =
      argument.name === undefined
        ? [wanted.args[index], made.args[index]]
        : [wanted.kwargs[key], made.kwargs[key]];
    if (made.same.includes(key)) continue;
    const refusal = patchArgument(argument, sides, patch);
    if (refusal !== undefined) return refusal;
  }
  const further = [
    ...made.args.slice(wanted.args.length).map((side) => ['', side] as const),
    ...Object.entries(made.kwargs).filter(([name]) => wanted.kwargs[name] === undefined),
  ];
  return addArguments(further, given.length === 0, end, patch);
}

type Side = PythonCall['args'][number];

function patchArgument(
  { name, value }: Argument,
  [wanted, made]: readonly (Side | undefined)[],
  patch: Patching,
): Refusal | undefined {
  const { source, captured } = patch.question;
  const path = name ?? '';
  if (wanted === undefined || made === undefined || 'refused' in made)
    return refuse(
      `The arguments of the call cannot be written as literals: the value is ${made && 'refused' in made ? made.refused : 'unknown'}.`,
    );
  const expected = literalOf(wanted);
  const given = literalOf(made);
  const actual = given && plainAs(given, expected);
  const traced = writtenAs(value, 'equal', patch.at, captured, source);
  if (isRefusal(traced)) return traced;
  if (actual === undefined) return refuse('The arguments of the call cannot be written as literals.');
  const edits = patchNode({ node: traced.node, actual, expected, path }, source);
  if (isRefusal(edits)) return edits;
  patch.edits.push(...edits);
  patch.values.push({ actual, expected });
  patch.isDirect &&= traced.origin === 'assertion';
  return undefined;
}

function addArguments(
  further: readonly (readonly [name: string, side: Side])[],
  isFirst: boolean,
  end: number,
  patch: Patching,
): Refusal | undefined {
  const texts: string[] = [];
  for (const [name, side] of further) {
    const actual = literalOf(side);
    const strange = actual === undefined ? undefined : classIn(actual);
    if (actual === undefined || strange !== undefined)
      return refuse(
        `The mock is called with an additional argument that cannot be written as a literal: it is ${'refused' in side ? side.refused : `an object of the class ${strange ?? 'unknown'}`}.`,
      );
    texts.push(`${name === '' ? '' : `${name}=`}${writeLiteral(actual, styleOf(patch.question.source))}`);
    patch.values.push({ actual, expected: undefined });
  }
  if (texts.length === 0) return undefined;
  const path = further.map(([name]) => name).join(', ');
  patch.edits.push({ start: end, end, newText: (isFirst ? '' : ', ') + texts.join(', '), path });
  return undefined;
}

/** The quotes of the first text of the file. */
function styleOf({ text }: PythonSource): Parameters<typeof writeLiteral>[1] {
  const single = (text.match(/'/g)?.length ?? 0) > (text.match(/"/g)?.length ?? 0);
  const sample = single ? "''" : '""';
  const literal = readPythonLiteral(sample, 0, 2);
  return literal?.kind === 'str' ? literal.parts[0] : undefined;
}
