// Which mock a test looks at, when all tests of the file share it: what one test records or sets up there is still there in the next.
import ts from 'typescript';
import {
  bindingOf,
  isReassigned,
  type Binding,
  type PathStep,
} from '../../syntax/javascript/declarations.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { textOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { testCallsAround } from '../assertion/testCalls.ts';

export type MockLibrary = 'vi' | 'jest';

export interface SharedMock {
  /** As the file names it: `send`, `api.save`, `console.log`. */
  readonly name: string;
  /** The same where it may be asked for what only mocks have. */
  readonly asMock: string;
  /** Where its name, or its spy, comes from. */
  readonly declaration: ts.Node;
}

/** The mock that the expression means; undefined for one that each test makes anew, and where that is not certain. */
export function sharedMock(
  expression: ts.Expression,
  tree: SourceTree,
  library: MockLibrary,
): SharedMock | undefined {
  const node = withoutTyping(expression);
  const chain = chainOfNames(node);
  if (chain === undefined) return undefined;
  const { root, steps } = chain;
  const name = textOf(tree, node);
  const typed = /\.[cm]?tsx?$/.test(tree.file) ? `${library}.mocked(${name})` : name;
  const spy = steps.length > 0 ? sharedSpy(node, tree, library) : undefined;
  if (spy !== undefined) return { name, asMock: typed, declaration: spy };
  const binding = bindingOf(root);
  if (binding === undefined) return undefined;
  const { declaration } = binding;
  if (binding.kind !== 'import' && binding.kind !== 'variable') return undefined;
  if (!isOutsideOfTests(declaration)) return undefined;
  const module = moduleOf(declaration);
  if (module !== undefined)
    return isMockedModule(module, tree, library) ? { name, asMock: typed, declaration } : undefined;
  if (isReassigned(tree, binding) || !isMock(valueOf(binding, steps), library)) return undefined;
  return { name, asMock: name, declaration };
}

/** `vi.mocked(x)`, `x as Mock` → `x` */
function withoutTyping(expression: ts.Expression): ts.Expression {
  const node = unwrap(expression);
  const [inner] = ts.isCallExpression(node) ? node.arguments : [];
  const isTyping =
    ts.isCallExpression(node) && /^(?:vi|vitest|jest)\.mocked$/.test(node.expression.getText());
  return isTyping && inner !== undefined ? withoutTyping(inner) : node;
}

/** `a.b.c` as its first name and the keys after it. */
function chainOfNames(
  expression: ts.Expression,
): { readonly root: ts.Identifier; readonly steps: readonly string[] } | undefined {
  const steps: string[] = [];
  let node = expression;
  while (ts.isPropertyAccessExpression(node) && node.questionDotToken === undefined) {
    steps.unshift(node.name.text);
    node = unwrap(node.expression);
  }
  return ts.isIdentifier(node) ? { root: node, steps } : undefined;
}

/** Not in a test, a hook or a function: made once, when the file is loaded. What a suite declares is made once, too. */
export function isOutsideOfTests(node: ts.Node): boolean {
  for (let up: ts.Node = node; up.parent !== undefined; up = up.parent) {
    if (!ts.isFunctionLike(up)) continue;
    const [around] = testCallsAround(up);
    if (around?.kind !== 'group' || !around.call.arguments.some((argument) => unwrap(argument) === up))
      return false;
  }
  return true;
}

const makesMock = /^(?:vi|vitest|jest)\.(?:fn|spyOn|mocked)$/;

/** `vi.fn()`, `jest.spyOn(a, 'b').mockReturnValue(1)`, `vi.hoisted(() => vi.fn())` */
function isMock(value: ts.Expression | undefined, library: MockLibrary): boolean {
  let node = value === undefined ? undefined : unwrap(value);
  while (node !== undefined && ts.isCallExpression(node)) {
    const callee = unwrap(node.expression);
    if (makesMock.test(callee.getText())) return callee.getText().startsWith(library);
    if (callee.getText() === 'vi.hoisted') return isMock(givenBy(node), library);
    node = ts.isPropertyAccessExpression(callee) ? unwrap(callee.expression) : undefined;
  }
  return false;
}

/** What the function gives that `vi.hoisted` is called with. */
function givenBy({ arguments: [factory] }: ts.CallExpression): ts.Expression | undefined {
  if (factory === undefined || !ts.isArrowFunction(factory)) return undefined;
  if (!ts.isBlock(factory.body)) return factory.body;
  const last = factory.body.statements.at(-1);
  return last !== undefined && ts.isReturnStatement(last) ? last.expression : undefined;
}

/** The expression behind a name, its destructuring and the keys after it. */
function valueOf({ declaration, path }: Binding, steps: readonly string[]): ts.Expression | undefined {
  if (!ts.isVariableDeclaration(declaration) || path === undefined) return undefined;
  const way: readonly PathStep[] = [...path, ...steps.map((key) => ({ key }))];
  let value = declaration.initializer;
  for (const step of way) {
    const inner = value === undefined ? undefined : unwrap(value);
    const isHoisted =
      inner !== undefined && ts.isCallExpression(inner) && inner.expression.getText() === 'vi.hoisted';
    const given = isHoisted ? givenBy(inner) : inner;
    const object = given === undefined ? undefined : unwrap(given);
    if (object === undefined || !ts.isObjectLiteralExpression(object) || !('key' in step)) return undefined;
    const property = object.properties.find((one) => one.name && propertyKey(one.name) === step.key);
    value = property !== undefined && ts.isPropertyAssignment(property) ? property.initializer : undefined;
  }
  return value;
}

/** The module that is imported or required here. */
function moduleOf(declaration: ts.Node): string | undefined {
  if (ts.isVariableDeclaration(declaration)) {
    const value = declaration.initializer === undefined ? undefined : unwrap(declaration.initializer);
    const call = value !== undefined && ts.isAwaitExpression(value) ? unwrap(value.expression) : value;
    if (call === undefined || !ts.isCallExpression(call)) return undefined;
    const [module] = call.arguments;
    const loads = /^(?:require|import)$/.test(call.expression.getText());
    return loads && module !== undefined && ts.isStringLiteralLike(module) ? module.text : undefined;
  }
  let statement = declaration;
  while (!ts.isImportDeclaration(statement)) {
    if (statement.parent === undefined) return undefined;
    statement = statement.parent;
  }
  return ts.isStringLiteral(statement.moduleSpecifier) ? statement.moduleSpecifier.text : undefined;
}

/** Is this module mocked as a whole in the file? */
function isMockedModule(module: string, tree: SourceTree, library: MockLibrary): boolean {
  return callsOf(tree, `${library}.mock`).some(({ arguments: [first] }) => {
    const name = first === undefined ? undefined : unwrap(first);
    return name !== undefined && ts.isStringLiteralLike(name) && name.text === module;
  });
}

/** `vi.spyOn(api, 'save')` for `api.save`, made once: as the file is loaded, or before all tests of a suite. */
function sharedSpy(node: ts.Expression, tree: SourceTree, library: MockLibrary): ts.Node | undefined {
  if (!ts.isPropertyAccessExpression(node)) return undefined;
  const on = textOf(tree, node.expression);
  const spies = callsOf(tree, `${library}.spyOn`).filter(({ arguments: [object, key] }) => {
    const name = key === undefined ? undefined : unwrap(key);
    return (
      object !== undefined &&
      textOf(tree, object) === on &&
      name !== undefined &&
      ts.isStringLiteralLike(name) &&
      name.text === node.name.text
    );
  });
  const [spy, another] = spies;
  if (spy === undefined || another !== undefined) return undefined;
  return isOutsideOfTests(spy) || isBeforeAll(spy) ? spy : undefined;
}

function isBeforeAll(node: ts.Node): boolean {
  for (let up: ts.Node = node; up.parent !== undefined; up = up.parent)
    if (ts.isFunctionLike(up))
      return (
        ts.isCallExpression(up.parent) &&
        up.parent.expression.getText() === 'beforeAll' &&
        isOutsideOfTests(up.parent)
      );
  return false;
}

function callsOf(tree: SourceTree, callee: string): readonly ts.CallExpression[] {
  const calls: ts.CallExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === callee) calls.push(node);
  });
  return calls;
}
