// A forbidden edit of a test file, handed in from outside: which rules the answer names.
import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkspace } from '../../src/core/engine/openWorkspace.ts';
import { verifyWorkspace } from '../../src/core/engine/verifyWorkspace.ts';
import { unifiedDiff } from '../../src/core/workspace/unifiedDiff.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { verifyDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

/** A test file of the workspace and its text. */
export interface JudgedFile {
  readonly workspace: TemporaryWorkspace;
  readonly file: string;
  readonly text: string;
}

/** What `testmend verify --patch` rejects the patch for; the file stays as it was. */
export async function rulesTold(
  { workspace, file, text }: JudgedFile,
  patch: string,
): Promise<readonly string[]> {
  const result = await testmend(['verify', '--patch', '-', '--json'], { cwd: workspace.root, input: patch });
  const { verdict, violations } = documentOf(verifyDocument, result);
  assert.deepEqual([result.code, verdict], [1, 'rejected']);
  assert.equal(await workspace.read(file), text);
  return violations.map(({ rule }) => rule);
}

/** The same without a process for each patch. */
export async function rejectedRules(
  { workspace: shop, file, text }: JudgedFile,
  patch: string,
): Promise<readonly string[]> {
  const { signal } = new AbortController();
  const { root } = shop;
  const limits = { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 };
  const workspace = { root, limits, frameworks: [], cacheFolder: path.join(root, '../caches') };
  const { verdict, violations } = await verifyWorkspace({
    patch,
    opened: await openWorkspace(workspace, signal),
    inPlace: false,
    signal,
    onNote: () => undefined,
    onSandboxNote: () => undefined,
  });
  assert.equal(verdict, 'rejected');
  assert.equal(await shop.read(file), text);
  return violations.map(({ rule }) => rule);
}

/** The text of the file with one place of it written otherwise is rejected for the rule. */
export async function assertRejects(
  judged: JudgedFile,
  rule: string,
  [from, to]: readonly [from: string, to: string],
): Promise<void> {
  const { file, text } = judged;
  assert.ok(text.includes(from));
  const edited = text.replace(from, () => to);
  const rules = await rejectedRules(judged, unifiedDiff(file, text, edited));
  assert.ok(rules.includes(rule), `${rules.join(', ')} instead of ${rule}`);
}
