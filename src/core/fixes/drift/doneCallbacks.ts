// Tests and hooks that say by a callback when they are done, and when a promise says the same.
import ts from 'typescript';
import type { TextChange } from '../../model/edit.ts';
import { startOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { isAsync, type Factory } from './moduleMocks.ts';
import { isUse } from './runnerUses.ts';

export interface DoneCallback {
  /** The call of `test`, `it` or a hook. */
  readonly call: ts.CallExpression;
  readonly callback: Factory;
  readonly name: string;
  /** It is only called, with nothing: the function that settles a promise can stand for it. */
  readonly isPlain: boolean;
  /** Why no promise certainly says the same; absent where one does. */
  readonly reason?: string;
}

const takers =
  /^(?:test|it|specify|beforeEach|afterEach|beforeAll|afterAll|before|after)(?:\.(?:only|concurrent))*$/;

/** Every test and hook whose callback calls its one parameter, or hands it on. */
export function doneCallbacks(source: ts.SourceFile): readonly DoneCallback[] {
  const found: DoneCallback[] = [];
  visitNodes(source, (call) => {
    if (!ts.isCallExpression(call) || !takers.test(call.expression.getText())) return;
    const callback = call.arguments.map((one) => unwrap(one)).find(isFunction);
    const parameter = callback?.parameters[0];
    if (callback === undefined || parameter === undefined || !ts.isIdentifier(parameter.name)) return;
    const uses = usesOf(parameter.name.text, callback);
    // Who reads a member of it was given a context by vitest.
    const isContext = uses.some(
      ({ parent }) => ts.isPropertyAccessExpression(parent) && parent.name.text !== 'fail',
    );
    if (uses.length === 0 || isContext) return;
    const reason = whyNot(callback, uses);
    const { text: name } = parameter.name;
    const isPlain = isPlainCall(uses);
    found.push({ call, callback, name, isPlain, ...(reason !== undefined && { reason }) });
  });
  return found;
}

const isFunction = (node: ts.Node): node is Factory =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node);

function usesOf(name: string, { body }: Factory): readonly ts.Identifier[] {
  const uses: ts.Identifier[] = [];
  visitNodes(body, (node) => {
    if (ts.isIdentifier(node) && node.text === name && isUse(node)) uses.push(node);
  });
  return uses;
}

function whyNot(callback: Factory, uses: readonly ts.Identifier[]): string | undefined {
  const [use, another] = uses;
  const [parameter, more] = callback.parameters;
  if (more !== undefined) return 'takes more than one parameter';
  if (parameter?.initializer !== undefined || parameter?.dotDotDotToken !== undefined || use === undefined)
    return 'takes its callback in an unusual way';
  if (another !== undefined) return `names ${use.text} in more than one place`;
  const { parent } = use;
  if (ts.isPropertyAccessExpression(parent)) return `asks ${use.text} for more than its call`;
  if (ts.isCallExpression(parent) && parent.expression === use && parent.arguments.length > 1)
    return `calls ${use.text} with more than an error`;
  if (isAsync(callback) || callback.asteriskToken !== undefined)
    return `waits for a promise as well as for ${use.text}`;
  if (isRepeated(use, callback)) return `names ${use.text} in a loop`;
  return usesThis(callback) ? 'uses this' : undefined;
}

/** `done()`, and nothing else. */
function isPlainCall([use, another]: readonly ts.Identifier[]): boolean {
  const call = another === undefined ? use?.parent : undefined;
  return (
    call !== undefined && ts.isCallExpression(call) && call.expression === use && call.arguments.length === 0
  );
}

function isRepeated(use: ts.Node, callback: Factory): boolean {
  for (let up = use.parent; up !== callback; up = up.parent)
    if (ts.isIterationStatement(up, false)) return true;
  return false;
}

function usesThis(callback: Factory): boolean {
  let found = false;
  visitNodes(callback.body, (node) => {
    found ||= node.kind === ts.SyntaxKind.ThisKeyword;
  });
  return found;
}

/**
 * `(done) => { … }` becomes `() => new Promise((done) => { … })`: what throws in it still fails the test. Where it is handed on, or is
 * told an error, the promise is rejected with what is no nothing, as the runner does it. Undefined where names are in the way.
 */
export function promiseChanges(
  tree: SourceTree,
  { callback, name, isPlain }: DoneCallback,
): readonly TextChange[] | undefined {
  const isTyped = /\.[cm]?tsx?$/.test(tree.file);
  const promise = `() => new Promise${isTyped ? '<void>' : ''}(`;
  const { body, end } = callback;
  const start = startOf(tree, callback);
  if (isPlain)
    return [
      { start, end: start, newText: promise },
      { start: end, end, newText: ')' },
    ];
  if (['resolve', 'reject'].some((one) => usesOf(one, callback).length > 0)) return undefined;
  const parameter = isTyped ? '(error?: unknown)' : '(error)';
  const answer = `const ${name} = ${parameter} => (error ? reject(error) : resolve());`;
  const at = startOf(tree, body);
  const head = { start, end: at, newText: `${promise}(resolve, reject) => ` };
  if (!ts.isBlock(body))
    return [
      { ...head, newText: `${head.newText}{ ${answer} ` },
      { start: end, end, newText: '; })' },
    ];
  const [first] = body.statements;
  const gap = first === undefined ? ' ' : /^\s*/.exec(tree.text.slice(at + 1))?.[0];
  return [
    head,
    { start: at + 1, end: at + 1, newText: `${gap ?? ' '}${answer}` },
    { start: end, end, newText: ')' },
  ];
}

/** What a test or hook that gives a promise does until it is done, when it says so as a callback would. */
export interface Promised {
  readonly outer: Factory;
  /** The name of what it calls when it is done. */
  readonly name: string;
  readonly body: ts.ConciseBody;
  /** The statement that makes the function with that name of those that settle the promise. */
  readonly answer?: ts.Statement;
}

/** `() => new Promise((done) => { … })`, and the other form that `promiseChanges` writes. */
export function promisedCallback(call: ts.CallExpression): Promised | undefined {
  if (!takers.test(call.expression.getText())) return undefined;
  const outer = call.arguments.map((one) => unwrap(one)).find(isFunction);
  if (outer === undefined || outer.parameters.length > 0 || isAsync(outer) || ts.isBlock(outer.body))
    return undefined;
  const made = unwrap(outer.body);
  if (!ts.isNewExpression(made) || made.expression.getText() !== 'Promise') return undefined;
  const [given, more] = made.arguments ?? [];
  const inner = given === undefined || more !== undefined ? undefined : unwrap(given);
  if (inner === undefined || !isFunction(inner)) return undefined;
  const { body, parameters } = inner;
  const first = parameters[0]?.name;
  if (first === undefined || !ts.isIdentifier(first)) return undefined;
  if (parameters.length === 1) {
    const uses = usesOf(first.text, inner);
    return whyNot(inner, uses) === undefined && isPlainCall(uses)
      ? { outer, name: first.text, body }
      : undefined;
  }
  const [answer] = ts.isBlock(body) ? body.statements : [];
  const written = answer?.getText().replace(/\s+/g, ' ');
  const name =
    /^const (?<name>[\w$]+) = \(error(?:\?: unknown)?\) => \(error \? reject\(error\) : resolve\(\)\);$/.exec(
      written ?? '',
    )?.groups?.['name'];
  const isUsual = parameters.map((one) => one.name.getText()).join() === 'resolve,reject';
  const settles = ['resolve', 'reject'].some((one) => usesOf(one, inner).length > 1);
  if (answer === undefined || name === undefined || !isUsual || settles || isAsync(inner)) return undefined;
  const uses = usesOf(name, inner).filter((use) => use.parent !== answer && !isDeclared(use));
  return uses.length === 1 && !usesThis(inner) ? { outer, name, body, answer } : undefined;
}

const isDeclared = (use: ts.Identifier): boolean =>
  ts.isVariableDeclaration(use.parent) && use.parent.name === use;
