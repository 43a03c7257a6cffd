// The small bugs that can be planted at one node of a syntax tree. Their names are those of Stryker (mutators that it documents), but for
// the last four.
import ts from 'typescript';

/** One bug: what stands at the node's place instead. */
export interface Mutation {
  readonly kind: MutationKind;
  readonly to: string;
}

export type MutationKind =
  | 'ArithmeticOperator'
  | 'ArrayDeclaration'
  | 'AssignmentOperator'
  | 'BooleanLiteral'
  | 'ConditionalExpression'
  | 'EqualityOperator'
  | 'LogicalOperator'
  | 'MethodExpression'
  | 'ObjectLiteral'
  | 'OptionalChaining'
  | 'Regex'
  | 'StringLiteral'
  | 'UnaryOperator'
  | 'UpdateOperator'
  | 'NumberLiteral'
  | 'DroppedKey'
  | 'RemovedCall'
  | 'SwappedArguments';

/** Text in place of a string that holds something, and the other way round. */
const anyText = '"Planted by Testmend"';
/** Of an object with many keys only so many are dropped, one at a time. */
const mostKeys = 6;

/** The bugs that stand in place of this expression. `textOf` gives the text of a node as it is in the file. */
export function mutationsOf(node: ts.Expression, textOf: (node: ts.Node) => string): readonly Mutation[] {
  if (ts.isBinaryExpression(node)) return ofBinary(node, textOf);
  if (ts.isPrefixUnaryExpression(node)) return ofPrefix(node, textOf);
  if (ts.isPostfixUnaryExpression(node))
    return [{ kind: 'UpdateOperator', to: `${textOf(node.operand)}${other(updates, node.operator)}` }];
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [{ kind: 'BooleanLiteral', to: 'false' }];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [{ kind: 'BooleanLiteral', to: 'true' }];
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node))
    return [{ kind: 'StringLiteral', to: node.text === '' ? anyText : '""' }];
  if (ts.isTemplateExpression(node)) return [{ kind: 'StringLiteral', to: '""' }];
  if (ts.isNumericLiteral(node)) return [{ kind: 'NumberLiteral', to: oneMore(node.text) }];
  if (ts.isArrayLiteralExpression(node))
    return node.elements.length === 0 ? [] : [{ kind: 'ArrayDeclaration', to: '[]' }];
  if (ts.isObjectLiteralExpression(node)) return ofObject(node, textOf);
  if (ts.isRegularExpressionLiteral(node)) return ofPattern(node.text);
  if (ts.isCallExpression(node)) return [...ofCall(node, textOf), ...ofChain(node, textOf)];
  if (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) return ofChain(node, textOf);
  return [];
}

/** `text` is as TypeScript normalises it: decimal. */
const oneMore = (text: string): string =>
  Number.isSafeInteger(Number(text)) ? String(Number(text) + 1) : `(${text} + 1)`;

const arithmetic = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PercentToken, '*'],
]);
const comparisons = new Map<ts.SyntaxKind, readonly string[]>([
  [ts.SyntaxKind.LessThanToken, ['<=', '>=']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<', '>']],
  [ts.SyntaxKind.GreaterThanToken, ['>=', '<=']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>', '<']],
  [ts.SyntaxKind.EqualsEqualsToken, ['!=']],
  [ts.SyntaxKind.ExclamationEqualsToken, ['==']],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, ['!==']],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, ['===']],
]);
const logical = new Map([
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.QuestionQuestionToken, '&&'],
]);
const assignments = new Map([
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
  [ts.SyntaxKind.AsteriskEqualsToken, '/='],
  [ts.SyntaxKind.SlashEqualsToken, '*='],
  [ts.SyntaxKind.PercentEqualsToken, '*='],
  [ts.SyntaxKind.AmpersandAmpersandEqualsToken, '||='],
  [ts.SyntaxKind.BarBarEqualsToken, '&&='],
  [ts.SyntaxKind.QuestionQuestionEqualsToken, '&&='],
]);
const updates = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.PlusPlusToken, '--'],
  [ts.SyntaxKind.MinusMinusToken, '++'],
]);

const other = (operators: ReadonlyMap<ts.SyntaxKind, string>, operator: ts.SyntaxKind): string =>
  operators.get(operator) ?? '';

function ofBinary(
  { left, right, operatorToken: { kind } }: ts.BinaryExpression,
  textOf: (node: ts.Node) => string,
): Mutation[] {
  const joined = (operator: string): string =>
    `${operandText(left, textOf)} ${operator} ${operandText(right, textOf)}`;
  const sum = arithmetic.get(kind);
  if (sum !== undefined)
    return isText(left) || isText(right) ? [] : [{ kind: 'ArithmeticOperator', to: joined(sum) }];
  const compared = comparisons.get(kind);
  if (compared)
    return [
      ...compared.map((operator): Mutation => ({ kind: 'EqualityOperator', to: joined(operator) })),
      ...(['true', 'false'] as const).map((to): Mutation => ({ kind: 'ConditionalExpression', to })),
    ];
  const choice = logical.get(kind);
  if (choice !== undefined) return [{ kind: 'LogicalOperator', to: joined(choice) }];
  const assigned = assignments.get(kind);
  if (assigned === undefined || isText(right)) return [];
  return [{ kind: 'AssignmentOperator', to: `${textOf(left)} ${assigned} ${operandText(right, textOf)}` }];
}

/** In parentheses where another operator could take it apart. */
function operandText(node: ts.Expression, textOf: (node: ts.Node) => string): string {
  const isWhole =
    ts.isIdentifier(node) ||
    ts.isLiteralExpression(node) ||
    ts.isPropertyAccessExpression(node) ||
    ts.isElementAccessExpression(node) ||
    ts.isCallExpression(node) ||
    ts.isParenthesizedExpression(node);
  return isWhole ? textOf(node) : `(${textOf(node)})`;
}

const isText = (node: ts.Node): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (isText(node.left) || isText(node.right)));

function ofPrefix(
  { operator, operand }: ts.PrefixUnaryExpression,
  textOf: (node: ts.Node) => string,
): Mutation[] {
  const inner = textOf(operand);
  switch (operator) {
    case ts.SyntaxKind.ExclamationToken:
      return [{ kind: 'BooleanLiteral', to: `(${inner})` }];
    case ts.SyntaxKind.MinusToken:
      return [{ kind: 'UnaryOperator', to: `+(${inner})` }];
    case ts.SyntaxKind.PlusToken:
      return [{ kind: 'UnaryOperator', to: `-(${inner})` }];
    case ts.SyntaxKind.TildeToken:
      return [{ kind: 'UnaryOperator', to: `(${inner})` }];
    default:
      return [{ kind: 'UpdateOperator', to: `${other(updates, operator)}${inner}` }];
  }
}

function ofObject(node: ts.ObjectLiteralExpression, textOf: (node: ts.Node) => string): Mutation[] {
  const { properties } = node;
  if (properties.length === 0) return [];
  const without = (index: number): string =>
    `{ ${properties.flatMap((one, at) => (at === index ? [] : [textOf(one)])).join(', ')} }`;
  const dropped = properties.length > 1 ? properties.slice(0, mostKeys) : [];
  return [
    { kind: 'ObjectLiteral', to: '{}' },
    ...dropped.map((_, index): Mutation => ({ kind: 'DroppedKey', to: without(index) })),
  ];
}

/** Each with what stands for a call of it; `''` leaves the call out. */
const methods: ReadonlyMap<string, string> = new Map([
  ['charAt', ''],
  ['every', 'some'],
  ['some', 'every'],
  ['endsWith', 'startsWith'],
  ['startsWith', 'endsWith'],
  ['filter', ''],
  ['reverse', ''],
  ['slice', ''],
  ['sort', ''],
  ['substr', ''],
  ['substring', ''],
  ['toLocaleLowerCase', 'toLocaleUpperCase'],
  ['toLocaleUpperCase', 'toLocaleLowerCase'],
  ['toLowerCase', 'toUpperCase'],
  ['toUpperCase', 'toLowerCase'],
  ['toReversed', ''],
  ['toSorted', ''],
  ['trim', ''],
  ['trimEnd', 'trimStart'],
  ['trimStart', 'trimEnd'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['round', 'floor'],
  ['push', 'unshift'],
  ['unshift', 'push'],
]);
/** They may be left out only on what has them, and takes itself for it. */
const ofMath: ReadonlySet<string> = new Set(['min', 'max', 'floor', 'ceil', 'round']);

function ofCall(call: ts.CallExpression, textOf: (node: ts.Node) => string): Mutation[] {
  const { expression, arguments: given } = call;
  const found: Mutation[] = [];
  if (ts.isPropertyAccessExpression(expression)) {
    const replacement = methods.get(expression.name.text);
    const target = textOf(expression.expression);
    if (replacement !== undefined && ofMath.has(expression.name.text) === (target === 'Math')) {
      const args = given.map(textOf).join(', ');
      const dot = expression.questionDotToken ? '?.' : '.';
      const to = replacement === '' ? `(${target})` : `${target}${dot}${replacement}(${args})`;
      found.push({ kind: 'MethodExpression', to });
    }
  }
  const [first, second, ...rest] = given;
  const mayBeSwapped = (node: ts.Expression): boolean =>
    ts.isIdentifier(node) || ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node);
  if (first && second && mayBeSwapped(first) && mayBeSwapped(second) && textOf(first) !== textOf(second)) {
    const swapped = [second, first, ...rest].map(textOf).join(', ');
    const dot = call.questionDotToken ? '?.' : '';
    found.push({ kind: 'SwappedArguments', to: `${textOf(expression)}${dot}(${swapped})` });
  }
  return found;
}

/** `a?.b` → `a.b`: of the first question mark in the chain. */
function ofChain(
  node: ts.PropertyAccessExpression | ts.ElementAccessExpression | ts.CallExpression,
  textOf: (node: ts.Node) => string,
): Mutation[] {
  const { questionDotToken } = node;
  if (!questionDotToken) return [];
  const before = textOf(node.expression);
  const after = textOf(node).slice(before.length).trimStart().slice('?.'.length);
  return [
    { kind: 'OptionalChaining', to: `${before}${ts.isPropertyAccessExpression(node) ? '.' : ''}${after}` },
  ];
}

const classes = new Map([
  ['\\d', '\\D'],
  ['\\D', '\\d'],
  ['\\w', '\\W'],
  ['\\W', '\\w'],
  ['\\s', '\\S'],
  ['\\S', '\\s'],
]);

/** Without an anchor, with a class turned round, with one repetition only. */
function ofPattern(text: string): Mutation[] {
  const end = text.lastIndexOf('/');
  const [pattern, flags] = [text.slice(1, end), text.slice(end + 1)];
  const candidates = [
    pattern.startsWith('^') ? pattern.slice(1) : undefined,
    /(?:^|[^\\])\$$/.test(pattern) ? pattern.slice(0, -1) : undefined,
    replaceFirst(pattern, /\\[dDwWsS]/, (found) => classes.get(found) ?? found),
    replaceFirst(pattern, /(?<=[\])\w.])[+*](?![?+*])/, () => ''),
    replaceFirst(pattern, /(?<!\\)\[(?!\^)/, () => '[^'),
  ];
  return candidates.flatMap((changed): Mutation[] =>
    changed === undefined || changed === '' || !isPattern(changed, flags)
      ? []
      : [{ kind: 'Regex', to: `/${changed}/${flags}` }],
  );
}

function replaceFirst(text: string, what: RegExp, by: (found: string) => string): string | undefined {
  const changed = text.replace(what, by);
  return changed === text ? undefined : changed;
}

function isPattern(pattern: string, flags: string): boolean {
  try {
    RegExp(pattern, flags);
    return true;
  } catch {
    return false;
  }
}
