// The world that a test runs the code in: who sets the clock, the environment, a global or a package anew may be hiding what broke.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { chainOf, type Bindings } from './bindings.ts';
import type { FileFacts } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { lineOf } from './parseSource.ts';
import { isSourceModule, isTestLibrary } from './testApi.ts';
import type { TestDefinition } from './testTree.ts';

/** Only a person can tell whether the code is meant to meet that world. */
export const setUpRules = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const marks: Mark[] = [];
  const late = new Set(facts.tree.definitions.filter(isLateHook).map(({ key }) => key));
  visitNodes(facts.source, (node) => {
    const what = replacedBy(node, facts.bindings);
    if (what === undefined || late.has(facts.tree.ownerOf(node))) return;
    marks.push({
      rule: 'new-set-up',
      owner: '',
      key: what,
      line: lineOf(node),
      text: `The test now sets ${what}: a person must decide whether the code is meant to run with it.`,
    });
  });
  yield* marks;
});

/** What comes after a test gives back what it took. */
const isLateHook = ({ kind, node }: TestDefinition): boolean =>
  kind === 'hook' && /(?:^|\.)(?:after(?:Each|All)?|teardown)\b/.test(node.expression.getText());

function replacedBy(node: ts.Node, bindings: Bindings): string | undefined {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken;
    const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return isAssignment ? worldPlace(node.left, bindings) : undefined;
  }
  if (ts.isDeleteExpression(node)) return worldPlace(node.expression, bindings);
  return ts.isCallExpression(node) ? calledFor(node, bindings) : undefined;
}

const world = /^(?:process|globalThis|global|window|self|navigator|location|localStorage|console)$/;

/** `process.env.RATE`, `globalThis.fetch`, `window['innerWidth']`; of a name that the file declares itself, nothing. */
function worldPlace(place: ts.Expression, { declared, imports }: Bindings): string | undefined {
  const text = placeText(place);
  const [root = '', ...parts] = text.split('.');
  return parts.length > 0 && world.test(root) && !declared.has(root) && !imports.has(root) ? text : undefined;
}

/** Without layout; a computed key is `*`. */
function placeText(place: ts.Expression): string {
  const node = unwrap(place);
  if (ts.isPropertyAccessExpression(node)) return `${placeText(node.expression)}.${node.name.text}`;
  if (!ts.isElementAccessExpression(node)) return ts.isIdentifier(node) ? node.text : '';
  const key = unwrap(node.argumentExpression);
  return `${placeText(node.expression)}.${ts.isStringLiteralLike(key) ? key.text : '*'}`;
}

const clocks = /^(?:useFakeTimers|setSystemTime|install|enable|freeze|travel)$/;

function calledFor(call: ts.CallExpression, bindings: Bindings): string | undefined {
  const callee = unwrap(call.expression);
  if (!ts.isPropertyAccessExpression(callee)) return undefined;
  const [first, second] = call.arguments.map((argument) => textOf(argument));
  const root = chainOf(callee, bindings)?.root ?? '';
  const on = placeText(callee.expression);
  const method = callee.name.text;
  if (/^(?:Object|Reflect)$/.test(on) && /^(?:assign|set|define\w+)$/.test(method)) {
    const place = call.arguments[0];
    const isWorld = place !== undefined && world.test(placeText(place).split('.')[0] ?? '');
    return isWorld ? [placeText(place), second].filter(Boolean).join('.') : undefined;
  }
  if (/^(?:vi|vitest|jest)$/.test(root)) {
    if (method === 'stubEnv') return `process.env.${first ?? '*'}`;
    if (method === 'stubGlobal') return `globalThis.${first ?? '*'}`;
    if (/^(?:mock|doMock|unstable_mockModule)$/.test(method)) return packageOf(first);
  }
  const isClock =
    /^(?:vi|vitest|jest|sinon|FakeTimers|MockDate|timekeeper|tk)$/.test(root || on) || on.endsWith('.timers');
  return isClock && clocks.test(method) ? 'the clock' : undefined;
}

/** A mock of the project's own code is forbidden elsewhere. */
const packageOf = (module: string | undefined): string | undefined =>
  module === undefined || isSourceModule(module) || isTestLibrary(module)
    ? undefined
    : `the package ${module}`;

function textOf(node: ts.Expression): string | undefined {
  const inner = unwrap(node);
  return ts.isStringLiteralLike(inner) ? inner.text : undefined;
}
