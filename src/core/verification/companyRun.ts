// Runs a patch once more in the company of the test files that share its process: what it leaves behind may break them.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { FileContents } from '../sandbox/sandbox.ts';
import type { PatchAdmission } from './patchAdmission.ts';
import { whyNotReworded } from './rewordedTests.ts';
import { runTrial, type Trial } from './runTrial.ts';
import { baselineOf, type VerificationContext } from './verification.ts';

interface CompanyRequest {
  /** All test files of these processes, relative to the root, before and after the patch. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The patch, as texts by file. */
  readonly contents: FileContents;
  /** Files (relative) that it changes. */
  readonly edited: readonly string[];
  /** Files whose tests have other titles and places. */
  readonly reworded: PatchAdmission['reworded'];
  /** Results without the patch, under the ids that they have with it. */
  readonly renamed: (baseline: ReadonlyMap<string, TestResult>) => ReadonlyMap<string, TestResult>;
}

interface InCompany extends Trial<string> {
  readonly baseline: ReadonlyMap<string, TestResult>;
}

/** One run without the patch and one with it; files that fail by themselves are left as they are. Throws when cancelled. */
export async function runInCompany(
  { before, after, contents, edited, reworded, renamed }: CompanyRequest,
  context: VerificationContext,
): Promise<InCompany> {
  const { sandbox, signal } = context;
  const inSandbox = (files: readonly string[]): string[] =>
    files.map((file) => path.join(sandbox.root, file));
  const without: RunSummary = await context.run({ files: inSandbox(before) }, signal);
  throwIfCancelled(signal);
  const drift = new Set([...(context.drift ?? []), ...(await sandbox.restoreStrays())]);
  const baseline = renamed(baselineOf(without));
  if (without.ended !== 'complete') {
    const unverifiable = `The run of all tests that share its process did not finish (${without.ended}).`;
    const nothing = { runs: 0, problems: new Map(), regressions: [], isSuite: false };
    return { ...nothing, unverifiable, summary: without, baseline };
  }
  const undo = await sandbox.write(contents);
  try {
    const files = new Set(after);
    const trial = await runTrial<string>(
      {
        runs: 1,
        selection: { files: inSandbox(after) },
        inScope: ({ file }) => files.has(file) && !reworded.has(file),
        edited,
        problemsIn: (_comparison, summary) => {
          const problem = whyNotReworded(reworded, baseline, summary);
          return new Map(problem === undefined ? [] : [['patch', problem]]);
        },
      },
      { ...context, baseline, drift },
    );
    return { ...trial, baseline };
  } finally {
    await undo.undo();
  }
}
