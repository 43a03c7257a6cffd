// What has members in one source text: classes, objects, enums, types, what functions return, and the options they take.
import ts from 'typescript';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { startOf, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';

export type OwnerKind = 'class' | 'type' | 'enum' | 'object' | 'result' | 'options';

export interface Member {
  readonly name: string;
  /** The text that makes it what it is, with the places of names that a rename would change. */
  readonly body: readonly Token[];
  /** Its place among the members of its owner. */
  readonly index: number;
  readonly method?: ts.MethodDeclaration;
  /** Of options: nothing declares it, it is only read, or taken out under another name. */
  readonly isOnlyRead?: boolean;
}

/** A piece of source text; a name when a renamed member could stand there. */
export interface Token {
  readonly text: string;
  readonly isName: boolean;
  /** Of a text between quotes, which may say a name: `'total'`. */
  readonly said?: string;
}

export interface Owner {
  readonly kind: OwnerKind;
  /** Of the class, object, enum or type; of the function whose result or options these are. */
  readonly name: string;
  /** Which parameter takes the options. */
  readonly parameter?: number;
  readonly members: ReadonlyMap<string, Member>;
  /** It may have members that are not written here: inherited, spread into it, or of any name. */
  readonly isOpen: boolean;
  /** Its members are given one by one: `cart.total = …`, `Cart.prototype.total = …`. */
  readonly isAssigned?: true;
}

export interface FunctionShape {
  /** Named types of the parameters, undefined where there is none. */
  readonly parameters: readonly (string | undefined)[];
  /** The named type that it returns or promises. */
  readonly result: string | undefined;
}

export interface Owners {
  /** By kind, name and parameter; what is declared twice under one key says nothing and is left out. */
  readonly all: ReadonlyMap<string, Owner>;
  /** Functions and, under the name of their class, constructors. */
  readonly functions: ReadonlyMap<string, FunctionShape>;
}

export function ownersOf(tree: SourceTree): Owners {
  const all = new Map<string, Owner | undefined>();
  const functions = new Map<string, FunctionShape>();
  const add = (owner: Owner): void => {
    if (owner.members.size === 0) return;
    const key = keyOf(owner);
    all.set(key, all.has(key) ? undefined : owner);
  };
  visitNodes(tree.ast, (node) => {
    if (ts.isClassLike(node)) {
      const isOpen =
        node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) === true;
      add({ kind: 'class', name: nameOf(node), members: classMembers(tree, node), isOpen });
    } else if (ts.isInterfaceDeclaration(node)) {
      const isOpen = node.heritageClauses !== undefined || node.members.some(ts.isIndexSignatureDeclaration);
      add({ kind: 'type', name: node.name.text, members: typeMembers(tree, node.members), isOpen });
    } else if (ts.isTypeAliasDeclaration(node)) {
      const isOpen = !ts.isTypeLiteralNode(node.type);
      for (const literal of literalsOf(node.type))
        add({ kind: 'type', name: node.name.text, members: typeMembers(tree, literal.members), isOpen });
    } else if (ts.isEnumDeclaration(node))
      add({ kind: 'enum', name: node.name.text, members: enumMembers(tree, node), isOpen: false });
    else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
      addObject(tree, node.name.text, node.initializer, add);
    else if (ts.isExportAssignment(node)) addObject(tree, 'default', node.expression, add);
    else if (ts.isBinaryExpression(node) && node.left.getText(tree.ast) === 'module.exports')
      addObject(tree, 'module.exports', node.right, add);
    if (ts.isFunctionLike(node) && 'body' in node) addFunction(tree, node, functions, add);
  });
  for (const owner of assignedOwners(tree)) if (!all.has(keyOf(owner))) add(owner);
  return {
    all: new Map([...all].flatMap(([key, owner]) => (owner ? [[key, owner] as const] : []))),
    functions,
  };
}

const keyOf = ({ kind, name, parameter }: Pick<Owner, 'kind' | 'name' | 'parameter'>): string =>
  JSON.stringify([kind, name, parameter]);

interface Assigned {
  readonly kind: 'class' | 'object';
  readonly name: string;
  readonly scope: ts.Node;
  readonly given: Written[];
}

/** What gets its members one by one, in one function or at the top; a name that two of them have is left out. */
function assignedOwners(tree: SourceTree): readonly Owner[] {
  const found = new Map<string, Assigned | undefined>();
  visitNodes(tree.ast, (node) => {
    if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken) return;
    const { left, right } = node;
    if (!ts.isPropertyAccessExpression(left)) return;
    const holder = left.expression;
    const isPrototype = ts.isPropertyAccessExpression(holder) && holder.name.text === 'prototype';
    const owner = isPrototype ? holder.expression : holder;
    if (!ts.isIdentifier(owner) || /^(?:module|exports)$/.test(owner.text)) return;
    let scope: ts.Node = node;
    while (scope.parent !== undefined && !ts.isFunctionLike(scope)) scope = scope.parent;
    const kind = isPrototype ? 'class' : 'object';
    const key = keyOf({ kind, name: owner.text });
    const fresh: Assigned = { kind, name: owner.text, scope, given: [] };
    const known = found.has(key) ? found.get(key) : fresh;
    known?.given.push([left.name.text, [right]]);
    found.set(key, known?.scope === scope ? known : undefined);
  });
  return [...found.values()].flatMap((one) =>
    one === undefined
      ? []
      : [
          {
            kind: one.kind,
            name: one.name,
            members: collect(tree, one.given),
            isOpen: true,
            isAssigned: true as const,
          },
        ],
  );
}

/** The name of a class or function, also of one that is given to a variable, a property or is a constructor. */
function nameOf(node: ts.ClassLikeDeclaration | ts.SignatureDeclaration): string {
  if (ts.isConstructorDeclaration(node)) return nameOf(node.parent);
  if (node.name !== undefined && (ts.isIdentifier(node.name) || ts.isStringLiteral(node.name)))
    return node.name.text;
  const { parent } = node;
  if ((ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) && ts.isIdentifier(parent.name))
    return parent.name.text;
  // exports.cart = function …
  const exported = ts.isBinaryExpression(parent) && parent.right === node ? parent.left.getText() : '';
  const [, given] = /^(?:module\.)?exports\.([\w$]+)$/.exec(exported) ?? [];
  if (given !== undefined) return given;
  return ts.isExportAssignment(parent) || ts.isSourceFile(parent) ? 'default' : '';
}

function literalsOf(type: ts.TypeNode): readonly ts.TypeLiteralNode[] {
  if (ts.isTypeLiteralNode(type)) return [type];
  const parts = ts.isIntersectionTypeNode(type) ? type.types.filter(ts.isTypeLiteralNode) : [];
  return parts.length === 1 ? parts : [];
}

/** A member as it is written: its name, the parts that make it what it is, the method if it is one. */
type Written = readonly [
  name: string | undefined,
  parts: readonly ts.Node[],
  method?: ts.MethodDeclaration | undefined,
];

function collect(tree: SourceTree, found: readonly Written[]): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  for (const [index, [name, parts, method]] of found.entries()) {
    if (name === undefined || members.has(name)) continue;
    const body = parts.flatMap((part) => tokensOf(tree, part));
    members.set(name, { name, body, index, ...(method && { method }) });
  }
  return members;
}

function classMembers(tree: SourceTree, node: ts.ClassLikeDeclaration): ReadonlyMap<string, Member> {
  return collect(
    tree,
    node.members.flatMap((member): readonly Written[] => {
      if (ts.isConstructorDeclaration(member))
        return member.parameters.flatMap((parameter) =>
          (ts.getModifiers(parameter)?.length ?? 0) > 0 && ts.isIdentifier(parameter.name)
            ? [[parameter.name.text, without(parameter, parameter.name)] as const]
            : [],
        );
      if (member.name === undefined) return [];
      const parts = without(member, member.name);
      return [
        [propertyKey(member.name), parts, ts.isMethodDeclaration(member) ? member : undefined] as const,
      ];
    }),
  );
}

function typeMembers(tree: SourceTree, members: readonly ts.TypeElement[]): ReadonlyMap<string, Member> {
  return collect(
    tree,
    members.map((member) => [
      member.name && propertyKey(member.name),
      member.name ? without(member, member.name) : [],
    ]),
  );
}

function enumMembers(tree: SourceTree, node: ts.EnumDeclaration): ReadonlyMap<string, Member> {
  return collect(
    tree,
    node.members.map((member) => [propertyKey(member.name), without(member, member.name)]),
  );
}

function addObject(
  tree: SourceTree,
  name: string,
  value: ts.Expression,
  add: (owner: Owner) => void,
  kind: 'object' | 'result' = 'object',
): void {
  let inner = unwrap(value);
  if (
    ts.isCallExpression(inner) &&
    inner.expression.getText(tree.ast) === 'Object.freeze' &&
    inner.arguments[0]
  )
    inner = unwrap(inner.arguments[0]);
  if (!ts.isObjectLiteralExpression(inner)) return;
  const isOpen = inner.properties.some(
    (property) => property.name === undefined || !propertyKey(property.name),
  );
  add({ kind, name, members: objectMembers(tree, inner), isOpen });
  for (const property of inner.properties) {
    const key = property.name && propertyKey(property.name);
    if (key !== undefined && ts.isPropertyAssignment(property))
      addObject(tree, `${name}.${key}`, property.initializer, add, kind);
  }
}

function objectMembers(tree: SourceTree, node: ts.ObjectLiteralExpression): ReadonlyMap<string, Member> {
  return collect(
    tree,
    node.properties.map((property): Written => {
      const key = property.name && propertyKey(property.name);
      if (ts.isPropertyAssignment(property)) return [key, [property.initializer]];
      if (ts.isShorthandPropertyAssignment(property)) return [key, [property.name]];
      return property.name
        ? [key, without(property, property.name), ts.isMethodDeclaration(property) ? property : undefined]
        : [undefined, []];
    }),
  );
}

function addFunction(
  tree: SourceTree,
  node: ts.SignatureDeclaration & { readonly body?: ts.Node | undefined },
  functions: Map<string, FunctionShape>,
  add: (owner: Owner) => void,
): void {
  const name = nameOf(node);
  if (name === '' || node.body === undefined) return;
  functions.set(name, {
    parameters: node.parameters.map(({ type }) => typeName(type)),
    result: ts.isConstructorDeclaration(node) ? name : (typeName(node.type) ?? madeClass(node.body)),
  });
  const results = returnedObjects(node.body);
  const [only] = results;
  if (only !== undefined && results.length === 1) addObject(tree, name, only, add, 'result');
  for (const [index, parameter] of node.parameters.entries()) {
    const members = optionMembers(tree, parameter, node.body);
    if (members !== undefined) add({ kind: 'options', name, parameter: index, members, isOpen: true });
  }
}

function typeName(type: ts.TypeNode | undefined): string | undefined {
  if (type === undefined || !ts.isTypeReferenceNode(type) || !ts.isIdentifier(type.typeName))
    return undefined;
  const { text } = type.typeName;
  return /^(?:Promise|Readonly|Partial|Required)$/.test(text) ? typeName(type.typeArguments?.[0]) : text;
}

function returnedObjects(body: ts.Node): readonly ts.ObjectLiteralExpression[] {
  return returnedValues(body).filter(ts.isObjectLiteralExpression);
}

/** The class whose instance a function makes or, as a method, is one of. */
function madeClass(body: ts.Node): string | undefined {
  const names = new Set(
    returnedValues(body).map((value) => {
      if (ts.isNewExpression(value)) return value.expression.getText();
      if (value.kind !== ts.SyntaxKind.ThisKeyword) return undefined;
      let up: ts.Node = value;
      while (up.parent !== undefined && !ts.isClassLike(up)) up = up.parent;
      return ts.isClassLike(up) ? nameOf(up) : undefined;
    }),
  );
  const [only] = names;
  return names.size === 1 ? only : undefined;
}

function returnedValues(body: ts.Node): readonly ts.Expression[] {
  if (ts.isExpression(body)) return [unwrap(body)];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) found.push(unwrap(node.expression));
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/** What a function takes out of a parameter: by destructuring, by its inline type, or by reading it. */
function optionMembers(
  tree: SourceTree,
  { name, type }: ts.ParameterDeclaration,
  body: ts.Node,
): ReadonlyMap<string, Member> | undefined {
  if (ts.isObjectBindingPattern(name)) {
    const members = collect(
      tree,
      name.elements.map((element) => {
        const own = element.propertyName ?? element.name;
        if (element.dotDotDotToken || ts.isBindingName(own) !== ts.isIdentifier(own)) return [undefined, []];
        const key = ts.isIdentifier(own) ? own.text : ts.isPropertyName(own) ? propertyKey(own) : undefined;
        // What is done with it says what it is.
        return [key, [...(element.initializer ? [element.initializer] : []), body]];
      }),
    );
    const declared = new Set(
      name.elements.flatMap((one) =>
        one.propertyName === undefined && ts.isIdentifier(one.name) ? [one.name.text] : [],
      ),
    );
    return onlyRead(members, (key) => !declared.has(key));
  }
  if (!ts.isIdentifier(name)) return undefined;
  if (type !== undefined && ts.isTypeLiteralNode(type)) return typeMembers(tree, type.members);
  const read = new Set<string>();
  visitNodes(body, (node) => {
    if (ts.isPropertyAccessExpression(node) && isParameter(node.expression, name)) read.add(node.name.text);
    // const { indent = ' ' } = options;
    if (!ts.isVariableDeclaration(node) || !ts.isObjectBindingPattern(node.name)) return;
    if (node.initializer === undefined || !isParameter(node.initializer, name)) return;
    for (const { dotDotDotToken, name: own, propertyName = own } of node.name.elements) {
      const key = ts.isIdentifier(propertyName) ? propertyName.text : undefined;
      if (key !== undefined && dotDotDotToken === undefined) read.add(key);
    }
  });
  const members = collect(
    tree,
    [...read].map((key) => [key, [body]]),
  );
  return onlyRead(members, () => true);
}

/** `options`, or `options ?? {}`. */
function isParameter(value: ts.Expression, name: ts.Identifier): boolean {
  const inner = unwrap(value);
  if (ts.isBinaryExpression(inner))
    return isParameter(inner.left, name) && /^(?:\?\?|\|\|)$/.test(inner.operatorToken.getText());
  return ts.isIdentifier(inner) && inner.text === name.text;
}

const onlyRead = (
  members: ReadonlyMap<string, Member>,
  isMeant: (name: string) => boolean,
): ReadonlyMap<string, Member> =>
  new Map([...members].map(([name, one]) => [name, isMeant(name) ? { ...one, isOnlyRead: true } : one]));

/** The parts of a declaration besides its name. */
function without(node: ts.Node, name: ts.Node): readonly ts.Node[] {
  const parts: ts.Node[] = [];
  ts.forEachChild(node, (child) => {
    if (child !== name) parts.push(child);
  });
  return parts;
}

function tokensOf(tree: SourceTree, node: ts.Node): readonly Token[] {
  const tokens: Token[] = [];
  const visit = (part: ts.Node): void => {
    const children = part.getChildren(tree.ast).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) return children.forEach(visit);
    const text = tree.text.slice(startOf(tree, part), part.end);
    if (text === '' || /^[,;]$/.test(text)) return;
    const said = ts.isStringLiteralLike(part) ? { said: part.text } : {};
    tokens.push({ text, isName: ts.isIdentifier(part), ...said });
  };
  visit(node);
  return tokens;
}
