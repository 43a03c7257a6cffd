// A host beside the editor and the command line: it discovers, runs, fixes and applies, and knows nothing of the core but the engine.
import { writeSync } from 'node:fs';
import { chooseTests } from '../../../src/core/engine/chooseTests.ts';
import { storedCycle } from '../../../src/core/engine/cycleStore.ts';
import type { RunJson, VerifyJson } from '../../../src/core/engine/documentSchemas.ts';
import { applyFixes } from '../../../src/core/engine/applyFixes.ts';
import { discoverWorkspace } from '../../../src/core/engine/discoverWorkspace.ts';
import { fixWorkspace, type InWorkspace } from '../../../src/core/engine/fixWorkspace.ts';
import { openWorkspace, type OpenedWorkspace } from '../../../src/core/engine/openWorkspace.ts';
import { runJson } from '../../../src/core/engine/runJson.ts';
import { runWorkspace } from '../../../src/core/engine/runWorkspace.ts';
import { verifyJson, verifyWorkspace } from '../../../src/core/engine/verifyWorkspace.ts';
import { workspaceOf } from '../../../src/core/engine/workspaceOf.ts';
import type { CycleReport } from '../../../src/core/model/cycle.ts';

/** All that an assistant would need as tools. */
export class ThirdHost {
  readonly told: string[] = [];
  readonly #root: string;
  readonly #signal: AbortSignal;

  constructor(root: string, signal = AbortSignal.timeout(300_000)) {
    this.#root = root;
    this.#signal = signal;
  }

  async discover(): Promise<readonly string[]> {
    const { json } = await discoverWorkspace(workspaceOf({ root: this.#root }), this.#signal);
    return json.files.flatMap(({ tests }) => tests.map(({ id }) => id));
  }

  async run(...files: string[]): Promise<RunJson> {
    const opened = await this.#opened();
    const chosen = await chooseTests({ files }, opened, this.#signal);
    const run = runWorkspace({ opened, chosen, signal: this.#signal });
    for (;;) {
      const { value, done } = await run.next();
      if (done === true) return runJson(value.summary);
      if (value.type === 'testEnded') this.told.push(`${value.result.outcome} ${value.result.title}`);
    }
  }

  async fix(...files: string[]): Promise<CycleReport> {
    const cycle = fixWorkspace({ ...(await this.#common()), asked: { files } });
    for (;;) {
      const { value, done } = await cycle.next();
      if (done === true) return value;
      if (value.type === 'fixJudged') this.told.push(`${value.fix.verdict.verdict} ${value.fix.trust}`);
    }
  }

  /** What a cycle ended with, whoever ran it. */
  async report(cycleId: string): Promise<CycleReport | undefined> {
    return (await storedCycle(this.#root, cycleId))?.report;
  }

  /** Like a server that is killed as soon as it has told what it proposes: the ids of verified fixes, one a line. */
  async fixAndDie(): Promise<void> {
    for await (const event of fixWorkspace({ ...(await this.#common()), asked: {} })) {
      if (event.type !== 'cycleEnded') continue;
      for (const { id } of event.report.fixes) writeSync(1, `${id}\n`);
      process.kill(process.pid, 'SIGKILL');
    }
  }

  async apply(ids: readonly string[], agreed: 'none' | 'expectation' = 'none'): Promise<CycleReport> {
    const { outcome, unwritten } = await applyFixes({ ...(await this.#common()), ids, agreed });
    if (unwritten !== undefined) throw unwritten.error;
    return outcome.report;
  }

  async verify(patch: string): Promise<VerifyJson> {
    const common = await this.#common();
    return verifyJson(
      await verifyWorkspace({ ...common, patch, inPlace: false, onSandboxNote: common.onNote }),
    );
  }

  #opened(): Promise<OpenedWorkspace> {
    return openWorkspace(workspaceOf({ root: this.#root }), this.#signal);
  }

  async #common(): Promise<InWorkspace> {
    return {
      opened: await this.#opened(),
      signal: this.#signal,
      onNote: (note) => void this.told.push(note),
    };
  }
}

const [, script, root] = process.argv;
if (script === import.meta.filename && root !== undefined) await new ThirdHost(root).fixAndDie();
