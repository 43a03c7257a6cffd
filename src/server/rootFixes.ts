// Fixes in one root: proposed and proven in a warm sandbox, cycles, acceptance, and what the user called a bug.
import path from 'node:path';
import { HumanError, throwIfCancelled } from '../core/base/humanError.ts';
import { toRelativePosix } from '../core/base/paths.ts';
import type { Logger } from '../core/base/logger.ts';
import type { BenchRequest } from '../core/cycle/cycleRequest.ts';
import type { CycleBench } from '../core/cycle/cycleBench.ts';
import { groupFixes, joinFixes } from '../core/cycle/groupFixes.ts';
import { editsKey } from '../core/fixes/rankFixes.ts';
import { frameworkOf } from '../core/frameworks/registry.ts';
import type { CycleEvent, CycleReport } from '../core/model/cycle.ts';
import type { Fault, Fix, Verdict } from '../core/model/fix.ts';
import { BugDecisions } from '../core/workspace/bugDecisions.ts';
import type { Sandbox } from '../core/workspace/sandbox.ts';
import { Acceptance } from './acceptance.ts';
import { Queue } from './queue.ts';
import type { RootEngine } from './rootEngine.ts';

export interface Proposed {
  readonly fixes: Fix[];
  readonly diagnoses: { id: string; fault: Fault; reason: string }[];
}

/** A bench that stays ready for verdicts while nothing in the workspace changes. */
interface ReadyBench {
  readonly bench: CycleBench;
  readonly request: BenchRequest;
  /** Ends the bench with whatever it does; a cancelled question takes it along. */
  readonly controller: AbortController;
  readonly files: ReadonlySet<string>;
}

export class RootFixes {
  readonly acceptance: Acceptance;
  readonly #engine: RootEngine;
  readonly #logger: Logger;
  readonly #bugs: BugDecisions;
  /** The sandbox serves one at a time. */
  readonly #queue = new Queue();
  readonly #fixes = new Map<string, Fix>();
  readonly #proposals = new Map<string, Promise<Proposed>>();
  #sandbox: Promise<Sandbox> | undefined;
  #ready: ReadyBench | undefined;
  #cycling = false;

  constructor(engine: RootEngine, logger: Logger) {
    this.#engine = engine;
    this.#logger = logger;
    this.acceptance = new Acceptance(engine.root);
    this.#bugs = new BugDecisions(engine.root, engine.cacheFolder);
  }

  get isCycling(): boolean {
    return this.#cycling;
  }

  /**
   * Fixes for failing tests of the last run. All failing tests of their files are looked at together, once until the next run:
   * who asks again, or cancels and asks again, gets the same answer.
   */
  async propose(ids: readonly string[], signal: AbortSignal): Promise<Proposed> {
    const results = ids.flatMap((id) => this.#engine.failures.get(id) ?? []);
    const files = [...new Set(results.map(({ file }) => file))].sort();
    if (files.length === 0) return { fixes: [], diagnoses: [] };
    const key = files.join('\0');
    const known = this.#proposals.get(key) ?? this.#proposeForFiles(files, key);
    const proposed = await Promise.race([known, aborted(signal)]);
    const wanted = new Set(ids);
    return {
      fixes: proposed.fixes.filter((fix) => fix.failures.some((id) => wanted.has(id))),
      diagnoses: proposed.diagnoses.filter(({ id }) => wanted.has(id)),
    };
  }

  /** Tries a proposed fix in the sandbox, against the workspace as it is now. */
  async verify(fixId: string, signal: AbortSignal): Promise<{ fix: Fix; verdict: Verdict; diff: string }> {
    const fix = this.#fixes.get(fixId);
    if (fix === undefined) throw forgotten();
    return this.#queue.run(async () => {
      throwIfCancelled(signal);
      const files = fix.failures.flatMap((id) => this.#engine.failures.get(id)?.file ?? []);
      if (files.length === 0) throw forgotten();
      return this.#withBench([...new Set(files)], signal, async ({ bench }) => {
        const [verdict] = await bench.judge([fix]);
        throwIfCancelled(signal);
        if (verdict === undefined) throw new Error('a fix without a verdict');
        const reason = verdict.reason === undefined ? {} : { reason: bench.told(verdict.reason) };
        return { fix, verdict: { ...verdict, ...reason }, diff: await bench.diffOf(fix) };
      });
    });
  }

  /** Runs a cycle; `files` are relative to the root. Cancelling it still returns its report. */
  async cycle(
    files: readonly string[] | undefined,
    onEvent: (event: CycleEvent) => void,
    signal: AbortSignal,
  ): Promise<CycleReport> {
    if (this.#cycling) throw busy();
    this.#cycling = true;
    try {
      return await this.#queue.run(async () => {
        this.acceptance.startAnew();
        this.#ready = undefined;
        const { runFixCycle } = await import('../core/cycle/fixCycle.ts');
        const { strategy, maxIterations, targetPassRate } = this.#engine.settings;
        const cycle = runFixCycle({
          ...(await this.#benchRequest(signal)),
          ...(files === undefined ? {} : { files: files.map((file) => path.join(this.#engine.root, file)) }),
          strategy,
          maxIterations,
          targetPassRate,
        });
        for (;;) {
          const step = await cycle.next();
          if (step.done === true) return step.value;
          onEvent(step.value);
        }
      });
    } finally {
      this.#cycling = false;
    }
  }

  /** Remembers the failures of these tests as bugs of the source; their expectations are left alone. */
  async markBug(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const result = this.#engine.failures.get(id);
      const file = result?.file ?? /^[^:]*:([^#]*)/.exec(id)?.[1];
      if (file === undefined) continue;
      await this.#bugs.add(id, [file, ...(await this.#sourcesOf(file))]);
    }
    this.forgetProposals();
    this.#ready = undefined;
  }

  /** After a run or an edit: proposals are made anew when somebody asks. */
  forgetProposals(): void {
    this.#proposals.clear();
  }

  /** Takes the sandbox away; called when the root or the engine goes. */
  async dispose(): Promise<void> {
    const sandbox = await this.#sandbox?.catch(() => undefined);
    this.#sandbox = undefined;
    await sandbox?.dispose();
  }

  #proposeForFiles(files: readonly string[], key: string): Promise<Proposed> {
    // Not the asker's signal: moving the cursor cancels a question whose answer the next one wants too.
    const signal = AbortSignal.timeout(this.#engine.workspace.limits.timeoutMs);
    const proposed = this.#queue.run(() => this.#propose(files, signal));
    this.#proposals.set(key, proposed);
    proposed.catch((error: unknown) => {
      if (this.#proposals.get(key) === proposed) this.#proposals.delete(key);
      this.#logger.log('warn', `No fixes were proposed for ${files.join(', ')}: ${String(error)}`);
    });
    return proposed;
  }

  #propose(files: readonly string[], signal: AbortSignal): Promise<Proposed> {
    return this.#withBench(files, signal, async ({ bench, request }) => {
      const { gatherProposals } = await import('../core/cycle/gatherProposals.ts');
      const failing = bench.failing(new Set(files));
      const { fixes: single, diagnoses, notes } = await gatherProposals(failing, bench, request, 'surgical');
      const fixes = withGroups(single);
      for (const note of notes) this.#logger.log('warn', note);
      for (const fix of fixes) this.#fixes.set(fix.id, fix);
      return {
        fixes: [...fixes],
        diagnoses: [...diagnoses].map(([id, { fault, reason }]) => ({
          id,
          fault,
          reason: bench.told(reason),
        })),
      };
    });
  }

  /** Works at the bench of the files, which is opened anew when anything in the workspace has changed. */
  async #withBench<T>(
    files: readonly string[],
    signal: AbortSignal,
    work: (ready: ReadyBench) => Promise<T>,
  ): Promise<T> {
    const known = this.#ready;
    this.#ready = undefined;
    const fits =
      known !== undefined && files.every((file) => known.files.has(file)) && !known.bench.signal.aborted;
    const controller = fits ? known.controller : new AbortController();
    const stop = (): void => controller.abort();
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const sandbox = await this.#sharedSandbox(controller.signal);
      const unchanged = fits && (await sandbox.sync()).changed === 0;
      const ready = unchanged ? known : await this.#openBench(files, controller);
      const result = await work(ready);
      if (!controller.signal.aborted) this.#ready = ready;
      return result;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #openBench(files: readonly string[], controller: AbortController): Promise<ReadyBench> {
    const { openBench } = await import('../core/cycle/cycleBench.ts');
    const request = await this.#benchRequest(controller.signal);
    const testFiles = await this.#engine.tests.testFiles(controller.signal);
    const bench = await openBench({
      ...request,
      testFiles: testFiles.map((file) => toRelativePosix(this.#engine.root, file)),
      startFiles: files,
      onNote: (note) => this.#logger.log('info', note),
    });
    return { bench, request, controller, files: new Set(files) };
  }

  /** One for all requests: it outlives the one that opened it, so whoever is cancelled merely stops waiting for it. */
  #sharedSandbox(signal: AbortSignal): Promise<Sandbox> {
    return Promise.race([this.#openSandbox(), aborted(signal)]);
  }

  #openSandbox(): Promise<Sandbox> {
    this.#sandbox ??= import('../core/workspace/sandbox.ts')
      .then(({ openSandbox }) =>
        openSandbox({
          root: this.#engine.root,
          onNote: (note) => this.#logger.log('info', note),
        }),
      )
      .catch((error: unknown) => {
        this.#sandbox = undefined;
        throw error;
      });
    return this.#sandbox;
  }

  async #benchRequest(
    signal: AbortSignal,
  ): Promise<BenchRequest & { readonly preset: 'tester'; readonly signal: AbortSignal }> {
    const engine = this.#engine;
    const { testFileRule } = await import('../core/cycle/testFileRule.ts');
    const testFiles = await engine.tests.testFiles(signal);
    const isTestFile = await testFileRule({ root: engine.root, testFiles, signal });
    return {
      workspace: engine.workspace,
      projects: await engine.tests.projects(signal),
      frameworks: (id) => frameworkOf({ framework: id }),
      isTestFile,
      assume: engine.settings.assume,
      preset: 'tester',
      bugs: await this.#bugs.current(),
      sandbox: await this.#sharedSandbox(signal),
      signal,
    };
  }

  /** Changed sources that a test file reaches: the decision holds while they keep their text. */
  async #sourcesOf(testFile: string): Promise<readonly string[]> {
    const root = this.#engine.root;
    const [{ readSourceChanges }, { createImportGraph }, { testFileRule }] = await Promise.all([
      import('../core/diagnosis/sourceChanges.ts'),
      import('../core/workspace/importGraph.ts'),
      import('../core/cycle/testFileRule.ts'),
    ]);
    const isTestFile = await testFileRule({ root, testFiles: await this.#engine.tests.testFiles() });
    const changes = await readSourceChanges({ root, isTestFile, graph: createImportGraph({ root }) });
    return (await changes.reaching(testFile)).map(({ file }) => file);
  }
}

/** The fixes, and those that make the same change as one more: one question for all of their tests. */
function withGroups(fixes: readonly Fix[]): readonly Fix[] {
  const joined = groupFixes(fixes).flatMap((group) => (group.length > 1 ? [joinFixes(group)] : []));
  const known = new Set(fixes.map(({ edits }) => editsKey(edits)));
  return [...fixes, ...joined.filter(({ edits }) => !known.has(editsKey(edits)))];
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void =>
      reject(new HumanError('cancelled', 'Cancelled.', { remedy: 'Ask again when ready.' }));
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

function forgotten(): HumanError {
  return new HumanError('stale', 'This fix is for an earlier run.', {
    remedy: 'Run the test again and ask for its fixes.',
  });
}

function busy(): HumanError {
  return new HumanError('busy', 'A fix cycle is already running for this folder.', {
    remedy: 'Wait for it to end, or stop it.',
  });
}
