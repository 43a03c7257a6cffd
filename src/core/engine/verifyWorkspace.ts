// Judges any patch of test files of an opened workspace in a sandbox; changes nothing.
import { testFileRule } from '../cycle/testFileRule.ts';
import { verifyPatch, type PatchVerdict } from '../verification/verifyPatch.ts';
import type { VerifyJson } from './documentSchemas.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { withSandbox } from './withSandbox.ts';

export type { PatchVerdict } from '../verification/verifyPatch.ts';

export interface PatchToVerify {
  /** A unified diff. */
  readonly patch: string;
  readonly opened: OpenedWorkspace;
  readonly inPlace: boolean;
  readonly signal: AbortSignal;
  /** Of the verdict, to be told with it. */
  readonly onNote: (note: string) => void;
  /** Of the sandbox, to be told at once. */
  readonly onSandboxNote: (note: string) => void;
}

export async function verifyWorkspace(request: PatchToVerify): Promise<PatchVerdict> {
  const { patch, opened, inPlace, signal, onNote, onSandboxNote } = request;
  const { workspace, projects, frameworks, testFiles } = opened;
  const { root } = workspace;
  const isTestFile = await testFileRule({ root, testFiles, signal });
  return withSandbox({ root, inPlace, signal, onNote: onSandboxNote }, (chosen) =>
    verifyPatch(patch, { workspace, projects, frameworks, isTestFile, signal, onNote, ...chosen }),
  );
}

/** The document of `testmend verify --json`, exactly as INTERFACES has it. */
export function verifyJson({
  verdict,
  reason,
  violations,
  expectations,
  runs,
  scope,
  tests,
}: PatchVerdict): VerifyJson {
  return {
    verdict,
    ...(reason === undefined ? {} : { reason }),
    violations,
    expectations,
    runs,
    scope,
    tests,
  };
}
