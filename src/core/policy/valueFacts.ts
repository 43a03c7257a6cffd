// What a value in a test is made of, followed through the variables of the file: calls, outer names, operators, a literal.
import ts from 'typescript';
import type { Bindings } from './bindings.ts';
import { bareCopy, isBareCreation } from '../syntax/javascript/bareObjects.ts';
import { valueConstructors } from '../syntax/javascript/globalNames.ts';
import { unwrap, visitNodes } from '../syntax/javascript/sourceTree.ts';
import { isSourceModule, words } from './testApi.ts';

export interface Reach {
  /** Names of functions and constructors that are called, built-in value constructors left out. */
  readonly calls: readonly string[];
  /** Names imported from modules of the workspace. */
  readonly imports: readonly string[];
  /** Every name met on the way, variables of the file too. */
  readonly names: ReadonlySet<string>;
  /** Operators and accesses that can make a value weaker: `||`, `?:`, `.length`, `typeof`. */
  readonly operators: readonly string[];
  /** `expect.any`, `objectContaining`, …: parts that match many values. */
  readonly wildcards: readonly string[];
}

/** The expressions a name may stand for at some place. */
type ValuesOf = (name: string) => readonly ts.Expression[];

/** Follows names through `valuesOf`. */
export function reachOf(expression: ts.Node, bindings: Bindings, valuesOf: ValuesOf): Reach {
  const calls: string[] = [];
  const imports: string[] = [];
  const names = new Set<string>();
  const operators: string[] = [];
  const wildcards: string[] = [];
  const follow = (start: ts.Node, isDirect: boolean): void =>
    visitNodes(start, (node) => {
      const name = calledName(node, bindings);
      if (answersForItself(node)) wildcards.push('asymmetricMatch');
      if (isOpenMatch(node)) wildcards.push('match');
      if (name !== undefined && isWildcard(node, name)) wildcards.push(name);
      else if (name !== undefined) calls.push(name);
      const operator = weakeningOperator(node);
      if (operator !== undefined && (isDirect || !/^[.]/.test(operator))) operators.push(operator);
      if (!ts.isIdentifier(node) || isMemberName(node) || names.has(node.text)) return;
      if (plainNames.has(node.text) && !isOwnName(node.text, bindings)) return;
      names.add(node.text);
      const origin = bindings.imports.get(node.text);
      if (origin !== undefined && isSourceModule(origin.module) && !isCallee(node)) imports.push(node.text);
      for (const value of valuesOf(node.text)) follow(value, false);
    });
  follow(expression, true);
  return { calls, imports, names, operators, wildcards };
}

/** The literal behind names: `const text = 'Hi'; … toBe(text)` is 'Hi'. */
export function literalBehind(
  expression: ts.Expression | undefined,
  valuesOf: ValuesOf,
): ts.Node | undefined {
  let node = expression === undefined ? undefined : unwrap(expression);
  for (let depth = 0; depth < 5 && node !== undefined && ts.isIdentifier(node); depth++) {
    const values: readonly ts.Expression[] = valuesOf(node.text);
    const [value] = values;
    if (values.length !== 1 || value === undefined) return node;
    node = unwrap(value);
  }
  return node;
}

/** Names that stand for a value everywhere, and the library's own. */
const plainNames: ReadonlySet<string> = new Set([
  ...valueConstructors,
  'undefined',
  'NaN',
  'Infinity',
  'expect',
  'Object',
  'Number',
  'String',
  'Array',
  'Boolean',
]);

/** Does the file make something else of a name that means the same everywhere? */
function isOwnName(name: string, { imports, values, declared }: Bindings): boolean {
  return name !== 'expect' && (imports.has(name) || values.has(name) || declared.has(name));
}

const wildcardNames: ReadonlySet<string> = new Set(
  words(
    'any anything objectContaining arrayContaining stringContaining stringMatching closeTo toSatisfy',
    'schemaMatching toBeOneOf match arrayOf',
  ),
);

/** An object that says itself what it is equal to. */
function answersForItself(node: ts.Node): boolean {
  return (
    (ts.isPropertyAssignment(node) || ts.isMethodDeclaration(node)) &&
    /^\W?asymmetricMatch\W?$/.test(node.name.getText())
  );
}

/** `sinon.match.any`, `match.string` */
function isOpenMatch(node: ts.Node): boolean {
  return (
    ts.isPropertyAccessExpression(node) &&
    /^(?:sinon\.)?match$/.test(node.expression.getText()) &&
    !(ts.isCallExpression(node.parent) && node.parent.expression === node)
  );
}

function isWildcard(node: ts.Node, name: string): boolean {
  if (!wildcardNames.has(name) || !ts.isCallExpression(node)) return false;
  const callee = unwrap(node.expression);
  return (
    (ts.isPropertyAccessExpression(callee) &&
      /^(?:expect|jasmine|sinon|match)\b/.test(callee.expression.getText())) ||
    (ts.isIdentifier(callee) && name !== 'match')
  );
}

/** Nothing where the call only writes a value down. */
function calledName(node: ts.Node, { replaced }: Bindings): string | undefined {
  if (ts.isTaggedTemplateExpression(node))
    return node.tag.getText() === 'String.raw' && !replaced.has('String') ? undefined : node.tag.getText();
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const callee = unwrap(node.expression);
  // A registered symbol is a constant that is only written so.
  if (callee.getText() === 'Symbol.for' && !replaced.has('Symbol')) return undefined;
  // So is an object without a prototype; what is copied into it is looked at by itself.
  if (isBareCreation(node) || bareCopy(node) !== undefined) return undefined;
  if (ts.isPropertyAccessExpression(callee)) return callee.name.text;
  if (ts.isElementAccessExpression(callee)) {
    const key = unwrap(callee.argumentExpression);
    return ts.isStringLiteralLike(key) ? key.text : '[computed]';
  }
  if (!ts.isIdentifier(callee)) return '(function)';
  return valueConstructors.has(callee.text) && !replaced.has(callee.text) ? undefined : callee.text;
}

function isCallee(node: ts.Identifier): boolean {
  return (
    (ts.isCallExpression(node.parent) || ts.isNewExpression(node.parent)) && node.parent.expression === node
  );
}

/** `x.name`, `{ name: 1 }`, and the name of a parameter: no use of a variable of that name. */
export function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  return (
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isPropertyAssignment(parent) && parent.name === node) ||
    (ts.isParameter(parent) && parent.name === node)
  );
}

const reducing =
  /^(?:length|size|includes|startsWith|endsWith|slice|substring|substr|trim|trimStart|trimEnd|toLowerCase|toUpperCase|replace|replaceAll|filter|some|every|indexOf|search|test|padEnd|padStart|sort|toSorted|toFixed|toPrecision|normalize|map|find|reduce)$/;

function weakeningOperator(node: ts.Node): string | undefined {
  if (ts.isConditionalExpression(node)) return '?:';
  if (ts.isTypeOfExpression(node)) return 'typeof';
  if (ts.isVoidExpression(node)) return 'void';
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) return '!';
  if (ts.isBinaryExpression(node) && node.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
    return ts.tokenToString(node.operatorToken.kind);
  if (ts.isPropertyAccessExpression(node) && reducing.test(node.name.text)) return '.' + node.name.text;
  if (
    ts.isCallExpression(node) &&
    /^(?:Boolean|String|Number|Object\.\w+|Array\.isArray|Number\.\w+|JSON\.stringify)$/.test(
      node.expression.getText(),
    )
  )
    return node.expression.getText();
  return undefined;
}
