// What the sources declare of a member that a double lacks: in which class or type, since when, and whether it answers anything.
import ts from 'typescript';
import { changesReaching } from '../../diagnosis/stops.ts';
import { bindingOf } from '../../syntax/javascript/declarations.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { parseTree, unwrap, visitNodes, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import type { LackedMember } from './lackedMember.ts';

/** A class, an interface or a type with the member. */
export interface DeclaredMember {
  readonly owner: string;
  /** Where it is declared, relative to the root. */
  readonly file: string;
  /** All that it has. */
  readonly members: ReadonlySet<string>;
  /** What it had at the base and has no longer. */
  readonly lost: ReadonlySet<string>;
  /** `nothing`, also when it waits first (`later`); else callers get an answer. */
  readonly answer: 'nothing' | 'nothing later' | 'something';
  readonly when: string;
}

/**
 * The one declaration that the lacked member belongs to: the declared type of what it was asked of, else the only class or type of
 * the changed sources that has it newly. Undefined where there is none, and where neither it nor its use is new.
 */
export async function memberType(
  lack: LackedMember,
  testFile: string,
  context: FixContext,
): Promise<DeclaredMember | undefined> {
  const { reaching, when, base } = await changesReaching(testFile, context.changes);
  const user = reaching.find(({ file }) => file === lack.tree.file);
  const before = user && (await base.baseText(user.from ?? user.file));
  const isNewUse =
    user !== undefined && before !== undefined && !asksFor(lack.name, parseTree(user.file, before));
  const found: (DeclaredMember & { readonly isNew: boolean })[] = [];
  const files = new Set([lack.tree.file, ...reaching.map(({ file }) => file)]);
  for (const file of files) {
    const text = /\.[cm]?[jt]sx?$/.test(file) ? await context.readText(file) : undefined;
    if (text === undefined) continue;
    const change = reaching.find((one) => one.file === file);
    const old = change && (await base.baseText(change.from ?? file));
    const was = old === undefined ? new Map<string, Owner>() : ownersIn(parseTree(file, old));
    for (const [owner, { members, isType }] of ownersIn(parseTree(file, text))) {
      const member = members.get(lack.name);
      if (member === undefined) continue;
      const had = was.get(owner)?.members;
      const lost = new Set([...(had?.keys() ?? [])].filter((name) => !members.has(name)));
      const isNew = change !== undefined && had?.has(lack.name) !== true;
      const answer = answerOf(member, isType);
      found.push({ owner, file, members: new Set(members.keys()), lost, answer, when, isNew });
    }
  }
  const type = typeOf(lack.access.expression);
  const fitting =
    type === undefined ? found.filter(({ isNew }) => isNew) : found.filter(({ owner }) => owner === type);
  const [only, another] = fitting;
  return only !== undefined && another === undefined && (only.isNew || isNewUse) ? only : undefined;
}

function asksFor(name: string, { ast }: SourceTree): boolean {
  let found = false;
  visitNodes(ast, (node) => {
    found ||= ts.isPropertyAccessExpression(node) && node.name.text === name;
  });
  return found;
}

interface Owner {
  readonly members: ReadonlyMap<string, ts.TypeElement | ts.ClassElement>;
  readonly isType: boolean;
}

function ownersIn({ ast }: SourceTree): ReadonlyMap<string, Owner> {
  const owners = new Map<string, Owner>();
  visitNodes(ast, (node) => {
    const elements: readonly (ts.TypeElement | ts.ClassElement)[] | undefined =
      ts.isInterfaceDeclaration(node) || (ts.isClassLike(node) && node.name !== undefined)
        ? node.members
        : ts.isTypeAliasDeclaration(node) && ts.isTypeLiteralNode(node.type)
          ? node.type.members
          : undefined;
    const name =
      ts.isInterfaceDeclaration(node) || ts.isClassLike(node) || ts.isTypeAliasDeclaration(node)
        ? node.name?.text
        : undefined;
    if (elements === undefined || name === undefined) return;
    const members = new Map<string, ts.TypeElement | ts.ClassElement>();
    for (const element of elements) {
      const key = element.name && propertyKey(element.name);
      if (key !== undefined && !isPrivate(element)) members.set(key, element);
    }
    owners.set(name, { members, isType: !ts.isClassLike(node) });
  });
  return owners;
}

const isPrivate = (node: ts.TypeElement | ts.ClassElement): boolean =>
  ts.canHaveModifiers(node) &&
  ts
    .getModifiers(node)
    ?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword || kind === ts.SyntaxKind.StaticKeyword) ===
    true;

/** By the declared type; in a class without one, by what the method returns. */
function answerOf(member: ts.TypeElement | ts.ClassElement, isType: boolean): DeclaredMember['answer'] {
  const type = declaredResult(member);
  if (type !== undefined) {
    const text = type.getText().replace(/\s+/g, '');
    if (text === 'void') return 'nothing';
    return text === 'Promise<void>' ? 'nothing later' : 'something';
  }
  if (isType || !ts.isMethodDeclaration(member) || member.body === undefined) return 'something';
  if (member.asteriskToken !== undefined || returnsSomething(member.body)) return 'something';
  const isAsync = ts.getModifiers(member)?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword) === true;
  return isAsync ? 'nothing later' : 'nothing';
}

function declaredResult(member: ts.TypeElement | ts.ClassElement): ts.TypeNode | undefined {
  if (ts.isMethodSignature(member) || ts.isMethodDeclaration(member)) return member.type;
  if (ts.isPropertySignature(member) || ts.isPropertyDeclaration(member))
    return member.type !== undefined && ts.isFunctionTypeNode(member.type) ? member.type.type : undefined;
  return undefined;
}

function returnsSomething(body: ts.Node): boolean {
  let found = false;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) || ts.isClassLike(node)) return;
    found ||= ts.isReturnStatement(node) && node.expression !== undefined;
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(body, visit);
  return found;
}

/** The name of the declared type: of a parameter, a variable, or a property of the class around. */
function typeOf(receiver: ts.Expression): string | undefined {
  const node = unwrap(receiver);
  if (ts.isIdentifier(node)) {
    const declaration = bindingOf(node)?.declaration;
    return declaration !== undefined &&
      (ts.isVariableDeclaration(declaration) || ts.isParameter(declaration)) &&
      declaration.name.getText() === node.text
      ? nameOf(declaration.type)
      : undefined;
  }
  if (!ts.isPropertyAccessExpression(node) || node.expression.kind !== ts.SyntaxKind.ThisKeyword)
    return undefined;
  let holder: ts.Node = node;
  while (holder.parent !== undefined && !ts.isClassLike(holder)) holder = holder.parent;
  if (!ts.isClassLike(holder)) return undefined;
  for (const member of holder.members) {
    if (ts.isPropertyDeclaration(member) && member.name.getText() === node.name.text)
      return nameOf(member.type);
    if (!ts.isConstructorDeclaration(member)) continue;
    const parameter = member.parameters.find((one) => one.name.getText() === node.name.text);
    if (parameter !== undefined && (ts.getModifiers(parameter)?.length ?? 0) > 0)
      return nameOf(parameter.type);
  }
  return undefined;
}

const nameOf = (type: ts.TypeNode | undefined): string | undefined =>
  type !== undefined && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName)
    ? type.typeName.text
    : undefined;
