// What test files do in the workspace as the user left it, while fixes lie in the sandbox, and with nothing compiled before.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { RunSummary } from '../model/testResult.ts';
import { runTests, type RunRequest } from '../run/runTests.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';

/** A run that records snapshots has checked nothing, and one that proves something writes nothing into the workspace. */
export const storedSnapshots = { updateSnapshots: false } as const;

/** Files are relative to the root. Throws when cancelled. */
export async function runOriginal(
  { workspace, projects, frameworks, env, start }: Omit<RunRequest, 'selection' | 'signal'>,
  sandbox: Sandbox,
  files: readonly string[],
  signal: AbortSignal,
): Promise<RunSummary> {
  const summary = await sandbox.withOriginals(() =>
    runTests({
      ...(start === undefined ? {} : { start }),
      workspace,
      projects,
      frameworks,
      signal,
      selection: {
        ...storedSnapshots,
        compiled: {
          folder: path.join(sandbox.compiledFolder, 'original'),
          state: sandbox.stateName(() => true),
        },
        files: files.map((file) => path.join(workspace.root, file)),
      },
      ...(env === undefined ? {} : { env }),
    }),
  );
  throwIfCancelled(signal);
  return summary;
}
