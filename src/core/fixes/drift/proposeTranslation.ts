// Proposes to write failing test files for the runner that the project has now.
import type ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { applyChanges, fileEdit, type FileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { parseTree } from '../../syntax/javascript/sourceTree.ts';
import type { FixContext } from '../fixProvider.ts';
import { driftOf, runnerChange, saysGlobals, type Drift } from './runnerChange.ts';
import type { Runner } from './runnerTable.ts';
import { translateFile, type Translation } from './translateFile.ts';

export const providerId = 'runner-api';

interface Drifted {
  readonly result: TestResult;
  readonly drift: Drift;
  /** The test file, or the helper of tests in which it failed. */
  readonly file: string;
}

export async function proposeTranslation(context: FixContext): Promise<readonly Fix[]> {
  const byFile = new Map<string, Drifted[]>();
  for (const { result } of context.failing) {
    const drift = driftOf(result);
    const file = result.failure?.location?.file ?? result.file;
    if (drift === undefined) continue;
    for (const one of new Set([result.file, file])) {
      if (!context.isTestFile(one) || !/\.[cm]?[jt]sx?$/.test(one)) continue;
      byFile.set(one, [...(byFile.get(one) ?? []), { result, drift, file: one }]);
    }
  }
  const parts: Part[] = [];
  for (const [file, drifted] of byFile) {
    if (context.signal.aborted) break;
    const part = await translate(file, drifted, context);
    if (part !== undefined) parts.push(part);
  }
  return joined(parts).map(toFix);
}

interface Part {
  readonly runner: Runner;
  readonly edit: FileEdit;
  readonly results: readonly TestResult[];
  readonly missing: readonly string[];
  readonly words: readonly string[];
  readonly because: string;
}

async function translate(
  file: string,
  drifted: readonly Drifted[],
  context: FixContext,
): Promise<Part | undefined> {
  const [first] = drifted;
  const text = await context.readText(file);
  if (first === undefined || text === undefined) return undefined;
  const { runner } = first.drift;
  const refuse = (reason: string): undefined => {
    for (const { result } of drifted) context.refuse?.(result.id, reason);
  };
  const missing = [...new Set(drifted.map(({ drift }) => drift.missing))];
  const change = await runnerChange(file, context.changes, (name) => context.readText(name));
  if (change === undefined)
    return refuse(
      context.changes.unavailable === undefined
        ? `${missing.join(', ')} is not there in ${runner}, but no configuration of the tests changed: the test may never have worked.`
        : `Whether the tests had another runner before is not known: ${context.changes.unavailable}.`,
    );
  const isNameless = drifted.some(
    ({ drift }) => drift.kind === 'name' && drift.missing !== 'jest' && drift.missing !== 'vi',
  );
  const hasGlobals =
    !isNameless && (runner !== 'vitest' || (await saysGlobals(file, (name) => context.readText(name))));
  const tree = parseTree(file, text);
  const found = translateFile(tree, {
    runner,
    hasGlobals,
    lacksAliases: drifted.some(({ drift }) => drift.kind === 'matcher'),
  });
  if ('reason' in found) return refuse(found.reason);
  // Who calls such a callback outside of its test breaks the whole file.
  const [kept] = drifted.every(({ drift }) => drift.kind === 'done') ? [] : found.left;
  if (kept !== undefined) return refuse(`Line ${lineAt(text, kept.call)}: ${keptText(kept.reason)}`);
  const results = mended(drifted, found, text, context);
  if (found.changes.length === 0 || results.length === 0) return undefined;
  try {
    applyChanges(found.changes, text);
  } catch {
    return refuse('Parts of the test that have to change lie inside of one another.');
  }
  const because = `${change.file} changed ${change.when}, and the tests run with ${runner}.`;
  return { runner, edit: fileEdit(file, text, found.changes), results, missing, words: found.words, because };
}

/** The failing tests that the translation is for: not those that keep their callback. */
function mended(
  drifted: readonly Drifted[],
  { left }: Translation,
  text: string,
  context: FixContext,
): readonly TestResult[] {
  const lines = new Map(left.map(({ call, reason }) => [lineAt(text, call), reason] as const));
  const isLeft = ({ result, drift }: Drifted): boolean => drift.kind === 'done' && lines.has(result.line);
  for (const one of drifted.filter(isLeft))
    context.refuse?.(one.result.id, keptText(lines.get(one.result.line)));
  return drifted.filter((one) => !isLeft(one)).map(({ result }) => result);
}

const lineAt = (text: string, node: ts.Node): number => text.slice(0, node.getStart()).split('\n').length;

const keptText = (reason = ''): string =>
  `The test says by a callback when it is done, and ${reason}: no promise certainly says the same.`;

/** Files that one failing test needs together are one fix; all of them are the same migration to the user. */
function joined(parts: readonly Part[]): readonly (readonly Part[])[] {
  const groups: Part[][] = [];
  for (const part of parts) {
    const ids = new Set(part.results.map(({ id }) => id));
    const near = groups.filter((group) => group.some(({ results }) => results.some(({ id }) => ids.has(id))));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), part]);
  }
  return groups;
}

function toFix(parts: readonly Part[]): Fix {
  const edits = parts.map(({ edit }) => edit);
  const words = [...new Set(parts.flatMap((part) => part.words))];
  const [first] = parts;
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: `write for ${first?.runner ?? 'the runner'}: ${words.slice(0, 2).join(', ')}${words.length > 2 ? ` and ${words.length - 2} more` : ''}`,
    grade: 'conservative',
    trust: 'mechanical',
    movesRunner: true,
    edits,
    failures: [...new Set(parts.flatMap(({ results }) => results.map(({ id }) => id)))],
    provider: providerId,
    confidence: 0.95,
    evidence: [...new Set(parts.map(({ because }) => because))],
  };
}
