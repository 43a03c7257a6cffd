// Conditions that ask something of one value, as tests state them: which value is asked, and with which literal.
import ts from 'typescript';
import { staticValue } from './literalSource.ts';
import { unwrap } from './sourceTree.ts';

type Limit = '<' | '<=' | '>' | '>=';

/** What a condition asks of its operand; the literal may be a name that stands for one. */
export type Question =
  /** `includes`, `startsWith`, `endsWith`, `indexOf(x) !== -1`: of a text, or (`inside`) of a list. */
  | {
      readonly kind: 'part';
      readonly where: 'start' | 'end' | 'inside';
      readonly literal: ts.Expression;
    }
  /** `/x/.test(text)`, `text.match(/x/)`. */
  | { readonly kind: 'pattern'; readonly literal: ts.Expression }
  /** `a === 'x'`, `'x' == a`. */
  | { readonly kind: 'equal'; readonly literal: ts.Expression }
  /** `a < 5`, `5 > a`: as it reads with the operand on the left. */
  | { readonly kind: 'limit'; readonly operator: Limit; readonly literal: ts.Expression }
  /** `Math.abs(a - 1.5) < 0.01`: how far away it may be, undefined where that is computed. */
  | {
      readonly kind: 'near';
      readonly literal: ts.Expression;
      readonly tolerance: number | undefined;
      readonly inclusive: boolean;
    };

export interface Predicate {
  /** `operand`: it asks the operand itself · `item`: whether one item of the list does (`some`), by these members of it. */
  readonly of: 'operand' | 'item';
  readonly path: readonly string[];
  readonly operand: ts.Expression;
  readonly question: Question;
}

/** The one question of a condition; undefined for everything that asks more, less or something else. */
export function predicateOf(expression: ts.Expression): Predicate | undefined {
  const node = unwrap(expression);
  const found = ts.isBinaryExpression(node)
    ? comparison(node)
    : ts.isCallExpression(node)
      ? askedByCall(node)
      : undefined;
  // Of a value that is written out nothing is asked.
  return found !== undefined && staticValue(found.operand) === undefined ? found : undefined;
}

const ofOperand = (operand: ts.Expression, question: Question): Predicate => ({
  of: 'operand',
  path: [],
  operand,
  question,
});

function askedByCall(call: ts.CallExpression): Predicate | undefined {
  const callee = unwrap(call.expression);
  const [argument, ...others] = call.arguments;
  if (!ts.isPropertyAccessExpression(callee) || argument === undefined) return undefined;
  if (others.length > 0 || ts.isSpreadElement(argument)) return undefined;
  const subject = callee.expression;
  switch (callee.name.text) {
    case 'startsWith':
      return ofOperand(subject, { kind: 'part', where: 'start', literal: argument });
    case 'endsWith':
      return ofOperand(subject, { kind: 'part', where: 'end', literal: argument });
    case 'includes':
    case 'has':
      return ofOperand(subject, { kind: 'part', where: 'inside', literal: argument });
    case 'test':
      return ts.isRegularExpressionLiteral(unwrap(subject))
        ? ofOperand(argument, { kind: 'pattern', literal: subject })
        : undefined;
    case 'match':
      return ts.isRegularExpressionLiteral(unwrap(argument))
        ? ofOperand(subject, { kind: 'pattern', literal: argument })
        : undefined;
    case 'some':
      return askedOfItem(subject, unwrap(argument));
    default:
      return undefined;
  }
}

/** `xs.some((x) => x.name === 'a')`: what is asked of the item, whose members lead to what is asked. */
function askedOfItem(list: ts.Expression, callback: ts.Expression): Predicate | undefined {
  if (!ts.isArrowFunction(callback) || ts.isBlock(callback.body)) return undefined;
  const [parameter, ...others] = callback.parameters;
  if (parameter === undefined || others.length > 0 || !ts.isIdentifier(parameter.name)) return undefined;
  const inner = predicateOf(callback.body);
  if (inner === undefined || inner.of === 'item') return undefined;
  if (inner.question.kind === 'limit' || inner.question.kind === 'near') return undefined;
  const path: string[] = [];
  let node = unwrap(inner.operand);
  for (; ts.isPropertyAccessExpression(node); node = unwrap(node.expression)) path.unshift(node.name.text);
  if (!ts.isIdentifier(node) || node.text !== parameter.name.text) return undefined;
  return { of: 'item', path, operand: list, question: inner.question };
}

const limits: ReadonlyMap<ts.SyntaxKind, readonly [asWritten: Limit, turned: Limit]> = new Map([
  [ts.SyntaxKind.LessThanToken, ['<', '>']],
  [ts.SyntaxKind.LessThanEqualsToken, ['<=', '>=']],
  [ts.SyntaxKind.GreaterThanToken, ['>', '<']],
  [ts.SyntaxKind.GreaterThanEqualsToken, ['>=', '<=']],
]);

function comparison(node: ts.BinaryExpression): Predicate | undefined {
  const { kind } = node.operatorToken;
  const isEquality =
    kind === ts.SyntaxKind.EqualsEqualsEqualsToken || kind === ts.SyntaxKind.EqualsEqualsToken;
  const limit = limits.get(kind);
  const found = foundByIndex(node) ?? distance(node);
  if (found !== undefined) return found;
  if (!isEquality && limit === undefined) return undefined;
  const isTurned = isWritten(node.left) && !isWritten(node.right);
  const [operand, literal] = isTurned ? [node.right, node.left] : [node.left, node.right];
  if (isEquality)
    return ts.isTypeOfExpression(unwrap(operand))
      ? undefined
      : ofOperand(operand, { kind: 'equal', literal });
  const operator = limit?.[isTurned ? 1 : 0];
  return operator === undefined ? undefined : ofOperand(operand, { kind: 'limit', operator, literal });
}

const isWritten = (node: ts.Expression): boolean => staticValue(node) !== undefined;

/** `text.indexOf('x') !== -1`, `>= 0`, `> -1`, and `=== 0` for its beginning. */
function foundByIndex({ left, operatorToken, right }: ts.BinaryExpression): Predicate | undefined {
  const call = unwrap(left);
  if (!ts.isCallExpression(call) || call.arguments.length !== 1) return undefined;
  const callee = unwrap(call.expression);
  const [literal] = call.arguments;
  if (literal === undefined || !ts.isPropertyAccessExpression(callee) || callee.name.text !== 'indexOf')
    return undefined;
  const asked = `${operatorToken.getText()} ${numberOf(right) ?? '?'}`;
  if (/^(?:!==? -1|>= 0|> -1)$/.test(asked))
    return ofOperand(callee.expression, { kind: 'part', where: 'inside', literal });
  return /^===? 0$/.test(asked)
    ? ofOperand(callee.expression, { kind: 'part', where: 'start', literal })
    : undefined;
}

/** `Math.abs(a - 1.5) < 0.01` */
function distance({ left, operatorToken: { kind }, right }: ts.BinaryExpression): Predicate | undefined {
  const call = unwrap(left);
  if (kind !== ts.SyntaxKind.LessThanToken && kind !== ts.SyntaxKind.LessThanEqualsToken) return undefined;
  if (!ts.isCallExpression(call) || call.expression.getText() !== 'Math.abs') return undefined;
  const difference = call.arguments[0] && unwrap(call.arguments[0]);
  if (difference === undefined || !ts.isBinaryExpression(difference)) return undefined;
  if (difference.operatorToken.kind !== ts.SyntaxKind.MinusToken) return undefined;
  const isTurned = isWritten(difference.left) && !isWritten(difference.right);
  const [operand, literal] = isTurned
    ? [difference.right, difference.left]
    : [difference.left, difference.right];
  const tolerance = right.getText() === 'Number.EPSILON' ? Number.EPSILON : numberOf(right);
  return ofOperand(operand, {
    kind: 'near',
    literal,
    tolerance,
    inclusive: kind === ts.SyntaxKind.LessThanEqualsToken,
  });
}

function numberOf(node: ts.Expression): number | undefined {
  const value = staticValue(node);
  return value?.kind === 'number' ? Number(value.text) : undefined;
}
