// Proposes new names for calls that failed with "x.old is not a function", one fix for each failing test.
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { Location } from '../../model/position.ts';
import type { TestResult } from '../../model/testResult.ts';
import {
  offsetOf,
  parseTree,
  startOf,
  textOf,
  visitNodes,
  type SourceTree,
} from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import { memberMigration, type MemberMigration } from './memberMigration.ts';

export async function proposeMemberRenames(context: FixContext): Promise<readonly Fix[]> {
  const fixes: Fix[] = [];
  for (const { result } of context.failing) {
    if (context.signal.aborted) break;
    const lost = lostMember(result);
    if (lost === undefined || !context.isTestFile(lost.place.file)) continue;
    const text = await context.readText(lost.place.file);
    if (text === undefined) continue;
    const tree = parseTree(lost.place.file, text);
    const names = callsOf(tree, lost.member, lost.place);
    if (names.length === 0) continue;
    const found = await findMigration(lost.member, result, context);
    if (found === undefined) continue;
    if ('reason' in found) context.refuse?.(result.id, found.reason);
    else fixes.push(toFix(tree, names, lost.member, found, result));
  }
  return fixes;
}

/** From what engines say: `p.parse is not a function`, `(intermediate value).parse is not a function`. */
function lostMember({ failure }: TestResult): { member: string; place: Location } | undefined {
  const member = /\.(?<name>[\p{ID_Start}$_][\p{ID_Continue}$]*) is not a function/u.exec(
    failure?.kind === 'error' ? failure.message : '',
  )?.groups?.['name'];
  // An imported function that is gone is called that way, too.
  const isImport = /\(0 ?, ?[^)]*\) is not a function/.test(failure?.message ?? '');
  return member === undefined || isImport || failure?.location === undefined
    ? undefined
    : { member, place: failure.location };
}

/** The call that failed, and the others of the same object in the same function or test. */
function callsOf(tree: SourceTree, member: string, place: Location): ts.PropertyAccessExpression[] {
  const all: ts.PropertyAccessExpression[] = [];
  visitNodes(tree.ast, (node) => {
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === member
    )
      all.push(node.expression);
  });
  const offset = offsetOf(tree, place);
  const lineOf = (node: ts.Node): number => tree.ast.getLineAndCharacterOfPosition(startOf(tree, node)).line;
  const exact = all.filter((node) => startOf(tree, node.name) === offset || startOf(tree, node) === offset);
  const onLine = all.filter((node) => lineOf(node.name) + 1 === place.line);
  const [failed, ...others] = exact.length > 0 ? exact : onLine;
  if (failed === undefined || others.length > 0) return [];
  const body = functionAround(failed);
  const receiver = textOf(tree, failed.expression);
  return all.filter((node) => functionAround(node) === body && textOf(tree, node.expression) === receiver);
}

function functionAround(node: ts.Node): ts.Node {
  let current = node;
  while (current.parent !== undefined && !ts.isFunctionLike(current)) current = current.parent;
  return current;
}

/** The one place the member went to; two that differ are refused. */
async function findMigration(
  member: string,
  result: TestResult,
  context: FixContext,
): Promise<(MemberMigration & { when: string }) | { reason: string } | undefined> {
  const { reaching, when, base } = await changesReaching(result.file, context.changes);
  const found: MemberMigration[] = [];
  for (const { file, from, status } of reaching) {
    if (!/\.[cm]?[jt]sx?$/.test(file) || status === 'added') continue;
    const before = await base.baseText(from ?? file);
    const now = status === 'deleted' ? undefined : await context.readText(file);
    if (before === undefined || now === undefined) continue;
    found.push(...memberMigration(parseTree(file, before), parseTree(file, now), member));
  }
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.length === 1 && first.to !== undefined) return { ...first, when };
  return {
    reason:
      found.length === 1
        ? `${first.className}.${member} was removed from ${first.file} ${when}, and nothing tells what stands in for it.`
        : `Several classes lost ${member} ${when}.`,
  };
}

function toFix(
  tree: SourceTree,
  names: readonly ts.PropertyAccessExpression[],
  member: string,
  { className, file, to = member, because, when }: MemberMigration & { when: string },
  result: TestResult,
): Fix {
  const changes = names.map(({ name }) => ({ start: startOf(tree, name), end: name.end, newText: to }));
  const edits = [fileEdit(tree.file, tree.text, changes)];
  const how = because === 'forwards' ? `it only called ${to} with what it was given` : `it is ${to} now`;
  return {
    id: hashText(JSON.stringify(['members', edits])),
    title: `call ${to} (was ${member})`,
    grade: changes.length === 1 ? 'surgical' : 'conservative',
    trust: 'mechanical',
    edits,
    failures: [result.id],
    provider: 'members',
    confidence: 0.9,
    evidence: [`${className}.${member} was removed from ${file} ${when}: ${how}.`],
  };
}
