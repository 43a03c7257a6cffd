// Whether a JavaScript source still uses a member under the name that a test would give up.
import ts from 'typescript';
import {
  lineOf,
  parseTree,
  textOf,
  visitNodes,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import { propertyKey } from '../../syntax/javascript/literalSource.ts';
import { memberUses, type MemberUse } from '../members/memberUses.ts';
import type { FunctionShape, Owner } from '../members/owners.ts';
import { isOwner, isUnknown } from '../members/receivers.ts';
import { tooMany, type WorkspaceSources } from './workspaceSources.ts';

interface LostMember {
  readonly owner: Pick<Owner, 'kind' | 'name' | 'parameter'>;
  readonly member: string;
  /** Relative to the root, as it is called now. */
  readonly file: string;
}

/** A sentence that names file and line; undefined where all sources went along. */
export async function staleMemberUse(
  lost: LostMember,
  functions: ReadonlyMap<string, FunctionShape>,
  sources: WorkspaceSources,
): Promise<string | undefined> {
  const found = await sources.mentioning(lost.member, lost.file);
  if (found === undefined) return tooMany(lost.member);
  for (const { file, text } of found) {
    const tree = parseTree(file, text);
    const line = lineOfUse(tree, lost, functions);
    if (line === undefined) continue;
    return file === lost.file
      ? `${lost.member} is still read in that file, in line ${line}.`
      : `Line ${line} of ${file} still uses ${lost.member}.`;
  }
  return undefined;
}

function lineOfUse(
  tree: SourceTree,
  lost: LostMember,
  functions: ReadonlyMap<string, FunctionShape>,
): number | undefined {
  const uses = memberUses(lost.member, { tree, functions }).filter((use) => isLeft(use, lost));
  const [first] = uses.map(({ node }) => node);
  const asked = first ?? questionIn(tree, lost.member);
  return asked === undefined ? undefined : lineOf(tree, asked);
}

function isLeft({ kind, node, owners }: MemberUse, { owner, member }: LostMember): boolean {
  if (owners?.some((one) => isOwner(one, owner)) === true) return true;
  if (kind === 'given' || !isUnknown(owners)) return false;
  if (kind === 'taken') return owner.kind !== 'options' || !isParameter(node);
  // What another function certainly gave is no result of this one.
  const isOfCall = owner.kind === 'result' && owners?.every(({ kinds }) => kinds.includes('result')) === true;
  return !isOfCall && !isOwnMember(node, member);
}

/** `function other({ colour })` takes an option of its own. */
function isParameter(node: ts.Node): boolean {
  let up = node;
  while (up.parent !== undefined && !ts.isVariableDeclaration(up) && !ts.isFunctionLike(up)) {
    if (ts.isParameter(up)) return true;
    up = up.parent;
  }
  return false;
}

/** `this.total` in a class that has a total of its own. */
function isOwnMember(name: ts.Node, member: string): boolean {
  const access = name.parent;
  if (!ts.isPropertyAccessExpression(access) || access.expression.kind !== ts.SyntaxKind.ThisKeyword)
    return false;
  let up: ts.Node = access;
  while (up.parent !== undefined && !ts.isClassLike(up) && !ts.isObjectLiteralExpression(up)) up = up.parent;
  const members: readonly { readonly name?: ts.PropertyName | undefined }[] = ts.isClassLike(up)
    ? up.members
    : ts.isObjectLiteralExpression(up)
      ? up.properties
      : [];
  return members.some((one) => one.name !== undefined && propertyKey(one.name) === member);
}

/** `'errors' in result` */
function questionIn(tree: SourceTree, member: string): ts.Node | undefined {
  let found: ts.Node | undefined;
  visitNodes(tree.ast, (node) => {
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.InKeyword &&
      ts.isStringLiteralLike(node.left) &&
      textOf(tree, node.left).slice(1, -1) === member
    )
      found ??= node;
  });
  return found;
}
