// What the functions of changed sources take beside what they took before, with the values that may ask for what they did before.
import ts from 'typescript';
import { propertyKey, stringSource } from '../../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { Callable } from '../calls/callTarget.ts';
import { placeOf } from '../calls/functionPlace.ts';
import type { ChangedPair } from '../obsolete/changedPairs.ts';
import { typesOf, type NamedTypes } from '../signatures/sourceSignatures.ts';

export interface AddedOption {
  /** Place among the arguments, from 0. */
  readonly index: number;
  /** The key of an object at that place; absent where the argument itself is new. */
  readonly key?: string;
  /** Source texts, with single quotes, from the type or the default of the option: what is not its default. */
  readonly values: readonly string[];
}

export interface GrownFunction extends Callable {
  readonly options: readonly AddedOption[];
}

/** Functions and methods that have new optional parameters at their end, or new keys in an object that they take. */
export function grownFunctions(pairs: readonly ChangedPair[]): readonly GrownFunction[] {
  const types = (side: 'before' | 'now'): NamedTypes =>
    new Map(pairs.flatMap((pair) => [...typesOf(pair[side])]));
  const [typesBefore, typesNow] = [types('before'), types('now')];
  return pairs.flatMap(({ file, before, now }) => {
    const old = functionsOf(before);
    return [...functionsOf(now)].flatMap(([key, [place, node]]) => {
      const [, was] = old.get(key) ?? [];
      const options = was === undefined ? [] : addedTo(was, node, typesBefore, typesNow);
      return options.length === 0 ? [] : [{ ...place, file, options }];
    });
  });
}

type Implementation = ts.SignatureDeclaration & { readonly body?: ts.Node | undefined };
type Placed = readonly [place: Omit<Callable, 'file'>, node: Implementation];

/** By owner and name: what is declared with a body once. */
function functionsOf({ ast }: SourceTree): ReadonlyMap<string, Placed> {
  const found = new Map<string, Placed | undefined>();
  visitNodes(ast, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const place = placeOf(node);
    if (place === undefined) return;
    const key = JSON.stringify([place.owner, place.name]);
    found.set(key, found.has(key) ? undefined : [place, node]);
  });
  return new Map([...found].flatMap(([key, one]) => (one === undefined ? [] : [[key, one] as const])));
}

function addedTo(
  was: Implementation,
  is: Implementation,
  typesBefore: NamedTypes,
  typesNow: NamedTypes,
): readonly AddedOption[] {
  const count = was.parameters.length;
  return is.parameters.flatMap((parameter, index): readonly AddedOption[] => {
    const isNew = index >= count;
    const isOptional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
    // Only the first of several new ones: nothing tells what to give for those before it.
    if (index > count || parameter.dotDotDotToken !== undefined || (isNew && !isOptional)) return [];
    const old = was.parameters[index];
    const known = old === undefined ? new Map() : keysOf(old, was.body, typesBefore);
    const keys = [...keysOf(parameter, is.body, typesNow)];
    const added = keys.filter(([key]) => !known.has(key));
    if (keys.length === 0 && isNew) {
      const values = valuesOf(parameter.type, parameter.initializer);
      return values.length === 0 ? [] : [{ index, values }];
    }
    return added.flatMap(([key, values]) => (values.length === 0 ? [] : [{ index, key, values }]));
  });
}

type Keys = ReadonlyMap<string, readonly string[]>;

/** The keys that a parameter is known to have, with the values that are not their default. */
function keysOf(parameter: ts.ParameterDeclaration, body: ts.Node | undefined, types: NamedTypes): Keys {
  const { name, type } = parameter;
  const keys = new Map<string, readonly string[]>();
  for (const member of membersOf(type, types) ?? []) {
    const key = member.name && propertyKey(member.name);
    if (key !== undefined && ts.isPropertySignature(member)) keys.set(key, valuesOf(member.type, undefined));
  }
  const isTyped = keys.size > 0;
  const take = (pattern: ts.ObjectBindingPattern): void => {
    for (const { name: local, propertyName, initializer } of pattern.elements) {
      const own = propertyName ?? local;
      const key = ts.isIdentifier(own) ? own.text : ts.isBindingName(own) ? undefined : propertyKey(own);
      if (key === undefined) continue;
      const typed = keys.get(key) ?? [];
      const values = initializer === undefined ? typed : withoutDefault(typed, initializer);
      if (!isTyped || keys.has(key)) keys.set(key, values);
    }
  };
  if (ts.isObjectBindingPattern(name)) take(name);
  if (!ts.isIdentifier(name) || body === undefined) return keys;
  visitNodes(body, (node) => {
    const isOfParameter = (one: ts.Expression): boolean => {
      const inner = unwrap(one);
      return ts.isIdentifier(inner) && inner.text === name.text;
    };
    if (ts.isVariableDeclaration(node) && node.initializer && ts.isObjectBindingPattern(node.name)) {
      if (isOfParameter(node.initializer)) take(node.name);
      return;
    }
    if (!ts.isPropertyAccessExpression(node) || !isOfParameter(node.expression)) return;
    const key = node.name.text;
    const fallback = fallbackOf(node);
    const known = keys.get(key);
    if (fallback !== undefined && (!isTyped || known)) keys.set(key, withoutDefault(known ?? [], fallback));
    else if (!isTyped && type === undefined && isAsked(node)) keys.set(key, known ?? ['true', 'false']);
  });
  return keys;
}

/** X of `options.key ?? X` and `options.key || X`. */
function fallbackOf(read: ts.Expression): ts.Expression | undefined {
  const { parent } = read;
  const isFallback =
    ts.isBinaryExpression(parent) &&
    parent.left === read &&
    [ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken].includes(parent.operatorToken.kind);
  return isFallback ? parent.right : undefined;
}

/** Is it a condition, so that it can be yes or no? */
function isAsked(read: ts.Expression): boolean {
  let node: ts.Node = read;
  while (unwrap(node.parent) !== node.parent || ts.isPrefixUnaryExpression(node.parent)) node = node.parent;
  const { parent } = node;
  if (ts.isIfStatement(parent)) return parent.expression === node;
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  if (!ts.isBinaryExpression(parent)) return ts.isPrefixUnaryExpression(node);
  const other = parent.left === node ? parent.right : parent.left;
  const joins = [ts.SyntaxKind.AmpersandAmpersandToken, ts.SyntaxKind.BarBarToken];
  return isBoolean(other) || (parent.left === node && joins.includes(parent.operatorToken.kind));
}

function isBoolean(node: ts.Node): boolean {
  return node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword;
}

function membersOf(type: ts.TypeNode | undefined, types: NamedTypes): readonly ts.TypeElement[] | undefined {
  if (type === undefined) return undefined;
  if (ts.isTypeLiteralNode(type)) return type.members;
  if (!ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName)) return undefined;
  const { text } = type.typeName;
  return /^(?:Readonly|Partial)$/.test(text) ? membersOf(type.typeArguments?.[0], types) : types.get(text);
}

/** What a boolean or one of a few texts may be, its default left out. */
function valuesOf(type: ts.TypeNode | undefined, initializer: ts.Expression | undefined): readonly string[] {
  const typed = type === undefined ? [] : valuesOfType(type);
  return initializer === undefined ? typed : withoutDefault(typed, initializer);
}

function valuesOfType(type: ts.TypeNode): readonly string[] {
  if (type.kind === ts.SyntaxKind.BooleanKeyword) return ['true', 'false'];
  const parts = ts.isUnionTypeNode(type) ? type.types : [type];
  const values = parts
    .filter((part) => part.kind !== ts.SyntaxKind.UndefinedKeyword)
    .map((part) => {
      if (part.kind === ts.SyntaxKind.BooleanKeyword) return ['true', 'false'];
      if (!ts.isLiteralTypeNode(part)) return undefined;
      if (ts.isStringLiteral(part.literal)) return [textSource(part.literal.text)];
      return isBoolean(part.literal) ? [part.literal.getText()] : undefined;
    });
  return values.every((one) => one !== undefined) ? values.flat() : [];
}

function withoutDefault(values: readonly string[], initializer: ts.Expression): readonly string[] {
  const node = unwrap(initializer);
  if (isBoolean(node)) return [node.kind === ts.SyntaxKind.TrueKeyword ? 'false' : 'true'];
  return ts.isStringLiteral(node) ? values.filter((value) => value !== textSource(node.text)) : [];
}

/** The same for every way to write a text. */
const textSource = (text: string): string => stringSource(text, "'");
