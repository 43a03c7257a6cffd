// No longer time-outs, no new retries, no sleeps, no lowered count of expected assertions.
import ts from 'typescript';
import { isOfAva, rootOf } from './avaNames.ts';
import { chainOf } from './bindings.ts';
import { oncePerFile, type FileFacts, type Finding } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { guardsInside } from './flow.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, writtenName, writtenText } from './parseSource.ts';

export function* limitRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const was = byPlace(limitsOf(before));
  const is = byPlace(limitsOf(after));
  for (const [place, limits] of is) {
    const old = was.get(place) ?? [];
    for (const [index, limit] of limits.entries()) {
      const former = old[index] ?? standard[limit.kind];
      if (isLooser(limit, former)) yield { rule: limit.kind, line: limit.line, text: limit.text };
    }
  }
  for (const [place, limits] of was) {
    const lost = limits.length - (is.get(place)?.length ?? 0);
    const [first] = limits;
    if (lost > 0 && first?.kind === 'assertion-count')
      yield {
        rule: first.kind,
        line: first.line,
        text: 'The number of expected assertions is no longer checked.',
      };
  }
  yield* sleepRules(before, after);
}

type LimitKind = 'longer-timeout' | 'retry' | 'assertion-count';

interface Limit {
  readonly kind: LimitKind;
  readonly owner: string;
  readonly key: string;
  /** Infinity when it is not written as a number. */
  readonly value: number;
  readonly source: string;
  readonly line: number;
  readonly text: string;
}

/** What holds when nothing is said. */
const standard: Readonly<Record<LimitKind, Pick<Limit, 'value' | 'source'>>> = {
  'longer-timeout': { value: 5000, source: '' },
  retry: { value: 0, source: '' },
  'assertion-count': { value: 0, source: '' },
};

function isLooser(now: Limit, old: Pick<Limit, 'value' | 'source'>): boolean {
  if (now.source === old.source) return false;
  if (now.kind === 'assertion-count') return now.value < old.value;
  // A time limit of 0 means none.
  const unlimited = now.kind === 'longer-timeout' && now.value === 0;
  return unlimited || !(now.value <= old.value);
}

function byPlace(limits: readonly Limit[]): ReadonlyMap<string, Limit[]> {
  const places = new Map<string, Limit[]>();
  for (const limit of limits) {
    const place = JSON.stringify([limit.kind, limit.owner, limit.key]);
    places.set(place, [...(places.get(place) ?? []), limit]);
  }
  return places;
}

const limitsOf = oncePerFile((facts): readonly Limit[] => {
  const limits: Limit[] = [];
  const add = (
    kind: LimitKind,
    key: string,
    node: ts.Node,
    value: ts.Node | undefined,
    text: string,
  ): void => {
    const literal = value === undefined ? undefined : unwrap(value);
    const isGuarded = kind === 'assertion-count' && guardsInside(node, facts.tree).length > 0;
    // What may never run counts nothing.
    const isNumber = literal !== undefined && ts.isNumericLiteral(literal);
    const amount = isNumber
      ? Number(literal.text)
      : value === undefined && kind === 'assertion-count'
        ? 1
        : Infinity;
    const place = { owner: facts.tree.ownerOf(node), line: lineOf(node) };
    limits.push({
      kind,
      key: isGuarded ? `${key} sometimes` : key,
      ...place,
      value: amount,
      source: literal?.getText() ?? '()',
      text,
    });
  };
  // AVA hands them to its macros.
  const definitions = facts.tree.definitions.filter(({ node }) => {
    const root = rootOf(node.expression);
    return root === undefined || !isOfAva(root, facts.bindings);
  });
  for (const { node, options, kind } of definitions)
    for (const option of kind === 'hook'
      ? options.filter((each) => !ts.isFunctionLike(unwrap(each)))
      : options)
      if (!ts.isObjectLiteralExpression(unwrap(option)) && !ts.isStringLiteralLike(unwrap(option)))
        add(
          'longer-timeout',
          'argument',
          node,
          option,
          'The time limit of the test was raised or cannot be determined.',
        );
  const isExpected = expectedValues(facts);
  visitNodes(facts.source, (node) => {
    if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node)) {
      if (isExpected(node)) return;
      const name = writtenName(node.name);
      const given = ts.isPropertyAssignment(node) ? node.initializer : node.name;
      if (/^(?:timeout|testTimeout|hookTimeout|teardownTimeout)$/.test(name))
        add(
          'longer-timeout',
          name,
          node,
          given,
          `The time limit ${name} was raised or cannot be determined.`,
        );
      else if (/^(?:retry|retries|repeats)$/.test(name))
        add('retry', name, node, given, `${name} runs a failing test again.`);
      return;
    }
    if (!ts.isCallExpression(node)) return;
    const callee = unwrap(node.expression);
    if (!ts.isPropertyAccessExpression(callee) && !ts.isElementAccessExpression(callee)) return;
    const name = ts.isPropertyAccessExpression(callee)
      ? callee.name.text
      : (writtenText(unwrap(callee.argumentExpression)) ?? '');
    const value = node.arguments[0];
    if (name === 'enableTimeouts')
      add('longer-timeout', name, node, value, `${name} may remove the time limit.`);
    else if (
      /^(?:setTimeout|timeout|setDefaultTimeout|slow)$/.test(name) &&
      !/^(?:globalThis|window|global)$/.test(callee.expression.getText())
    )
      add('longer-timeout', name, node, value, `${name} raises the time limit.`);
    else if (/^(?:retryTimes|retries|retry)$/.test(name))
      add('retry', name, node, value, `${name} runs a failing test again.`);
    else if (isAssertionCount(node, facts, name))
      add('assertion-count', name, node, value, 'Fewer assertions are expected than before.');
  });
  return limits;
});

const comparesWhole =
  /^(?:deep\.)?(?:toBe|toEqual|toStrictEqual|toMatchObject|toContainEqual|toHaveProperty|equals?|eqls?|strictEqual|deepEqual|deepStrictEqual|include|property|\w*[cC]alledWith\w*)$/;

/** Tells of nodes in a value that something is compared with: `toEqual({ timeout: 10 })` limits nothing. */
function expectedValues({ assertions }: FileFacts): (node: ts.Node) => boolean {
  const values = assertions.flatMap(({ family, matcher, args }) =>
    (family === 'expect' || family === 'assert') && comparesWhole.test(matcher) ? args : [],
  );
  return (node) => values.some(({ pos, end }) => pos <= node.pos && node.end <= end);
}

function isAssertionCount(node: ts.CallExpression, facts: FileFacts, name: string): boolean {
  if (!/^(?:assertions|hasAssertions|plan)$/.test(name)) return false;
  const root = chainOf(node, facts.bindings)?.root;
  return root === 'expect' || root === 't' || root === 'ctx' || root === 'context' || root === 'assert';
}

const sleepRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  visitNodes(facts.source, (node) => {
    if (!ts.isCallExpression(node)) return;
    const name = node.expression.getText();
    const [first] = node.arguments;
    // Of Cypress; with the name of a request it waits for that.
    const isPause =
      name === 'cy.wait' && !(first && (ts.isStringLiteralLike(first) || ts.isArrayLiteralExpression(first)));
    if (
      !isPause &&
      !/^(?:globalThis\.)?(?:setTimeout|sleep|delay|Atomics\.wait|timers\.setTimeout|\w*\.waitForTimeout)$/.test(
        name,
      )
    )
      return;
    const text = `${name} waits for a fixed time instead of the outcome.`;
    marks.push({ rule: 'sleep', owner: facts.tree.ownerOf(node), key: name, line: lineOf(node), text });
  });
  yield* marks;
});
