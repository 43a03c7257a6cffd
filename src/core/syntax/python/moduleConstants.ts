// Constants of a module of tests that stand for nothing but what its tests expect: `EXPECTED = "…"`.
import type { SyntaxNode } from '@lezer/common';
import type { ExpectationContext } from './expectationContext.ts';
import { expectedSides } from './expectedSides.ts';
import { namesWritten } from './expectedParts.ts';
import { childrenOf, type PythonSource } from './parsePython.ts';
import { safeAssertions } from './safeAssertions.ts';
import type { TestFunction } from './testFunctions.ts';
import { writtenValue } from './valueNames.ts';
import { wrappedText } from './wrappedText.ts';

/**
 * By name, with their values: given a literal once, and mentioned nowhere, not even in a text, but as the expected side of certain
 * assertions that all compare in one way, and taken by no other file. `wanted`: none, unless it mentions one.
 */
export function moduleConstants(
  tests: readonly TestFunction[],
  source: PythonSource,
  context: ExpectationContext,
  wanted = source.text,
): ReadonlyMap<string, SyntaxNode> {
  const candidates = candidatesIn(source);
  const isMentioned = [...candidates.keys()].some((name) => mentionsOf(name, wanted) > 0);
  if (candidates.size === 0 || !isMentioned) return new Map();
  const uses = new Map<string, { count: number; readonly kinds: Set<string> }>();
  for (const test of tests) {
    const safe = safeAssertions(test, source, context);
    const { sides, variables } = expectedSides(test, safe, source, context, candidates);
    for (const { node, kind } of sides)
      for (const use of namesWritten(node, source)) {
        const name = source.textOf(use);
        if (variables.get(name) !== candidates.get(name)) continue;
        const known = uses.get(name) ?? { count: 0, kinds: new Set() };
        known.count++;
        uses.set(name, known);
        known.kinds.add(kind);
      }
  }
  const isTrusted = (name: string): boolean => {
    const used = uses.get(name);
    return (
      used?.kinds.size === 1 &&
      used.count === mentionsOf(name, source.text.normalize('NFKC')) - 1 &&
      context.isTaken?.(name) !== true
    );
  };
  return new Map([...candidates].filter(([name]) => isTrusted(name)));
}

function candidatesIn(source: PythonSource): ReadonlyMap<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const statement of childrenOf(source.root)) {
    if (statement.name !== 'AssignStatement') continue;
    const [target, sign, value, ...more] = childrenOf(statement).filter(({ name }) => name !== 'TypeDef');
    if (target?.name !== 'VariableName' || sign?.name !== 'AssignOp' || !value || more.length > 0) continue;
    const name = source.textOf(target);
    if (
      /^[A-Za-z]\w*$/.test(name) &&
      (writtenValue(value, source) ?? wrappedText(value, source)) !== undefined
    )
      found.set(name, value);
  }
  return found;
}

const mentionsOf = (name: string, text: string): number =>
  text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0;
