// What an assertion looks at stays what the code made: it is not written over, nor is its helper or its table.
import ts from 'typescript';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import type { FileFacts, Finding } from './fileFacts.ts';
import { noNewMarks, type Mark } from './newMarks.ts';
import { lineOf } from './parseSource.ts';
import { isSourceModule } from './testApi.ts';

export function* replacedValueRules(before: FileFacts, after: FileFacts): Generator<Finding> {
  yield* overwrites(before, after);
  yield* shadowedHelpers(before, after);
  yield* ownMembers(before, after);
}

/** `cart.total = () => 12; expect(cart.total()).toBe(12)`, also in a class or an object that is made of the one under test. */
const ownMembers = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const asked = askedMembers(facts);
  if (asked.size === 0) return;
  const marks: Mark[] = [];
  visitNodes(facts.source, (node) => {
    for (const { holder, member } of givenMembers(node)) {
      if (!asked.has(`${holder}.${member}`)) continue;
      const text = `The test itself defines what ${member} does and then asserts on it.`;
      const owner = facts.tree.ownerOf(node);
      marks.push({ rule: 'replaced-value', owner, key: member, line: lineOf(node), text });
    }
  });
  yield* marks;
});

/** Members that assertions call, as `cart.total`, and as `Cart.total` where the name was given a `new Cart()`. */
function askedMembers({ assertions, bindings }: FileFacts): ReadonlySet<string> {
  const asked = new Set<string>();
  const add = (call: ts.CallExpression): void => {
    const callee = unwrap(call.expression);
    if (!ts.isPropertyAccessExpression(callee)) return;
    const holder = unwrap(callee.expression);
    if (ts.isNewExpression(holder)) asked.add(`${holder.expression.getText()}.${callee.name.text}`);
    if (!ts.isIdentifier(holder)) return;
    asked.add(`${holder.text}.${callee.name.text}`);
    for (const value of bindings.values.get(holder.text) ?? []) {
      const made = unwrap(value);
      if (ts.isNewExpression(made)) asked.add(`${made.expression.getText()}.${callee.name.text}`);
    }
  };
  const known = new Set<string>();
  const look = (expression: ts.Node): void => {
    visitNodes(expression, (node) => {
      if (ts.isCallExpression(node)) add(node);
      if (!ts.isIdentifier(node) || known.has(node.text)) return;
      known.add(node.text);
      // One step: `const sum = cart.total(); expect(sum)`.
      for (const value of bindings.values.get(node.text) ?? []) {
        const called = unwrap(value);
        if (ts.isCallExpression(called)) add(called);
      }
    });
  };
  for (const { subject } of assertions) if (subject !== undefined) look(subject);
  return asked;
}

interface GivenMember {
  readonly holder: string;
  readonly member: string;
}

/** Functions that a statement, a derived class or a copied object puts in the place of others. */
function* givenMembers(node: ts.Node): Generator<GivenMember> {
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken) {
    const place = unwrap(node.left);
    const isElement = ts.isElementAccessExpression(place);
    if (!isElement && !ts.isPropertyAccessExpression(place)) return;
    const key = isElement ? unwrap(place.argumentExpression) : place.name;
    const member = ts.isIdentifier(key) || ts.isStringLiteralLike(key) ? key.text : '';
    yield { holder: place.expression.getText(), member };
  } else if (ts.isCallExpression(node)) {
    if (!/^(?:Object\.(?:assign|define\w+)|Reflect\.(?:set|define\w+))$/.test(node.expression.getText()))
      return;
    const [target, ...given] = node.arguments;
    const holder = target?.getText() ?? '';
    for (const each of given)
      if (ts.isStringLiteralLike(each)) yield { holder, member: each.text };
      else if (ts.isObjectLiteralExpression(each)) yield* membersOf(holder, each.properties);
  } else if (ts.isClassLike(node)) {
    const isDerived =
      node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) === true;
    const { parent } = node;
    const holder = node.name?.text ?? (ts.isVariableDeclaration(parent) ? parent.name.getText() : '');
    if (isDerived) yield* membersOf(holder, node.members);
  } else if (ts.isVariableDeclaration(node) && node.initializer !== undefined) {
    const holder = node.name.getText();
    const value = unwrap(node.initializer);
    if (ts.isObjectLiteralExpression(value) && value.properties.some(ts.isSpreadAssignment))
      yield* membersOf(holder, value.properties);
    const isDerived =
      ts.isCallExpression(value) && /^Object\.(?:create|assign)$/.test(value.expression.getText());
    for (const each of isDerived ? value.arguments.slice(1) : [])
      if (ts.isObjectLiteralExpression(each)) yield* membersOf(holder, each.properties);
  }
}

function* membersOf(
  holder: string,
  elements: readonly (ts.ClassElement | ts.ObjectLiteralElementLike)[],
): Generator<GivenMember> {
  for (const { name } of elements)
    if (name !== undefined && (ts.isIdentifier(name) || ts.isStringLiteral(name)))
      yield { holder, member: name.text };
}

const overwrites = noNewMarks(function* (facts: FileFacts): Generator<Mark> {
  const looked = lookedAt(facts);
  const tables = tableNames(facts);
  const marks: Mark[] = [];
  visitNodes(facts.source, (node) => {
    const name = overwritten(node, facts);
    if (name === undefined) return;
    const owner = facts.tree.ownerOf(node);
    if (looked.get(owner)?.has(name) !== true && !tables.has(name)) return;
    const text = `${name} is overwritten before it is checked.`;
    marks.push({ rule: 'replaced-value', owner, key: name, line: lineOf(node), text });
  });
  yield* marks;
});

/** Names that assertions look at directly, by the test they are in. */
function lookedAt({ assertions }: FileFacts): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Map<string, Set<string>>();
  for (const { owner, subject, args } of assertions) {
    const mine = names.get(owner) ?? new Set<string>();
    names.set(owner, mine);
    for (const expression of subject === undefined ? args : [subject, ...args]) {
      const name = rootOf(expression);
      if (name !== undefined) mine.add(name);
    }
  }
  return names;
}

function tableNames({ source, tree }: FileFacts): ReadonlySet<string> {
  const tables: ts.Expression[] = tree.definitions.flatMap(({ tables: own }) => own);
  visitNodes(source, (node) => {
    if (ts.isForOfStatement(node)) tables.push(node.expression);
  });
  return new Set(tables.flatMap((table) => rootOf(table) ?? []));
}

/** `a` of `a`, `a.b` and `a[0].b`. */
function rootOf(expression: ts.Node): string | undefined {
  let node = unwrap(expression);
  while (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node))
    node = unwrap(node.expression);
  return ts.isIdentifier(node) ? node.text : undefined;
}

const shrinking = /^(?:push|pop|shift|unshift|splice|fill|copyWithin)$/;

/** The name whose value is replaced or changed from outside here, when it is not an object that the test builds. */
function overwritten(node: ts.Node, facts: FileFacts): string | undefined {
  const target = targetOf(node);
  const name = target === undefined ? undefined : rootOf(target);
  if (target === undefined || name === undefined) return undefined;
  const values = facts.bindings.values.get(name) ?? [];
  if (!ts.isIdentifier(unwrap(target)) || !ts.isBinaryExpression(node))
    return values.some((value) => ts.isNewExpression(unwrap(value))) ? undefined : name;
  // Giving a variable its first value replaces nothing.
  const declarations = facts.bindings.declared.get(name) ?? [];
  const hasValue = declarations.some(
    ({ parent }) => ts.isParameter(parent) || (ts.isVariableDeclaration(parent) && parent.initializer),
  );
  return hasValue ? name : undefined;
}

function targetOf(node: ts.Node): ts.Node | undefined {
  if (ts.isDeleteExpression(node)) return node.expression;
  if (ts.isBinaryExpression(node)) {
    const kind = node.operatorToken.kind;
    const assigns = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
    return assigns ? node.left : undefined;
  }
  if (!ts.isCallExpression(node)) return undefined;
  if (/^(?:Object\.(?:assign|define\w+)|Reflect\.(?:set|define\w+))$/.test(node.expression.getText()))
    return node.arguments[0];
  const callee = unwrap(node.expression);
  return ts.isPropertyAccessExpression(callee) && shrinking.test(callee.name.text)
    ? callee.expression
    : undefined;
}

/** `const check = () => {}` beside a helper of that name takes its place. */
function* shadowedHelpers(before: FileFacts, after: FileFacts): Generator<Finding> {
  const helpers = new Set(
    before.assertions.flatMap(({ family, matcher }) => (family === 'helper' ? [matcher] : [])),
  );
  for (const name of helpers) {
    const [was, is] = [before.bindings.declared.get(name) ?? [], after.bindings.declared.get(name) ?? []];
    const isImported = isSourceModule(before.bindings.imports.get(name)?.module ?? '');
    const last = is.at(-1);
    if (last !== undefined && is.length > was.length && (was.length > 0 || isImported))
      yield { rule: 'replaced-value', line: lineOf(last), text: `${name} is redefined.` };
  }
}
