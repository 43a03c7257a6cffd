// Writes what a deleted function was in the place of its calls, in all of a test file at once.
import ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { applyChanges, fileEdit, type TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { codeLine } from '../../model/visibleText.ts';
import { bindingOf, usesOf } from '../../syntax/javascript/declarations.ts';
import { parseTree, startOf, unwrap, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import { createPairReader } from '../obsolete/changedPairs.ts';
import { importNeeds } from './importNeeds.ts';
import { inlineCall } from './inlineCall.ts';
import { removedShortcuts, type Shortcut } from './removedShortcuts.ts';
import { isRewrittenElsewhere } from './rewrittenElsewhere.ts';
import { callsOf } from './shortcutCalls.ts';

const shortcutsId = 'removed-shortcut';

export async function proposeShortcuts(context: FixContext): Promise<readonly Fix[]> {
  const readPairs = createPairReader(context);
  const byFile = new Map<string, TestResult[]>();
  for (const { result } of context.failing)
    if (isCandidate(result, context)) byFile.set(result.file, [...(byFile.get(result.file) ?? []), result]);
  const fixes: Fix[] = [];
  for (const [file, results] of byFile) {
    if (context.signal.aborted) break;
    const { pairs, when } = await readPairs(file);
    const all = removedShortcuts(pairs);
    const missed = all.filter(({ name }) => results.some((one) => misses(one, name)));
    // A test tells only of the first that it misses.
    const gone = all.filter((one) => missed.some((other) => other.file === one.file));
    const text = missed.length === 0 ? undefined : await context.readText(file);
    if (text === undefined) continue;
    const own = results.filter((result) => missed.some(({ name }) => misses(result, name)));
    const tree = parseTree(file, text);
    const changes = changesOf(tree, gone);
    if ('reason' in changes) for (const { id } of own) context.refuse?.(id, changes.reason);
    else if (changes.size > 0) {
      const isMeant = [...changes.keys()].every((one) => isRewrittenElsewhere(one, pairs));
      fixes.push(fixOf(tree, changes, own, { when, isMeant }));
    }
  }
  return fixes;
}

function isCandidate({ id, file, failure }: TestResult, context: FixContext): boolean {
  const { proposed = [] } = context;
  const isFollowed = proposed.some(({ trust, failures }) => trust === 'mechanical' && failures.includes(id));
  return failure !== undefined && !isFollowed && /\.[cm]?[jt]sx?$/.test(file) && context.isTestFile(file);
}

/** Does the test fail because just this name is not there? */
function misses({ failure }: TestResult, name: string): boolean {
  const message = failure?.message ?? '';
  return (
    /\bis not (?:a function|defined)\b|\bexport named\b|\bno exported member\b/.test(message) &&
    message.split(/[^\w$]+/).includes(name)
  );
}

type Changes = ReadonlyMap<Shortcut, readonly TextChange[]>;

function changesOf(tree: SourceTree, shortcuts: readonly Shortcut[]): Changes | { readonly reason: string } {
  const found = new Map<Shortcut, TextChange[]>();
  const given = new Map<string, string>();
  for (const shortcut of shortcuts) {
    const calls = callsOf(tree, shortcut);
    const [first] = calls;
    const use = first && nameIn(first);
    if (use === undefined) continue;
    if (isUsedOtherwise(tree, use, shortcut, calls))
      return { reason: `${shortcut.name}, which is gone, is used otherwise than by calling it.` };
    const needs = importNeeds(tree, shortcut, use, given);
    if ('reason' in needs) return needs;
    const changes = [...needs.changes];
    for (const call of calls) {
      const text = inlineCall(tree, call, shortcut, (name) => needs.nameOf(name));
      if (typeof text !== 'string') return text;
      changes.push({ start: startOf(tree, call), end: call.end, newText: text });
    }
    found.set(shortcut, changes);
  }
  try {
    applyChanges([...found.values()].flat(), tree.text);
  } catch {
    return {
      reason: 'Calls of functions that are gone stand inside of each other, or their imports side by side.',
    };
  }
  return found;
}

/** `f` of `f()`, `ns` of `ns.f()` */
function nameIn(call: ts.CallExpression): ts.Identifier | undefined {
  const callee = unwrap(call.expression);
  const name = ts.isPropertyAccessExpression(callee) ? callee.expression : callee;
  return ts.isIdentifier(name) ? name : undefined;
}

function isUsedOtherwise(
  tree: SourceTree,
  use: ts.Identifier,
  { name }: Shortcut,
  calls: readonly ts.CallExpression[],
): boolean {
  const binding = bindingOf(use);
  if (binding === undefined) return true;
  const called = new Set<ts.Node | undefined>(calls.map(nameIn));
  return usesOf(tree, binding).some((one) => {
    if (called.has(one)) return false;
    const { parent } = one;
    const isMember = ts.isPropertyAccessExpression(parent) && parent.expression === one;
    return !ts.isNamespaceImport(binding.declaration) || !isMember || parent.name.text === name;
  });
}

interface Deletion {
  readonly when: string;
  /** The change wrote out what it deleted by itself, in another source. */
  readonly isMeant: boolean;
}

function fixOf(
  tree: SourceTree,
  changes: Changes,
  results: readonly TestResult[],
  { when, isMeant }: Deletion,
): Fix {
  const all = new Map([...changes.values()].flat().map((one) => [JSON.stringify(one), one]));
  const edits = [fileEdit(tree.file, tree.text, [...all.values()])];
  const [first] = changes.keys();
  return {
    id: hashText(JSON.stringify([shortcutsId, edits])),
    title: `write what ${first?.name ?? 'it'}() was${changes.size > 1 ? ` and ${changes.size - 1} more` : ''}`,
    grade: 'conservative',
    trust: isMeant ? 'mechanical' : 'oracle',
    edits,
    mendsCalls: true,
    failures: results.map(({ id }) => id),
    provider: shortcutsId,
    confidence: 0.9,
    evidence: [...changes.keys()].map(
      ({ name, file, body }) =>
        `${name}() in ${file}, which was deleted ${when}, was nothing but \`${codeLine(body.getText())}\`.`,
    ),
    ...(!isMeant && {
      otherSide: `${[...changes.keys()].map(({ name }) => `${name}()`).join(' and ')} may have been deleted by mistake: then the source has to have it back.`,
    }),
  };
}
