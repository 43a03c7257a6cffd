// Judges any patch of test files of an opened workspace in a sandbox; changes nothing.
import { testFileRule } from '../cycle/testFileRule.ts';
import { verifyPatch, type PatchVerdict } from '../verification/verifyPatch.ts';
import type { VerifyJson } from './documentSchemas.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';
import { weighPatch, type StrengthAnswer } from './weighPatch.ts';
import { withSandbox } from './withSandbox.ts';

export type { PatchVerdict } from '../verification/verifyPatch.ts';

interface PatchToVerify {
  /** A unified diff. */
  readonly patch: string;
  readonly opened: OpenedWorkspace;
  readonly inPlace: boolean;
  readonly signal: AbortSignal;
  /** How long each side's tests are asked what they notice: 4 when absent, 0 for not at all. */
  readonly strengthSeconds?: number;
  /** Of the verdict, to be told with it. */
  readonly onNote: (note: string) => void;
  /** Of the sandbox, to be told at once. */
  readonly onSandboxNote: (note: string) => void;
}

export async function verifyWorkspace(request: PatchToVerify): Promise<PatchVerdict> {
  const { patch, opened, inPlace, signal, strengthSeconds = 4, onNote, onSandboxNote } = request;
  const { workspace, projects, frameworks, testFiles } = opened;
  const { root } = workspace;
  const isTestFile = await testFileRule({ root, testFiles, signal });
  const weigh = strengthSeconds > 0 && !inPlace ? { weigh: weighPatch(opened, strengthSeconds) } : {};
  return withSandbox({ root, inPlace, signal, onNote: onSandboxNote }, (chosen) =>
    verifyPatch(patch, { workspace, projects, frameworks, isTestFile, signal, onNote, ...weigh, ...chosen }),
  );
}

/** The document of `testmend verify --json`, exactly as INTERFACES has it. */
export function verifyJson({
  verdict,
  kind,
  reason,
  violations,
  expectations,
  changes,
  runs,
  scope,
  tests,
  strength,
}: PatchVerdict): VerifyJson {
  return {
    verdict,
    ...(kind && { kind }),
    ...(reason === undefined ? {} : { reason }),
    violations,
    expectations,
    changes,
    runs,
    scope,
    tests,
    ...(strength && { strength: strengthOf(strength) }),
  };
}

function strengthOf({ answer, noticed, still, lost, reason }: StrengthAnswer): VerifyJson['strength'] {
  return {
    answer,
    noticed,
    still,
    ...(reason === undefined ? {} : { reason }),
    lost: lost.map(({ bug: { file, line, kind, from, to }, by }) => ({
      file,
      line,
      kind,
      from,
      to,
      by: { file: by.file, line: by.line, names: [...by.suites, by.title] },
    })),
  };
}
