// Fixes in one root: proposed and proven, cycles, acceptance, and what the user called a bug.
import path from 'node:path';
import { fileOfId } from '../model/testId.ts';
import { HumanError, throwIfCancelled } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import type { Logger } from '../base/logger.ts';
import type { BenchRequest } from '../cycle/cycleRequest.ts';
import type { CycleBench } from '../cycle/cycleBench.ts';
import type { FormerCycle } from '../cycle/formerCycle.ts';
import { groupFixes, joinFixes } from '../cycle/groupFixes.ts';
import type { FixProvider } from '../fixes/fixProvider.ts';
import { editsKey } from '../fixes/rankFixes.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { CycleEvent, CyclePhase, CycleReport } from '../model/cycle.ts';
import type { Fault, Fix, Verdict } from '../model/fix.ts';
import { whileReading } from '../sandbox/readWorkspace.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { Acceptance } from './acceptance.ts';
import { bugDecisionsOf, type BugDecisions } from './acceptedFixes.ts';
import { aborted, FixSandboxes } from './fixSandboxes.ts';
import { PacedProgress } from './pacedProgress.ts';
import { Queue } from './queue.ts';
import type { RootEngine } from './rootEngine.ts';

/** Between two texts about the same step of a cycle, ms. */
const progressEveryMs = 1_000;

interface AskedCycle {
  readonly cycleId: string;
  /** Relative to the root; absent for all. */
  readonly files?: readonly string[] | undefined;
  /** By default the built-in ones that are on. */
  readonly providers?: readonly FixProvider[];
  readonly resume?: ResumedCycle | undefined;
}

interface Proposed {
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

/** A cycle that was killed, by its id, with the fixes of it that a person discarded since. */
interface ResumedCycle {
  readonly cycleId: string;
  readonly discarded: readonly string[];
}

export class RootFixes {
  readonly acceptance: Acceptance;
  readonly sandboxes: FixSandboxes;
  readonly #engine: RootEngine;
  readonly #logger: Logger;
  readonly #bugs: BugDecisions;
  /** The sandbox serves one at a time. */
  readonly #queue = new Queue();
  readonly #fixes = new Map<string, Fix>();
  readonly #proposals = new Map<string, Promise<Proposed>>();
  #ready: ReadyBench | undefined;
  #cycling = false;

  /** `tell`: what the user has to know at once, one sentence at a time. */
  constructor(engine: RootEngine, logger: Logger, tell: (text: string) => void) {
    this.#engine = engine;
    this.#logger = logger;
    this.acceptance = new Acceptance(engine.root);
    this.sandboxes = new FixSandboxes(engine, logger, tell);
    this.#bugs = bugDecisionsOf(engine.root);
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
      const files = [...new Set(fix.failures.flatMap((id) => this.#engine.failures.get(id)?.file ?? []))];
      if (files.length === 0) throw forgotten();
      const judge = async ({ bench }: Pick<ReadyBench, 'bench'>): ReturnType<RootFixes['verify']> => {
        const [judged] = await bench.judge([fix]);
        throwIfCancelled(signal);
        if (judged === undefined) throw new Error('a fix without a verdict');
        const { fix: told, verdict } = judged;
        const reason = verdict.reason === undefined ? {} : { reason: bench.told(verdict.reason) };
        return { fix: told, verdict: { ...verdict, ...reason }, diff: await bench.diffOf(fix) };
      };
      if (!this.sandboxes.areInPlace) return this.#withBench(files, signal, judge);
      this.#ready = undefined;
      return this.sandboxes.inPlace(signal, async (sandbox) => {
        const bench = await this.#benchOf(files, await this.#benchRequest(signal, sandbox));
        return judge({ bench });
      });
    });
  }

  /**
   * Runs a cycle, or takes one up that was killed. Cancelling it still returns its report. Throws `stale` where there is none to take up.
   */
  async cycle(
    { cycleId, files, providers, resume }: AskedCycle,
    onEvent: (event: CycleEvent) => void,
    signal: AbortSignal,
  ): Promise<CycleReport> {
    if (this.#cycling) throw busy();
    this.#cycling = true;
    const progress = new PacedProgress((text) => onEvent({ type: 'progress', text }), progressEveryMs);
    try {
      return await this.#queue.run(async () => {
        this.acceptance.startAnew();
        this.#ready = undefined;
        const { runCycle } = await import('./cycleRequest.ts');
        const former = resume && (await this.#formerCycle(resume));
        const { strategy, maxIterations, targetPassRate } = this.#engine.settings;
        const work = async (sandbox: Sandbox): Promise<CycleReport> => {
          const cycle = runCycle({
            ...(await this.#benchRequest(signal, sandbox)),
            ...(files === undefined
              ? {}
              : { files: files.map((file) => path.join(this.#engine.root, file)) }),
            strategy,
            maxIterations,
            targetPassRate,
            ...(providers === undefined ? {} : { providers }),
            onProgress: (text) => progress.push(text),
            cycleId,
            ...(former && { resume: former }),
          });
          let phase: CyclePhase | undefined;
          for (;;) {
            const step = await cycle.next();
            const now = step.done === true || step.value.type !== 'progress' ? undefined : step.value.phase;
            // How far the same step is takes no word away that waits for its turn.
            if (now === undefined || now !== phase) progress.clear();
            phase = now;
            if (step.done === true) return step.value;
            onEvent(step.value);
          }
        };
        return this.sandboxes.areInPlace
          ? this.sandboxes.inPlace(signal, work)
          : work(await this.sandboxes.shared(signal));
      });
    } finally {
      progress.clear();
      this.#cycling = false;
    }
  }

  /** Forgets a cycle that was killed, unless another one was killed since. */
  async forgetCycle(cycleId: string): Promise<void> {
    const { readFormerCycle, discardFormerCycle } = await import('../cycle/formerCycle.ts');
    const { root, cacheFolder } = this.#engine;
    const former = await readFormerCycle(root, cacheFolder);
    if (former?.asked.cycleId === cycleId) await discardFormerCycle(root, cacheFolder);
  }

  /** Fixes that the person dropped since are left alone like those that they turned down. */
  async #formerCycle({ cycleId, discarded }: ResumedCycle): Promise<FormerCycle> {
    const { readFormerCycle } = await import('../cycle/formerCycle.ts');
    const former = await readFormerCycle(this.#engine.root, this.#engine.cacheFolder);
    if (former === undefined || former.asked.cycleId !== cycleId)
      throw new HumanError('stale', 'There is nothing left of this cycle to resume.', {
        remedy: 'Run the cycle again.',
      });
    const dropped = new Set(discarded);
    const fixes = former.fixes.map((one) =>
      dropped.has(one.fix.id) ? { ...one, said: 'skip' as const } : one,
    );
    return { ...former, fixes };
  }

  /** Remembers the failures of these tests as bugs of the source; their expectations are left alone. */
  async markBug(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      const result = this.#engine.failures.get(id);
      const file = result?.file ?? fileOfId(id);
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
  dispose(): Promise<void> {
    return this.sandboxes.dispose();
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
      const { gatherProposals } = await import('../cycle/gatherProposals.ts');
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
    const onNote = (note: string): void => this.#logger.log('warn', note);
    try {
      return await whileReading(this.#engine.root, onNote, async () => {
        const sandbox = await this.sandboxes.shared(controller.signal);
        const unchanged = fits && (await sandbox.sync()).changed === 0;
        const ready = unchanged ? known : await this.#openBench(files, controller);
        const result = await work(ready);
        if (!controller.signal.aborted) this.#ready = ready;
        return result;
      });
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  async #openBench(files: readonly string[], controller: AbortController): Promise<ReadyBench> {
    const { signal } = controller;
    const request = await this.#benchRequest(signal, await this.sandboxes.shared(signal));
    return { bench: await this.#benchOf(files, request), request, controller, files: new Set(files) };
  }

  async #benchOf(files: readonly string[], request: BenchRequest): Promise<CycleBench> {
    const { openBench } = await import('../cycle/cycleBench.ts');
    const testFiles = await this.#engine.tests.testFiles(request.signal);
    return openBench({
      ...request,
      testFiles: testFiles.map((file) => toRelativePosix(this.#engine.root, file)),
      startFiles: files,
      onNote: (note) => this.#logger.log('info', note),
    });
  }

  async #benchRequest(
    signal: AbortSignal,
    sandbox: Sandbox,
  ): Promise<BenchRequest & { readonly preset: 'tester'; readonly signal: AbortSignal }> {
    const engine = this.#engine;
    const { testFileRule } = await import('../cycle/testFileRule.ts');
    const testFiles = await engine.tests.testFiles(signal);
    const isTestFile = await testFileRule({ root: engine.root, testFiles, signal });
    return {
      workspace: engine.workspace,
      projects: await engine.tests.projects(signal),
      frameworks: (id) => frameworkOf({ framework: id }),
      isTestFile,
      assume: engine.settings.assume,
      preset: 'tester',
      providers: await this.builtIn(),
      bugs: await this.#bugs.current(),
      sandbox,
      signal,
    };
  }

  /** The fixers that are on. Throws a `usage` HumanError for a name in the settings that is none. */
  async builtIn(): Promise<readonly FixProvider[]> {
    const { builtInFixers } = await import('./fixers.ts');
    return builtInFixers(this.#engine.settings.nursery, 'testmend.fix.nursery');
  }

  /** Changed sources that a test file reaches: the decision holds while they keep their text. */
  async #sourcesOf(testFile: string): Promise<readonly string[]> {
    const root = this.#engine.root;
    const [{ readSourceChanges }, { createImportGraph }, { testFileRule }] = await Promise.all([
      import('../diagnosis/sourceChanges.ts'),
      import('../modules/importGraph.ts'),
      import('../cycle/testFileRule.ts'),
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

function forgotten(): HumanError {
  return new HumanError('stale', 'This fix belongs to an earlier run.', {
    remedy: 'Run the test again and request its fixes.',
  });
}

function busy(): HumanError {
  return new HumanError('busy', 'A fix cycle is already running for this folder.', {
    remedy: 'Wait for it to end, or stop it.',
  });
}
