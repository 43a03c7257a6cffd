// One import situation: a committed workspace, what was changed since, and what the fixer makes of the test file.
import assert from 'node:assert/strict';
import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { readSourceChanges } from '../../../../src/core/diagnosis/sourceChanges.ts';
import { importMoved } from '../../../../src/core/fixes/imports/importMoved.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import type { Fix, Violation } from '../../../../src/core/model/fix.ts';
import type { TestResult } from '../../../../src/core/model/testResult.ts';
import { createImportGraph } from '../../../../src/core/modules/importGraph.ts';
import { readText } from '../../../../src/core/workspace/readText.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

export interface ImportSituation {
  readonly title: string;
  /** Files beside the test, as committed. */
  readonly files: Readonly<Record<string, string>>;
  /** From → to. */
  readonly moved?: Readonly<Record<string, string>>;
  /** New texts after the commit (and after the moves). */
  readonly written?: Readonly<Record<string, string>>;
  readonly deleted?: readonly string[];
  /** The change was committed already. */
  readonly isCommitted?: true;
  /** Where the test lies, `test/a.test.ts` unless said otherwise. */
  readonly testFile?: string;
  readonly test: string;
  /** What the failing test says, when it is an error of its own. */
  readonly says?: string;
  /** The test file after the fix; absent when the fixer must refuse. */
  readonly mended?: string | undefined;
  /** Must be part of the reason of the refusal. */
  readonly refused?: RegExp;
  readonly check?: (fix: Fix) => void;
}

const isTestFile = (file: string): boolean => /(?:^|\/)(?:tests?|__tests__)\/|\.tests?\./.test(file);

/** Proposals for failing tests of a workspace as it is now, with what was refused. */
export async function proposeFixes(
  workspace: TemporaryWorkspace,
  failing: readonly TestResult[],
): Promise<{ readonly fixes: readonly Fix[]; readonly refused: readonly string[] }> {
  const { root } = workspace;
  const graph = createImportGraph({ root });
  const refused: string[] = [];
  const fixes = await importMoved.propose({
    root,
    failing: failing.map((result) => ({ result, captured: [] })),
    readText: (file) => readText(path.join(root, file)),
    isTestFile,
    changes: await readSourceChanges({ root, isTestFile, graph }),
    signal: new AbortController().signal,
    refuse: (_id, reason) => refused.push(reason),
  });
  return { fixes, refused };
}

/** The file as it is told when it does not load. */
export function loadFailure(file: string, says?: string): TestResult {
  const kind = says === undefined ? 'load' : 'error';
  const message = says ?? 'it does not load';
  const failure = { message, stack: [], kind, severity: 'critical' } as const;
  const place = { file, line: 1, title: file, suites: [], durationMs: 0 };
  return { id: `vitest:${file}`, ...place, outcome: 'errored', failure: { ...failure, stack: [] } };
}

/** Makes the situation for real and lets the fixer look at it. */
export async function mendSituation(situation: ImportSituation): Promise<{
  readonly fixes: readonly Fix[];
  readonly refused: readonly string[];
  /** The test file after the only fix. */
  readonly mended: string | undefined;
  /** What the gate says against it. */
  readonly violations: readonly Violation[];
}> {
  const testFile = situation.testFile ?? 'test/a.test.ts';
  const workspace = await temporaryWorkspace(
    { ...situation.files, [testFile]: situation.test },
    { git: true },
  );
  try {
    await changeWorkspace(workspace, situation);
    if (situation.isCommitted) workspace.git('commit', '-qam', 'change');
    const file = situation.moved?.[testFile] ?? testFile;
    const { fixes, refused } = await proposeFixes(workspace, [loadFailure(file, situation.says)]);
    const edit = fixes[0]?.edits.find((one) => one.file === file);
    const text = await readText(path.join(workspace.root, file));
    const mended = edit && text !== undefined ? applyEdit(edit, text) : undefined;
    const violations =
      mended === undefined ? [] : checkPolicyOfEdits([{ file, before: text, after: mended }], isTestFile);
    return { fixes, refused, mended, violations };
  } finally {
    await workspace.dispose();
  }
}

/** A test that the fixer mends the situation, or refuses it, as it says. */
export function itMends(situation: ImportSituation): void {
  it(situation.title, async () => {
    const { fixes, refused, mended, violations } = await mendSituation(situation);
    assert.equal(mended, situation.mended, refused.join('\n'));
    assert.deepEqual(violations, []);
    assert.equal(fixes.length, situation.mended === undefined ? 0 : 1);
    if (situation.refused) assert.match(refused.join('\n'), situation.refused);
    if (fixes[0]) situation.check?.(fixes[0]);
  });
}

/** Moves, deletes and writes as the situation says; nothing is staged. */
export async function changeWorkspace(
  workspace: TemporaryWorkspace,
  { moved = {}, deleted = [], written = {} }: Pick<ImportSituation, 'moved' | 'deleted' | 'written'>,
): Promise<void> {
  for (const [from, to] of Object.entries(moved)) {
    await mkdir(path.join(workspace.root, path.dirname(to)), { recursive: true });
    await rename(path.join(workspace.root, from), path.join(workspace.root, to));
  }
  for (const file of deleted) await rm(path.join(workspace.root, file));
  for (const [file, text] of Object.entries(written)) await workspace.write(file, text);
}

/** A function long enough to be told from others. */
export const priceFunction = (name: string, start = 'export function'): string =>
  `${start} ${name}(cents: number, currency = 'EUR'): string {\n  const whole = Math.floor(cents / 100);\n  const rest = String(cents % 100).padStart(2, '0');\n  return \`\${whole}.\${rest} \${currency}\`;\n}\n`;

/** Another one. */
export const slugFunction = (name: string, start = 'export function'): string =>
  `${start} ${name}(title: string): string {\n  return title.trim().toLowerCase().split(/\\s+/).filter(Boolean).join('-');\n}\n`;
