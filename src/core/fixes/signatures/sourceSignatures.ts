// What the functions, methods and classes of one source text take, as their callers see it.
import ts from 'typescript';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import { placeOf, type FunctionPlace } from '../calls/functionPlace.ts';

export interface Signature extends FunctionPlace {
  /** How it is called: with or without `new`. */
  readonly kind: 'function' | 'class';
  readonly parameters: readonly Parameter[];
}

export interface Parameter {
  /** Undefined when it is taken apart. */
  readonly name: string | undefined;
  /** Its type as written; empty without one. */
  readonly type: string;
  readonly isOptional: boolean;
  readonly isRest: boolean;
  /** What it takes out of an object; undefined when it is not known to be one. */
  readonly keys: Keys | undefined;
}

export type Keys = ReadonlyMap<string, Key>;

export interface Key {
  readonly isOptional: boolean;
  readonly keys: Keys | undefined;
}

/** Types of several files by name: an options type often stands beside the function that takes it. */
export type NamedTypes = ReadonlyMap<string, readonly ts.TypeElement[]>;

/** By owner and name; what is declared several times, overloads too, is left out. */
export function signaturesOf(tree: SourceTree, types: NamedTypes): ReadonlyMap<string, Signature> {
  const found = new Map<string, Signature | undefined>();
  const add = (signature: Signature): void => {
    const key = JSON.stringify([signature.owner, signature.name]);
    found.set(key, found.has(key) ? undefined : signature);
  };
  visitNodes(tree.ast, (node) => {
    if (ts.isClassDeclaration(node) && ts.isSourceFile(node.parent)) {
      const constructors = node.members.filter(ts.isConstructorDeclaration);
      const [only, ...overloads] = constructors;
      if (overloads.length > 0) return;
      // An inherited constructor is not seen.
      if (only === undefined && node.heritageClauses !== undefined) return;
      const isDefault = node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) === true;
      add({
        name: node.name?.text ?? 'default',
        isDefault,
        kind: 'class',
        parameters: (only?.parameters ?? []).map((one) => readParameter(one, only?.body, types)),
      });
    } else if (ts.isFunctionLike(node) && !ts.isConstructorDeclaration(node)) {
      const place = placeOf(node);
      const body = 'body' in node ? node.body : undefined;
      if (place !== undefined)
        add({
          ...place,
          kind: 'function',
          parameters: node.parameters.map((one) => readParameter(one, body, types)),
        });
    }
  });
  return new Map([...found].flatMap(([key, one]) => (one ? [[key, one] as const] : [])));
}

/** Interfaces and object types that a text declares. */
export function typesOf({ ast }: SourceTree): NamedTypes {
  const types = new Map<string, readonly ts.TypeElement[]>();
  for (const statement of ast.statements) {
    if (ts.isInterfaceDeclaration(statement) && statement.heritageClauses === undefined)
      types.set(statement.name.text, statement.members);
    if (ts.isTypeAliasDeclaration(statement) && ts.isTypeLiteralNode(statement.type))
      types.set(statement.name.text, statement.type.members);
  }
  return types;
}

function readParameter(
  parameter: ts.ParameterDeclaration,
  body: ts.Node | undefined,
  types: NamedTypes,
): Parameter {
  const { name, type, questionToken, initializer, dotDotDotToken } = parameter;
  const isNamed = ts.isIdentifier(name);
  return {
    name: isNamed ? name.text : undefined,
    type: type?.getText() ?? '',
    isOptional: questionToken !== undefined || initializer !== undefined,
    isRest: dotDotDotToken !== undefined,
    keys:
      keysOfType(type, types) ??
      (ts.isObjectBindingPattern(name) ? keysOfPattern(name) : undefined) ??
      (isNamed && type === undefined && body !== undefined ? keysRead(name.text, body) : undefined),
  };
}

function keysOfType(type: ts.TypeNode | undefined, types: NamedTypes, depth = 0): Keys | undefined {
  if (type === undefined || depth > 4) return undefined;
  if (ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)) {
    const { text } = type.typeName;
    const isWrapped = /^(?:Readonly|Partial|Required)$/.test(text);
    if (!isWrapped) return keysOfMembers(types.get(text), types, depth);
    const inner = keysOfType(type.typeArguments?.[0], types, depth + 1);
    if (inner === undefined || text === 'Readonly') return inner;
    return new Map([...inner].map(([key, one]) => [key, { ...one, isOptional: text === 'Partial' }]));
  }
  return ts.isTypeLiteralNode(type) ? keysOfMembers(type.members, types, depth) : undefined;
}

function keysOfMembers(
  members: readonly ts.TypeElement[] | undefined,
  types: NamedTypes,
  depth: number,
): Keys | undefined {
  if (members === undefined) return undefined;
  const keys = new Map<string, Key>();
  for (const member of members) {
    const key = member.name && propertyKey(member.name);
    // With keys of any name nothing can be said of single ones.
    if (key === undefined) return undefined;
    keys.set(key, {
      isOptional: member.questionToken !== undefined,
      keys: ts.isPropertySignature(member) ? keysOfType(member.type, types, depth + 1) : undefined,
    });
  }
  return keys;
}

function keysOfPattern(pattern: ts.ObjectBindingPattern): Keys | undefined {
  const keys = new Map<string, Key>();
  for (const { name, propertyName, initializer, dotDotDotToken } of pattern.elements) {
    if (dotDotDotToken !== undefined) return undefined;
    const own = propertyName ?? name;
    const key = ts.isIdentifier(own) ? own.text : ts.isBindingName(own) ? undefined : propertyKey(own);
    if (key === undefined) return undefined;
    keys.set(key, {
      isOptional: initializer !== undefined,
      keys: ts.isObjectBindingPattern(name) ? keysOfPattern(name) : undefined,
    });
  }
  return keys;
}

/** `options.colour`, `options.font.size` and `const { colour } = options`; whether they are needed cannot be told. */
function keysRead(parameter: string, body: ts.Node): Keys | undefined {
  const keys = new Map<string, Key & { readonly keys: Map<string, Key> | undefined }>();
  const add = (key: string, inner?: string): void => {
    const known = keys.get(key)?.keys;
    const own = inner === undefined ? known : (known ?? new Map<string, Key>());
    if (inner !== undefined) own?.set(inner, { isOptional: true, keys: undefined });
    keys.set(key, { isOptional: true, keys: own });
  };
  visitNodes(body, (node) => {
    if (ts.isPropertyAccessExpression(node) && isName(node.expression, parameter)) {
      const { parent } = node;
      const isCalled = ts.isCallExpression(parent) && parent.expression === node;
      const inner =
        ts.isPropertyAccessExpression(parent) && parent.expression === node ? parent.name.text : undefined;
      // A method of the value itself: `text.trim()`.
      if (!isCalled) add(node.name.text, inner);
    }
    if (
      ts.isVariableDeclaration(node) &&
      node.initializer !== undefined &&
      isName(node.initializer, parameter) &&
      ts.isObjectBindingPattern(node.name)
    )
      for (const key of keysOfPattern(node.name)?.keys() ?? []) add(key);
  });
  keys.delete('length');
  return keys.size === 0 ? undefined : keys;
}

function isName(expression: ts.Expression, name: string): boolean {
  const inner = unwrap(expression);
  return ts.isIdentifier(inner) && inner.text === name;
}
