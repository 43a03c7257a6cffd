// What may not happen to tests themselves: gone, renamed, emptied, made conditional, fewer rows, fewer hooks.
import ts from 'typescript';
import type { FileFacts, Finding } from './fileFacts.ts';
import { guardsOf } from './flow.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { shapeOf } from './parseSource.ts';
import { isFunction, type TestDefinition } from './testTree.ts';

export function* structureRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  const now = new Map(after.tree.definitions.map((definition) => [definition.key, definition]));
  for (const old of before.tree.definitions) {
    const definition = now.get(old.key);
    if (definition === undefined) yield goneFinding(old);
    else yield* compareDefinition(old, definition, before, after);
  }
}

function goneFinding({ kind, title, line }: TestDefinition): Finding {
  if (kind === 'hook') return { rule: 'removed-hook', line, text: `The hook ${title} was removed.` };
  return { rule: 'removed-test', line, text: `The ${kind} "${title}" was removed or renamed.` };
}

function* compareDefinition(
  old: TestDefinition,
  now: TestDefinition,
  before: FileFacts,
  after: FileFacts,
): Generator<Finding> {
  const { line, title, kind } = now;
  const had = guardsOf(old.node, before.tree).map(({ key }) => key);
  for (const { key } of guardsOf(now.node, after.tree)) {
    const index = had.indexOf(key);
    if (index >= 0) had.splice(index, 1);
    else {
      yield {
        rule: 'conditional-test',
        line,
        text: `The ${kind} "${title}" is defined only under a condition or never.`,
      };
      break;
    }
  }
  if (kind === 'suite') return;
  const [was, is] = [sizeOf(old), sizeOf(now)];
  const isHook = kind === 'hook';
  if (now.callback?.asteriskToken !== undefined && old.callback?.asteriskToken === undefined)
    yield { rule: 'empty-test', line, text: `A generator's body never runs: ${title}` };
  if (callsBack(old) && !callsBack(now) && !waits(now))
    yield { rule: 'removed-await', line, text: `The ${kind} "${title}" no longer signals when it is done.` };
  else if (callsBack(old) && callsBack(now) && assertedFirst(now, after) < assertedFirst(old, before))
    yield {
      rule: 'moved-assertion',
      line,
      text: `The ${kind} "${title}" signals too early that it is done.`,
    };
  else if (lateAssertions(now, after) > lateAssertions(old, before))
    yield {
      rule: 'moved-assertion',
      line,
      text: `The promise that "${title}" waits for may settle too early.`,
    };
  if (passesErrors(old, was, now, is))
    yield { rule: 'swallowed-error', line, text: `An error no longer fails the ${kind} "${title}".` };
  if (was.statements > 0 && is.statements === 0)
    yield isHook
      ? { rule: 'removed-hook', line, text: `The hook ${title} no longer does anything.` }
      : { rule: 'empty-test', line, text: `The test "${title}" no longer does anything.` };
  else if (!isHook && is.calls < was.calls && !before.assertions.some(({ owner }) => owner === old.key))
    yield {
      rule: 'fewer-assertions',
      line,
      text: `The test "${title}" makes fewer calls than before, and calling is all that it checks.`,
    };
}

/** Does it wait for its own callback, as `(done) => …`? */
function callsBack({ callback }: TestDefinition): boolean {
  const [first] = callback?.parameters ?? [];
  return first !== undefined && /^(?:done|cb|callback|end|next)$/.test(first.name.getText());
}

/** How many assertions stand before the first place that says the test is done. */
function assertedFirst({ callback, key }: TestDefinition, { assertions }: FileFacts): number {
  const first = callback === undefined ? Infinity : firstMention(signalOf(callback), callback);
  return assertions.filter(({ owner, node }) => owner === key && node.pos < first).length;
}

/** How many assertions stand behind the first mention of what says, to the promise or test right around them, that it is done. */
function lateAssertions({ callback, key }: TestDefinition, { assertions }: FileFacts): number {
  return assertions.filter(({ owner, node }) => {
    if (owner !== key || callback === undefined) return false;
    for (let up: ts.Node = node; up !== callback.parent && up.parent !== undefined; up = up.parent) {
      const isExecutor =
        ts.isNewExpression(unwrap(up.parent)) && isFunction(up) && /^new Promise\b/.test(up.parent.getText());
      const isOwn = up === callback && isFunction(up) && /^(?:done|cb|callback|end|next)$/.test(signalOf(up));
      if (isFunction(up) && (isExecutor || isOwn)) return firstMention(signalOf(up), up) < node.pos;
    }
    return false;
  }).length;
}

const signalOf = ({ parameters }: ts.ArrowFunction | ts.FunctionExpression): string =>
  parameters[0]?.name.getText() ?? '';

function firstMention(name: string, { body }: ts.ArrowFunction | ts.FunctionExpression): number {
  let first = Infinity;
  visitNodes(body, (node) => {
    if (ts.isIdentifier(node) && node.text === name) first = Math.min(first, node.end);
  });
  return first;
}

function waits({ callback }: TestDefinition): boolean {
  if (callback === undefined) return false;
  const given = unwrap(callback.body);
  let found = ts.isNewExpression(given) && given.expression.getText() === 'Promise';
  visitNodes(callback.body, (node) => {
    found ||= ts.isAwaitExpression(node) || ts.isReturnStatement(node);
  });
  return found;
}

interface Size {
  readonly statements: number;
  readonly calls: number;
  /** Promises that are made here. */
  readonly promises: number;
  /** Places that hand an error on: `reject`, `done(error)`. */
  readonly errors: number;
}

/** `reject(e)` → `resolve(e)`, `done(e)` → `done()`. */
function passesErrors(old: TestDefinition, was: Size, now: TestDefinition, is: Size): boolean {
  const hasChannel = callsBack(now) || is.promises >= Math.max(was.promises, callsBack(old) ? 1 : 0);
  return is.errors < was.errors && hasChannel && (callsBack(now) || is.promises > 0);
}

function sizeOf({ callback }: TestDefinition): Size {
  if (callback === undefined) return { statements: 0, calls: 0, promises: 0, errors: 0 };
  let [calls, promises, errors] = [0, 0, 0];
  const done = signalOf(callback);
  const isDone = /^(?:done|cb|callback|end|next)$/.test(done);
  const rejects = new Set<string>();
  visitNodes(callback.body, (node) => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) calls++;
    if (ts.isIdentifier(node) && rejects.has(node.text) && !ts.isParameter(node.parent)) errors++;
    if (
      ts.isCallExpression(node) &&
      isDone &&
      node.expression.getText() === done &&
      node.arguments.length > 0
    )
      errors++;
    const executor =
      ts.isNewExpression(node) && node.expression.getText() === 'Promise' ? node.arguments?.[0] : undefined;
    if (executor === undefined) return;
    promises++;
    const reject = isFunction(executor) ? executor.parameters[1]?.name.getText() : undefined;
    if (reject !== undefined) rejects.add(reject);
  });
  const statements = ts.isBlock(callback.body)
    ? callback.body.statements.filter((statement) => !ts.isEmptyStatement(statement)).length
    : isNothing(callback.body)
      ? 0
      : 1;
  return { statements, calls, promises, errors };
}

function isNothing(body: ts.Expression): boolean {
  const inner = unwrap(body);
  return (
    ts.isLiteralExpression(inner) ||
    ts.isVoidExpression(inner) ||
    (ts.isIdentifier(inner) && inner.text === 'undefined') ||
    shapeOf(inner) === 'ObjectLiteralExpression()'
  );
}
