// What may not happen to an assertion of a Python test: lost, guarded, weaker, turned around, true by itself, asked of something else.
import type { SyntaxNode } from '@lezer/common';
import { childrenOf, unwrapPython, visitPython } from '../../syntax/python/parsePython.ts';
import { readPythonLiteral } from '../../syntax/python/pythonLiteral.ts';
import type { Finding } from '../fileFacts.ts';
import { shapeOf, type AssertionFacts, type FunctionFacts, type PythonFacts } from './fileFacts.ts';
import { raisesRules } from './raisesRules.ts';
import { extra } from './structureRules.ts';

export function* assertionRules(was: PythonFacts, is: PythonFacts): Generator<Finding> {
  const now = new Map(is.functions.map((one) => [one.name, one]));
  for (const old of was.functions) {
    const found = now.get(old.name);
    if (found === undefined) continue;
    yield* raisesRules({ facts: was, owner: old }, { facts: is, owner: found });
    if (old.assertions.length > found.assertions.length)
      yield {
        rule: 'fewer-assertions',
        line: found.line,
        text: `${found.name} asserts less often than before.`,
      };
    for (const [before, after] of pairsOf(old, found)) yield* compare(before, after, was, is);
    yield* reboundNames(old, found, was, is);
  }
}

/** The same text first, what is left in its order. */
function pairsOf(
  was: FunctionFacts,
  is: FunctionFacts,
): readonly (readonly [AssertionFacts, AssertionFacts])[] {
  const gone = extra(was.assertions, is.assertions);
  const added = extra(is.assertions, was.assertions);
  const changed = gone.flatMap((one, index) => {
    const other = added[index];
    return other === undefined ? [] : [[one, other] as const];
  });
  const left = is.assertions.filter((one) => !added.includes(one));
  const kept = was.assertions
    .filter((one) => !gone.includes(one))
    .flatMap((one) => {
      const index = left.findIndex(({ text }) => text === one.text);
      const [other] = index < 0 ? [] : left.splice(index, 1);
      return other === undefined ? [] : [[one, other] as const];
    });
  return [...kept, ...changed];
}

function* compare(
  was: AssertionFacts,
  is: AssertionFacts,
  before: PythonFacts,
  after: PythonFacts,
): Generator<Finding> {
  const { line } = is;
  const guards = extra(textual(is.guards), textual(was.guards));
  if (guards.length > 0)
    yield {
      rule: 'guarded-assertion',
      line,
      text: `The assertion now runs only under a condition (${guards[0]?.text ?? ''}).`,
    };
  if (was.text === is.text) return;
  const old = partsOf(was.tested, before);
  const now = partsOf(is.tested, after);
  if (isVacuous(is.tested, now, after) && !isVacuous(was.tested, old, before))
    yield { rule: 'vacuous-assertion', line, text: 'This assertion can almost never fail.' };
  else if (old.operator !== now.operator)
    yield opposites.has(`${old.operator}/${now.operator}`)
      ? {
          rule: 'inverted',
          line,
          text: `The assertion was inverted (${old.operator} → ${now.operator}).`,
        }
      : {
          rule: 'weaker-assertion',
          line,
          text: `The assertion uses another operator (${old.operator} → ${now.operator}).`,
        };
  else yield* compareSides(old, now, line, before, after);
}

interface Parts {
  /** `==`, `not in`, `or`, `call`, `value`, … */
  readonly operator: string;
  readonly left: SyntaxNode;
  readonly right: SyntaxNode | undefined;
}

function partsOf(tested: SyntaxNode, { source }: PythonFacts): Parts {
  const node = unwrapPython(tested);
  const parts = childrenOf(node);
  const [first, ...rest] = parts;
  if (node.name === 'BinaryExpression' && first !== undefined) {
    const operator = rest
      .slice(0, -1)
      .map((one) => source.textOf(one))
      .join(' ');
    return { operator, left: first, right: rest.at(-1) };
  }
  if (node.name === 'UnaryExpression')
    return { operator: `${source.textOf(first ?? node)} …`, left: node, right: undefined };
  return { operator: node.name.replace('Expression', '').toLowerCase(), left: node, right: undefined };
}

const opposites: ReadonlySet<string> = new Set(
  [
    '==/!=',
    'in/not in',
    'is/is not',
    '</>=',
    '>/<=',
    '</>',
    '<=/>=',
    'call/not …',
    'member/not …',
    'variablename/not …',
  ].flatMap((pair) => [pair, pair.split('/').reverse().join('/')]),
);

function isVacuous(tested: SyntaxNode, { operator, left, right }: Parts, { source }: PythonFacts): boolean {
  const node = unwrapPython(tested);
  if (node.name === 'TupleExpression') return true;
  const same =
    right !== undefined && shapeOf(unwrapPython(left), source) === shapeOf(unwrapPython(right), source);
  if (same && /^(?:==|is|<=|>=|in)$/.test(operator)) return true;
  if (operator === 'or') return [left, right].some((side) => side !== undefined && isConstant(side));
  return isConstant(node) || /\bor True\b/.test(shapeOf(node, source));
}

function isConstant(node: SyntaxNode): boolean {
  let constant = true;
  visitPython(node, ({ name }) => {
    if (/^(?:VariableName|CallExpression|FormatReplacement|LambdaExpression)$/.test(name)) constant = false;
  });
  return constant;
}

function* compareSides(
  old: Parts,
  now: Parts,
  line: number,
  before: PythonFacts,
  after: PythonFacts,
): Generator<Finding> {
  const isWritten = (node: SyntaxNode | undefined, { source }: PythonFacts): boolean =>
    node !== undefined && readPythonLiteral(source.text, node.from, node.to) !== undefined;
  const shapes = (parts: Parts, facts: PythonFacts): readonly string[] =>
    [parts.left, parts.right].map((one) => (one === undefined ? '' : shapeOf(one, facts.source)));
  const [was, is] = [shapes(old, before), shapes(now, after)];
  for (const side of ['left', 'right'] as const) {
    const index = side === 'left' ? 0 : 1;
    if (was[index] === is[index]) continue;
    if (isWritten(old[side], before)) {
      if (!isWritten(now[side], after))
        yield {
          rule: 'computed-expectation',
          line,
          text: 'The expected value is now computed instead of stated as a literal.',
        };
      else if (/^[<>]=?$|^not in$|^!=$|^is not$/.test(now.operator))
        yield { rule: 'widened', line, text: `An operand of ${now.operator} was changed.` };
    } else if (/approx/.test(is[index] ?? '') && /approx/.test(was[index] ?? ''))
      yield { rule: 'widened', line, text: 'The tolerance of the comparison was changed.' };
    else yield { rule: 'changed-input', line, text: 'The assertion checks another value than before.' };
  }
}

/** Names that an assertion looks at are given something else, or once more. */
function* reboundNames(
  was: FunctionFacts,
  is: FunctionFacts,
  before: PythonFacts,
  after: PythonFacts,
): Generator<Finding> {
  const used = new Set<string>();
  for (const { node } of is.assertions)
    visitPython(node, (inner) => {
      if (inner.name === 'VariableName') used.add(after.source.textOf(inner));
    });
  for (const [name, values] of is.assigned) {
    if (!used.has(name)) continue;
    const old = (was.assigned.get(name) ?? []).map((one) => shapeOf(one, before.source));
    const now = values.map((one) => shapeOf(one, after.source));
    const line = after.source.lineOf(values.at(-1)?.from ?? 0);
    if (now.length > old.length)
      yield {
        rule: 'rebound-value',
        line,
        text: `${name}, which the test asserts on, is assigned another value.`,
      };
    else if (JSON.stringify(now) !== JSON.stringify(old))
      yield {
        rule: 'changed-input',
        line,
        text: `${name}, which the test asserts on, comes from another source.`,
      };
  }
}

const textual = (guards: readonly string[]): readonly { readonly text: string }[] =>
  guards.map((text) => ({ text }));
