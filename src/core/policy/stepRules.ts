// What a test does besides asserting: its steps go on running, their errors go on failing the test, and they stay before the assertions.
import ts from 'typescript';
import type { AssertionFact } from './assertionFacts.ts';
import { oncePerFile, type FileFacts, type Finding } from './fileFacts.ts';
import { guardsInside, type Guard } from './flow.ts';
import { unwrap } from '../syntax/javascript/sourceTree.ts';
import { lineOf } from './parseSource.ts';
import { underFormerNames } from './renamedCallee.ts';

export function* stepRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const [was, is] = [stepsByOwner(before), stepsByOwner(after)];
  const formerly = underFormerNames(before, after);
  for (const [owner, old] of was) {
    const now = is.get(owner)?.map((step): Step => ({ ...step, guards: step.guards.map(formerly) }));
    if (now !== undefined) yield* guardedSteps(old, now);
  }
}

interface Step {
  /** What is called, without layout: `cart.add`. */
  readonly callee: string;
  readonly guards: readonly Guard[];
  readonly node: ts.Node;
}

/** The first call of each chain that stands outside of assertions, by test, hook or function. */
const stepsByOwner = oncePerFile((facts): ReadonlyMap<string, readonly Step[]> => {
  const steps = new Map<string, Step[]>();
  const asserting = new Set(facts.assertions.map(({ node }) => node));
  const visit = (node: ts.Node): void => {
    if (asserting.has(node)) return;
    if (isFirstCall(node)) {
      const owner = facts.tree.ownerOf(node);
      const step: Step = { callee: calleeOf(node), guards: guardsOfStep(node, facts), node };
      const known = steps.get(owner);
      if (known === undefined) steps.set(owner, [step]);
      else known.push(step);
    }
    ts.forEachChild(node, visit);
  };
  visit(facts.source);
  return steps;
});

/** What says that a test or a promise is done is looked at with the test. */
const signals = /^(?:resolve|reject|done|cb|callback|end|next)$/;

function isFirstCall(node: ts.Node): node is ts.CallExpression | ts.NewExpression {
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return false;
  let start = unwrap(node.expression);
  while (ts.isPropertyAccessExpression(start) || ts.isElementAccessExpression(start))
    start = unwrap(start.expression);
  if (ts.isIdentifier(start) && start === unwrap(node.expression) && signals.test(start.text)) return false;
  return !ts.isCallExpression(start) && !ts.isNewExpression(start);
}

const calleeOf = ({ expression }: ts.CallExpression | ts.NewExpression): string =>
  unwrap(expression).getText().replace(/\s+/g, '').replaceAll('?.', '.');

/** Being given to another call, running in a loop over written rows, or in React's `act`, takes nothing away. */
function guardsOfStep(node: ts.CallExpression | ts.NewExpression, { tree }: FileFacts): readonly Guard[] {
  const guards = guardsInside(node, tree).filter(
    ({ key }) =>
      key !== 'loop:rows' &&
      !key.startsWith('callback:act:') &&
      (!key.startsWith('argument:') || /^argument:(?:allSettled|race|any)$/.test(key)),
  );
  return node.getText().includes('?.') && isOptional(node)
    ? [...guards, { rule: 'conditional-assertion', key: '?.' }]
    : guards;
}

function isOptional(node: ts.CallExpression | ts.NewExpression): boolean {
  if (ts.isCallExpression(node) && node.questionDotToken !== undefined) return true;
  for (let at = unwrap(node.expression); ; at = unwrap(at.expression)) {
    if (!ts.isPropertyAccessExpression(at) && !ts.isElementAccessExpression(at)) return false;
    if (at.questionDotToken !== undefined) return true;
  }
}

/** A guard that more steps have than before, while one of the steps runs less often without it. */
function* guardedSteps(old: readonly Step[], now: readonly Step[]): Generator<Finding> {
  const [had, has] = [countGuards(old), countGuards(now)];
  const called = new Set(now.flatMap(({ callee, guards }) => (guards.length === 0 ? [callee] : [])));
  for (const [key, { guard, steps }] of has) {
    if (steps.length <= (had.get(key)?.steps.length ?? 0)) continue;
    const free = freeOf(key, now);
    const lost = [...freeOf(key, old)].filter(([callee, count]) => (free.get(callee) ?? 0) < count);
    const isMoved = guard.rule === 'moved-assertion';
    // A function of the test that is called takes the step with it.
    const step = steps.find(({ callee, node }) =>
      isMoved
        ? lost.some(([other]) => other === callee) && !called.has(nameAround(node))
        : lost.length > 0 && !(key === '?.' && lost.every(([other]) => other !== callee)),
    );
    if (step !== undefined)
      yield { rule: ruleOf(guard), line: lineOf(step.node), text: textOf(guard, step.callee) };
  }
}

interface Guarded {
  readonly guard: Guard;
  readonly steps: Step[];
}

function countGuards(steps: readonly Step[]): ReadonlyMap<string, Guarded> {
  const counts = new Map<string, Guarded>();
  for (const step of steps)
    for (const guard of new Map(step.guards.map((each) => [each.key, each])).values()) {
      const known = counts.get(guard.key);
      if (known === undefined) counts.set(guard.key, { guard, steps: [step] });
      else known.steps.push(step);
    }
  return counts;
}

function freeOf(key: string, steps: readonly Step[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { callee, guards } of steps)
    if (!guards.some((guard) => guard.key === key)) counts.set(callee, (counts.get(callee) ?? 0) + 1);
  return counts;
}

/** The name of the function that the node is in. */
function nameAround(node: ts.Node): string {
  let up = node.parent;
  while (up !== undefined && !ts.isFunctionLike(up)) up = up.parent;
  const named = up !== undefined && ts.isVariableDeclaration(up.parent) ? up.parent : up;
  const name = named !== undefined && 'name' in named ? (named as ts.NamedDeclaration).name : undefined;
  return name?.getText() ?? '';
}

const ruleOf = ({ rule }: Guard): string => (rule === 'swallowed-error' ? rule : 'skipped-step');

function textOf({ rule }: Guard, callee: string): string {
  if (rule === 'swallowed-error') return `An error of ${callee} no longer fails the test.`;
  if (rule === 'moved-assertion') return `${callee} moved into a function that may never run.`;
  return `${callee} runs only sometimes now, or never.`;
}

/** Statements that do something and assert nothing: where they stand, ascending, by test, hook or function. */
export const actionsOf = oncePerFile(
  ({ source, tree, assertions }): ReadonlyMap<string, readonly number[]> => {
    const asserting = new Set(assertions.map(({ node }) => node));
    const actions = new Map<string, number[]>();
    /** Is there an assertion in it? */
    const visit = (node: ts.Node): boolean => {
      let asserts = asserting.has(node);
      ts.forEachChild(node, (child) => {
        asserts = visit(child) || asserts;
      });
      const isStatement = ts.isExpressionStatement(node) || ts.isVariableStatement(node);
      if (isStatement && !asserts && callsAnything(node)) {
        const owner = tree.ownerOf(node);
        const known = actions.get(owner);
        if (known === undefined) actions.set(owner, [node.pos]);
        else known.push(node.pos);
      }
      return asserts;
    };
    visit(source);
    for (const places of actions.values()) places.sort((a, b) => a - b);
    return actions;
  },
);

/** Right there: what a function in it would call does not count. */
function callsAnything(node: ts.Node): boolean {
  if (ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isTaggedTemplateExpression(node))
    return true;
  if (ts.isFunctionLike(node)) return false;
  return ts.forEachChild(node, (child) => callsAnything(child) || undefined) ?? false;
}

/** Steps that stood before an assertion and stand behind it now: it may hold because nothing happened yet. */
export function* lateSteps(
  pairs: readonly (readonly [AssertionFact, AssertionFact])[],
  old: readonly number[] = [],
  now: readonly number[] = [],
): Generator<Finding> {
  for (const [left, right] of pairs) {
    const [had, has] = [countBefore(old, left.node.pos), countBefore(now, right.node.pos)];
    if (has >= had || now.length - has <= old.length - had) continue;
    const text = 'The assertion moved before a step of the test that it followed.';
    yield { rule: 'moved-assertion', line: right.line, text };
    return;
  }
}

/** How many of the ascending places are smaller. */
export function countBefore(places: readonly number[], limit: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
