// Runs test files with other texts on the sources before the change; each such run is made once, and there are not many in a cycle.
import { hashText } from '../base/hash.ts';
import { recordTrial, type TrialRecord } from '../diagnosis/recordTrial.ts';
import type { RecordRequest } from '../diagnosis/recordRun.ts';
import type { SourceChanges } from '../diagnosis/sourceChanges.ts';
import type { TestResult } from '../model/testResult.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { baseTexts } from '../verification/baseRuns.ts';

interface FormerTrialRequest {
  readonly sandbox: Sandbox;
  readonly changes: SourceChanges;
  readonly recording: RecordRequest;
}

/** So many runs in one cycle: an expectation that they do not explain is left to people. */
const mostRuns = 40;

export class FormerTrials {
  readonly #known = new Map<string, TrialRecord | undefined>();

  /** What fails in the files of these tests; undefined without former sources, and beyond so many runs. Nothing of it stays. */
  async record(
    texts: ReadonlyMap<string, string>,
    tests: readonly TestResult[],
    { sandbox, changes, recording }: FormerTrialRequest,
  ): Promise<TrialRecord | undefined> {
    const files = [...new Set(tests.map(({ file }) => file))].sort();
    const current = await Promise.all(files.map((file) => sandbox.readText(file)));
    const key = hashText(JSON.stringify([[...texts], files, current]));
    if (this.#known.has(key)) return this.#known.get(key);
    const { sources } = await baseTexts(changes);
    if (sources.size === 0 || this.#known.size >= mostRuns) return undefined;
    const undo = await sandbox.write(new Map([...sources, ...texts]));
    const trial = await recordTrial(recording, tests).finally(() => undo.undo());
    await sandbox.restoreStrays();
    this.#known.set(key, trial);
    return trial;
  }
}
