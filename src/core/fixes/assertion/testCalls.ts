// The test and describe calls around a place in a test file, and the hooks.
import ts from 'typescript';
import { testApiOf } from '../../frameworks/testApiOf.ts';
import { scriptVocabulary } from '../../frameworks/vocabularies.ts';
import type { HookPhase } from '../../syntax/vocabulary.ts';

export interface TestCall {
  readonly kind: 'test' | 'group';
  readonly call: ts.CallExpression;
}

/** From the innermost outwards: the calls whose callback the node lies in. */
export function testCallsAround(node: ts.Node): TestCall[] {
  const calls: TestCall[] = [];
  for (let current: ts.Node | undefined = node; current !== undefined; current = current.parent) {
    if (!ts.isCallExpression(current)) continue;
    const kind = kindOfCall(current);
    const bodies = kind === 'untitled' ? current.arguments : current.arguments.slice(1);
    if (kind !== undefined && bodies.some((argument) => holds(argument, node)))
      calls.push({ kind: kind === 'test' ? 'test' : 'group', call: current });
  }
  return calls;
}

/** What the call declares: a test, a suite with or without a title, or neither. */
export function kindOfCall(call: ts.CallExpression): 'test' | 'group' | 'untitled' | undefined {
  const resolver = testApiOf(call.getSourceFile());
  const api = resolver.declaredBy(call);
  if (api !== undefined) return api.role === 'test' ? 'test' : 'group';
  if (resolver.untitledSuite(call) !== undefined) return 'untitled';
  const isBench = ts.isIdentifier(call.expression) && scriptVocabulary.benches?.has(call.expression.text);
  return isBench === true ? 'test' : undefined;
}

/** When the hook that this call declares runs, under whatever name; undefined when it declares none. */
export function hookPhaseOf(call: ts.CallExpression): HookPhase | undefined {
  const name = testApiOf(call.getSourceFile()).hookOf(call);
  return name === undefined ? undefined : scriptVocabulary.hooks.get(name);
}

/** True when the node is part of a title or a table of tests, not of what they do. */
export function isInTitle(node: ts.Node): boolean {
  for (let current = node; current.parent !== undefined; current = current.parent) {
    const parent = current.parent;
    if (!ts.isCallExpression(parent) || parent.arguments[0] !== current) continue;
    const kind = parent.arguments.length > 1 ? kindOfCall(parent) : undefined;
    if (kind !== undefined && kind !== 'untitled') return true;
  }
  return false;
}

export function holds(outer: ts.Node, inner: ts.Node): boolean {
  return outer.pos <= inner.pos && inner.end <= outer.end;
}
