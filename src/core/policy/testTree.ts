// The tests, suites and hooks of one file with their options and tables, and to which of them each node belongs.
import ts from 'typescript';
import { testApiOf } from '../frameworks/testApiOf.ts';
import { chainOf, type Bindings, type Link } from './bindings.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { lineOf, shapeOf } from './parseSource.ts';
import { hookNames, parameterLinks, suiteNames, testNames } from './testApi.ts';

export interface TestDefinition {
  /** Titles from the outermost suite, with a number where titles repeat; the same in before and after. */
  readonly key: string;
  readonly kind: 'suite' | 'test' | 'hook';
  /** As a person reads it. */
  readonly title: string;
  readonly node: ts.CallExpression;
  /** The function with the body; absent when there is none or it is named only. */
  readonly callback?: ts.ArrowFunction | ts.FunctionExpression;
  /** Arguments after the title that are not the callback. */
  readonly options: readonly ts.Expression[];
  /** The rows of `each` and `for`. */
  readonly tables: readonly ts.Expression[];
  readonly line: number;
}

export interface TestTree {
  readonly definitions: readonly TestDefinition[];
  /** Key of the test or hook a node is part of; else `function name`, else the suite, else ''. */
  ownerOf(node: ts.Node): string;
  /** The definition that is made by this call, if it makes one. */
  definitionAt(call: ts.Node): TestDefinition | undefined;
  /** Is this function the body of a test, suite or hook? */
  isBody(node: ts.Node): boolean;
}

export function testTreeOf(source: ts.SourceFile, bindings: Bindings): TestTree {
  const byNode = new Map<ts.Node, TestDefinition>();
  const bodies = new Set<ts.Node>();
  const seen = new Map<string, number>();
  const suiteOf = (node: ts.Node): string => {
    for (let up = node.parent; up !== undefined; up = up.parent) {
      const found = byNode.get(up);
      if (found !== undefined) return found.key + ' › ';
    }
    return '';
  };
  visitNodes(source, (node) => {
    if (!ts.isCallExpression(node) || !isOutermost(node)) return;
    const parts = definitionParts(node, bindings);
    if (parts === undefined) return;
    const path = suiteOf(node) + parts.key;
    const count = (seen.get(path) ?? 0) + 1;
    seen.set(path, count);
    const { key: _key, ...rest } = parts;
    const definition = { ...rest, key: count === 1 ? path : `${path}[${count}]`, node, line: lineOf(node) };
    byNode.set(node, definition);
    if (definition.callback !== undefined) bodies.add(definition.callback);
  });
  return {
    definitions: [...byNode.values()],
    definitionAt: (call) => byNode.get(call),
    isBody: (node) => bodies.has(node),
    ownerOf: (node) => {
      let name = '';
      for (let up: ts.Node | undefined = node; up !== undefined; up = up.parent) {
        const found = byNode.get(up);
        if (found !== undefined) return found.kind === 'suite' && name !== '' ? name : found.key;
        if (name === '' && !bodies.has(up)) name = functionName(up);
      }
      return name;
    },
  };
}

/** False when the call is only the inner part of a longer chain. */
export function isOutermost(node: ts.Node): boolean {
  let inner = node;
  while (unwrap(inner.parent) !== inner.parent && ts.isExpression(inner.parent)) inner = inner.parent;
  const { parent } = inner;
  return !(
    ((ts.isPropertyAccessExpression(parent) ||
      ts.isElementAccessExpression(parent) ||
      ts.isCallExpression(parent)) &&
      parent.expression === inner) ||
    (ts.isTaggedTemplateExpression(parent) && parent.tag === inner)
  );
}

type Parts = Omit<TestDefinition, 'node' | 'line'>;

function definitionParts(node: ts.CallExpression, bindings: Bindings): Parts | undefined {
  return partsByName(node, bindings) ?? partsAsFound(node);
}

/** What discovery takes for a test or a suite, though its name does not tell: `describeIf(condition)('title', …)`. */
function partsAsFound(node: ts.CallExpression): Parts | undefined {
  const api = testApiOf(node.getSourceFile()).declaredBy(node);
  const [title] = node.arguments;
  if (api === undefined || title === undefined) return undefined;
  return { ...titled(title, node.arguments), kind: api.role, tables: [] };
}

function partsByName(node: ts.CallExpression, bindings: Bindings): Parts | undefined {
  const chain = chainOf(node, bindings);
  if (chain === undefined) return undefined;
  const { root } = chain;
  const last = chain.links.at(-1);
  if (last?.kind !== 'call') return undefined;
  const names = chain.links.flatMap((link) => (link.kind === 'name' ? [link.name] : []));
  const hook = [root, ...names].find((name) => hookNames.has(name));
  const callback = last.args.map(unwrap).find(isFunction);
  // The context of ava and node:test, whatever it is called; a regular expression is given no function.
  const isSubtest = names[0] === 'test' && names.length === 1 && (root === 't' || callback !== undefined);
  if (!testNames.has(root) && !hookNames.has(root) && !isSubtest) return undefined;
  if (hook !== undefined) {
    const shared = { kind: 'hook' as const, title: hook, options: last.args.slice(1), tables: [] };
    return { key: `hook ${hook}`, ...shared, ...(callback && { callback }) };
  }
  const title = last.args[0];
  if (title === undefined || isParameterCall(chain.links)) return undefined;
  const kind = suiteNames.has(root) || names.some((name) => suiteNames.has(name)) ? 'suite' : 'test';
  return { ...titled(title, last.args), kind, tables: tablesOf(chain.links) };
}

function titled(title: ts.Expression, args: readonly ts.Expression[]): Omit<Parts, 'kind' | 'tables'> {
  const literal = unwrap(title);
  const callback = args.map(unwrap).find(isFunction);
  return {
    key: ts.isStringLiteralLike(literal) ? literal.text : shapeOf(title, { anyName: true }),
    title: ts.isStringLiteralLike(literal) ? literal.text : title.getText(),
    options: args.slice(1).filter((arg) => unwrap(arg) !== callback),
    ...(callback && { callback }),
  };
}

function isParameterCall(links: readonly Link[]): boolean {
  const calls = links.filter((link) => link.kind === 'call').length;
  const before = links.at(-2);
  return calls === 1 && before?.kind === 'name' && parameterLinks.has(before.name);
}

function tablesOf(links: readonly Link[]): ts.Expression[] {
  return links.flatMap((link, index) => {
    const before = links[index - 1];
    const isTable = link.kind === 'call' && before?.kind === 'name' && /^(?:each|for)$/.test(before.name);
    return isTable && link.args[0] !== undefined ? [link.args[0]] : [];
  });
}

export function isFunction(node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression {
  return ts.isArrowFunction(node) || ts.isFunctionExpression(node);
}

function functionName(node: ts.Node): string {
  if (ts.isFunctionDeclaration(node)) return `function ${node.name?.text ?? 'default'}`;
  if (ts.isMethodDeclaration(node)) return `function ${node.name.getText()}`;
  if (isFunction(node)) {
    const { parent } = node;
    if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent))
      return `function ${parent.name.getText()}`;
    if (ts.isExportAssignment(parent)) return 'function default';
  }
  return '';
}
