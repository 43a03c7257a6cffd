// What a verification is asked with, for a real workspace.
import path from 'node:path';
import { detectProjects } from '../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../src/core/frameworks/registry.ts';
import { fileEdit, type FileEdit } from '../../../src/core/model/edit.ts';
import type { Fix, Verdict } from '../../../src/core/model/fix.ts';
import type { VerificationRequest } from '../../../src/core/verification/openVerification.ts';
import { judgeFixes } from '../../../src/core/verification/verifyFix.ts';
import type { VerificationContext, VerificationScope } from '../../../src/core/verification/verification.ts';
import type { TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

export async function requestFor(
  workspace: TemporaryWorkspace,
  timeoutMs = 60_000,
): Promise<VerificationRequest & { readonly sandboxFolder: string }> {
  const { projects } = await detectProjects(workspace.root);
  return {
    workspace: {
      root: workspace.root,
      limits: { timeoutMs, skillTimeoutMs: 10_000, maxParallel: 2 },
      frameworks: [],
      cacheFolder: path.join(workspace.root, '../cache'),
    },
    projects,
    frameworks: (framework) => frameworkOf({ framework }),
    isTestFile: (file) => /\.test\.[jt]s$|(?:^|\/)(?:__snapshots__|fixtures|support)\//.test(file),
    sandboxFolder: path.join(workspace.root, '../sandboxes'),
  };
}

/** An edit that replaces the only place of `old`. */
export async function replacing(
  workspace: Pick<TemporaryWorkspace, 'read'>,
  file: string,
  old: string,
  now: string,
): Promise<FileEdit> {
  const text = await workspace.read(file);
  const start = text.indexOf(old);
  if (start < 0 || text.includes(old, start + 1)) throw new Error(`${old} is not once in ${file}`);
  return fileEdit(file, text, [{ start, end: start + old.length, newText: now }]);
}

export function fixOf(edits: readonly FileEdit[], failures: readonly string[], rest: Partial<Fix> = {}): Fix {
  return {
    id: JSON.stringify(edits),
    title: 'a fix',
    grade: 'surgical',
    trust: 'oracle',
    edits: [...edits],
    failures: [...failures],
    provider: 'test',
    confidence: 1,
    evidence: [],
    ...rest,
  };
}

export async function verifyFixes(
  fixes: readonly Fix[],
  context: VerificationContext,
  scope: VerificationScope,
): Promise<readonly Verdict[]> {
  return (await judgeFixes(fixes, context, scope)).map(({ verdict }) => verdict);
}

export async function verifyFix(
  fix: Fix,
  context: VerificationContext,
  scope: VerificationScope,
): Promise<Verdict> {
  const [verdict] = await verifyFixes([fix], context, scope);
  if (verdict === undefined) throw new Error('a fix without a verdict');
  return verdict;
}
