// The workbench of a cycle: one sandbox, what its tests did last, what was recorded of failures, and the fixes that lie in it.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import { BuiltCode } from '../diagnosis/builtCode.ts';
import type { SourceChanges } from '../diagnosis/sourceChanges.ts';
import { captureValues } from '../diagnosis/captureValues.ts';
import type { RecordRequest } from '../diagnosis/recordRun.ts';
import type { TrialRecord } from '../diagnosis/recordTrial.ts';
import { hashText } from '../base/hash.ts';
import { applyEdit } from '../model/edit.ts';
import type { FixContext, SnapshotUpdate } from '../fixes/fixProvider.ts';
import type { Fix } from '../model/fix.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { CapturedAssertion } from '../model/value.ts';
import type { FileChange } from '../policy/fileFacts.ts';
import { rememberChanges } from '../policy/rememberChanges.ts';
import { runProcess } from '../process/runProcess.ts';
import { runTests } from '../run/runTests.ts';
import { intruder } from '../verification/intruder.ts';
import { filesOf, openVerification, type OpenVerification } from '../verification/openVerification.ts';
import { runOriginal, storedSnapshots } from '../verification/originalRun.ts';
import { updateSnapshots } from '../verification/updateSnapshots.ts';
import { judgeFixes, type Judgement } from '../verification/verifyFix.ts';
import type { VerificationScope } from '../verification/verification.ts';
import { createImportGraph, type ImportGraph } from '../modules/importGraph.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import { unifiedDiff } from '../workspace/unifiedDiff.ts';
import { ChangesNow } from './changesNow.ts';
import type { OpenBench } from './cycleRequest.ts';
import { FailuresInOtherConditions } from './otherConditions.ts';
import { fixScope } from './fixScope.ts';
import { FormerTrials } from './formerTrials.ts';
import { BackgroundWork } from './backgroundWork.ts';
import { keyOf, type Judging, type Kept, type Trial } from './benchTrials.ts';
import { RecentByTest } from './recentByTest.ts';
import { WithoutFixes } from './withoutFixes.ts';

/** Opens the sandbox and runs the tests once in it, and in the original unless that was done. */
export async function openBench(asked: OpenBench): Promise<CycleBench> {
  const { root } = asked.workspace;
  const meanwhile = new BackgroundWork();
  const request = { ...asked, start: meanwhile.around(asked.start ?? runProcess) };
  const absolute = (files: readonly string[]): string[] => files.map((file) => path.join(root, file));
  const { progress } = asked;
  const verification = await openVerification({
    ...request,
    ...(progress && { onRun: (run) => progress.onRun(run) }),
    selection: request.startFiles === undefined ? {} : { files: absolute(request.startFiles) },
    ...(request.suiteFiles && { suite: absolute(request.suiteFiles) }),
  });
  return new CycleBench(request, verification, meanwhile);
}

export class CycleBench {
  readonly #request: OpenBench;
  readonly #verification: OpenVerification;
  readonly #captured = new RecentByTest<readonly CapturedAssertion[]>();
  readonly #lastCaptured = new Map<string, readonly CapturedAssertion[]>();
  readonly #kept = new Set<Undo>();
  readonly #originals = new Map<string, string>();
  /** What can be done while test processes run. */
  readonly meanwhile: BackgroundWork;
  /** What the gate said of changes. */
  readonly known = rememberChanges();
  /** Tests that passed when they were run again without any edit. */
  readonly flaky = new Set<string>();
  readonly withoutFixes: WithoutFixes;
  readonly elsewhere: FailuresInOtherConditions;
  #results: Map<string, TestResult>;
  /** While fixes that are no proof lie on top. */
  #settled: Map<string, TestResult> | undefined;
  /** By the edits that were in place beside all that is kept. */
  readonly #trials = new Map<string, Trial>();
  readonly #changes: ChangesNow;
  #graph: ImportGraph | undefined;
  readonly #formerTrials = new FormerTrials();
  /** What tests run of compiled code, as it is in the original. */
  readonly builtCode: BuiltCode;
  readonly #proven = new Map<string, boolean>();
  readonly #updates = new Map<string, Promise<readonly SnapshotUpdate[]>>();

  /** Use `openBench`. */
  constructor(request: OpenBench, verification: OpenVerification, meanwhile: BackgroundWork) {
    this.meanwhile = meanwhile;
    this.#request = {
      ...request,
      env: verification.env,
      ...(verification.start && { start: verification.start }),
    };
    this.#verification = verification;
    this.#changes = new ChangesNow({
      root: this.root,
      isTestFile: (file) => request.isTestFile(file),
      signal: this.signal,
    });
    this.builtCode = new BuiltCode(request.workspace.root, () => this.#importGraph());
    this.#results = new Map(verification.baseline);
    this.elsewhere = new FailuresInOtherConditions({
      verification,
      builtCode: this.builtCode,
      changes: () => this.changes(),
      results: () => this.#results,
      keysOf: (failing) => this.#captureKeys(failing),
    });
    this.withoutFixes = new WithoutFixes({
      files: request.startFiles ?? request.testFiles,
      results: verification.baseline,
      unreproduced: verification.unreproduced,
      failsOtherwise: verification.failsOtherwise,
      sandbox: verification.sandbox,
      runOriginal: (files) => runOriginal(this.#request, verification.sandbox, files, this.signal),
    });
  }

  /** Root of the sandbox. */
  get root(): string {
    return this.#verification.sandbox.root;
  }

  /** Of the workspace, relative to the root. */
  get testFiles(): readonly string[] {
    return this.#request.testFiles;
  }

  /** Text from a run in the sandbox, told of the workspace. */
  told(text: string): string {
    return this.#verification.sandbox.told(text);
  }

  get signal(): AbortSignal {
    return this.#verification.signal;
  }

  /** What each test did when it ran last. */
  get results(): ReadonlyMap<string, TestResult> {
    return this.#results;
  }

  /** What each test did with nothing in place but what is kept. */
  get settled(): ReadonlyMap<string, TestResult> {
    return this.#settled ?? this.#results;
  }

  /** Failed and errored tests, of the given files only when there are any. */
  failing(files?: ReadonlySet<string>): readonly TestResult[] {
    return [...this.#results.values()].filter(
      ({ outcome, file }) => (outcome === 'failed' || outcome === 'errored') && (files?.has(file) ?? true),
    );
  }

  /** Runs test files (all without an argument) and replaces what was known of them. */
  async run(files?: readonly string[]): Promise<RunSummary> {
    const summary = await this.#verification.run(this.#selection(files), this.signal);
    throwIfCancelled(this.signal);
    this.#refuseIntruders(await this.#verification.sandbox.restoreStrays());
    if (summary.ended === 'complete') await this.#adopt(summary, files);
    return summary;
  }

  /** Sources that something wrote in the sandbox while the tests ran, after an agent that may have left it behind: what the run says is not so. */
  #refuseIntruders(strays: readonly string[]): void {
    const { sandbox, drift } = this.#verification;
    if (!sandbox.isOpen) return;
    const file = strays.find(
      (one) => !drift?.has(one) && !this.#request.isTestFile(one) && !sandbox.isIgnored(one),
    );
    if (file !== undefined) throw intruder(file);
  }

  /** Counts what the suite runs of the sources with all that lies in the sandbox; nothing is learnt of the tests from it. */
  async runWithCoverage(): Promise<RunSummary> {
    const summary = await this.#verification.run({}, this.signal, { coverage: {}, isLast: true });
    throwIfCancelled(this.signal);
    await this.#verification.sandbox.restoreStrays();
    return summary;
  }

  /** What was recorded of failing tests; tests that pass now are remembered as flaky. */
  async capture(failing: readonly TestResult[]): Promise<ReadonlyMap<string, readonly CapturedAssertion[]>> {
    const keys = await this.#captureKeys(failing);
    const keyOfTest = (id: string): string => keys.get(id) ?? '';
    const fresh = failing.filter(({ id }) => !this.#captured.has(id, keyOfTest(id)));
    if (fresh.length > 0) {
      const own = fresh.map(({ id }) => keyOfTest(id));
      const recorded = await captureValues({
        ...this.#recording,
        results: fresh,
        passed: (id) => this.flaky.add(id),
        ...(this.elsewhere.areAmongOthers(fresh, own) && {
          failByThemselves: () => this.elsewhere.failByThemselves(fresh, own),
        }),
      });
      throwIfCancelled(this.signal);
      for (const { id } of fresh) this.#captured.set(id, keyOfTest(id), recorded.get(id) ?? []);
    }
    for (const { id } of failing) this.#lastCaptured.set(id, this.#captured.get(id, keyOfTest(id)) ?? []);
    return new Map(failing.map(({ id }) => [id, this.#lastCaptured.get(id) ?? []]));
  }

  /** What fails in the files of these tests on the former sources, while test files have other texts; nothing of it stays. */
  async tryOnFormer(
    texts: ReadonlyMap<string, string>,
    tests: readonly TestResult[],
  ): Promise<TrialRecord | undefined> {
    const { sandbox } = this.#verification;
    const changes = await this.changes();
    const trial = await this.#formerTrials.record(texts, tests, {
      sandbox,
      changes,
      recording: this.#recording,
    });
    throwIfCancelled(this.signal);
    return trial;
  }

  /** What was recorded of this failure last; nothing is run for it. */
  recorded({ id }: TestResult): readonly CapturedAssertion[] {
    return this.#lastCaptured.get(id) ?? [];
  }

  /** The changes of the workspace, read in the sandbox, where they are the same. */
  changes(): Promise<SourceChanges> {
    return this.#changes.read(this.#importGraph());
  }

  /** What the framework's own update of these tests' snapshots writes; nothing of it stays. Known until a fix is kept or taken back. */
  updateSnapshots(tests: readonly TestResult[], times: number): Promise<readonly SnapshotUpdate[]> {
    const key = JSON.stringify([times, ...tests.map(({ id }) => id).sort()]);
    const known = this.#updates.get(key) ?? updateSnapshots(tests, times, this.#verification);
    this.#updates.set(key, known);
    known.catch(() => this.#updates.delete(key));
    return known;
  }

  readText(file: string): Promise<string | undefined> {
    return this.#verification.sandbox.readText(file);
  }

  /** What this work writes in a copy of its own; nothing of it stays. */
  inOwnCopy: NonNullable<FixContext['inOwnCopy']> = (isJailed, work) =>
    this.#verification.sandbox.inOwnCopy(isJailed, work);

  /**
   * What each of the fixes does, in their order, each told as soon as it is certain; nothing stays in the sandbox. `ahead`: what the tests
   * do further on, with edits that do not lie in the sandbox now. `endsWithSuite`: the full suite is due once they are kept.
   */
  async judge(
    fixes: readonly Fix[],
    { onVerdict, ahead, endsWithSuite }: Judging = {},
  ): Promise<readonly Judgement[]> {
    if (fixes.length === 0) return [];
    const weigh = this.#verification.sandbox.inPlace ? undefined : this.#request.weigh;
    const context = {
      ...this.#verification,
      baseline: this.#results,
      ...(weigh && { weigh: (files: readonly FileChange[]) => weigh(files, this.#verification, true) }),
      known: this.known,
      reaches: (file: string) => this.#importGraph().reaches(file),
      ...(onVerdict && { onVerdict }),
      unreproduced: this.withoutFixes.unreproduced,
      ranBefore: (fileId: string) => this.elsewhere.ranBefore(fileId),
      failsOtherwise: this.withoutFixes.failsOtherwise,
    };
    const scope = await this.scopeOf(fixes);
    return judgeFixes(fixes, context, {
      ...scope,
      ...(ahead && { ahead }),
      endsWithSuite: this.#isAll(scope) ? 'known' : endsWithSuite,
      isEnd: endsWithSuite !== undefined,
      onTrial: (inPlace, summary, isSuite) => this.#trials.set(keyOf(inPlace), { scope, summary, isSuite }),
    });
  }

  /** Does each of these hold by itself? One run each, which is known for as long as their files stay; nothing stays in the sandbox. */
  async prove(fixes: readonly Fix[]): Promise<readonly boolean[]> {
    for (const fix of fixes) {
      if (this.#proven.has(fix.id)) continue;
      const [judged] = await this.judge([{ ...fix, trust: 'mechanical' }]);
      this.#proven.set(
        fix.id,
        judged?.verdict.verdict === 'verified' && judged.fix.failures.length === fix.failures.length,
      );
    }
    return fixes.map(({ id }) => this.#proven.get(id) === true);
  }

  /** Lets fixes lie in the sandbox, all or none, and learns what the tests they reach do then. */
  async keep(fixes: readonly Fix[]): Promise<Kept> {
    const { undo, trial } = await this.#lay(fixes);
    return { ...undo, isSuite: trial.isSuite };
  }

  /**
   * Lets fixes that are no proof lie on top of the others for a while; what is known of the tests is what they do then, until it is
   * undone. The same fixes on top of the same others are run once.
   */
  async advance(fixes: readonly Fix[]): Promise<Undo> {
    const [settled, trials] = [this.#results, new Map(this.#trials)];
    const { undo, trial } = await this.#lay(fixes);
    this.#settled = settled;
    return {
      files: undo.files,
      undo: async () => {
        await undo.undo();
        this.#results = settled;
        this.#settled = undefined;
        for (const [key, known] of trials) this.#trials.set(key, known);
        this.#trials.set(keyOf(fixes), trial);
      },
    };
  }

  async #lay(fixes: readonly Fix[]): Promise<{ readonly undo: Undo; readonly trial: Trial }> {
    const known = this.#trials.get(keyOf(fixes));
    const edits = mergeEdits(fixes.flatMap((fix) => fix.edits));
    for (const { file } of edits)
      if (!this.#originals.has(file)) this.#originals.set(file, (await this.readText(file)) ?? '');
    const applied = await this.#verification.sandbox.applyEdits(edits);
    this.#forgetGraph();
    const undo: Undo = {
      files: applied.files,
      undo: async () => {
        await applied.undo();
        this.#forgetGraph();
        this.#kept.delete(undo);
      },
    };
    this.#kept.add(undo);
    const scope = known?.scope ?? (await this.scopeOf(fixes));
    const files = scope.files.length === 0 ? undefined : scope.files;
    if (known === undefined) {
      const summary = await this.run(files);
      return {
        undo,
        trial: { scope, summary, isSuite: files === undefined && summary.ended === 'complete' },
      };
    }
    await this.#adopt(known.summary, known.isSuite ? undefined : files);
    return { undo, trial: known };
  }

  /** Unified diff of one fix against the sandbox as it is, or as `read` has it. */
  async diffOf(fix: Fix, read = (file: string) => this.readText(file)): Promise<string> {
    const parts: string[] = [];
    for (const edit of mergeEdits(fix.edits)) {
      const text = await read(edit.file);
      if (text === undefined || hashText(text) !== edit.before) continue;
      parts.push(unifiedDiff(edit.file, text, applyEdit(edit, text)));
    }
    return parts.join('');
  }

  /** Unified diff of everything that lies in the sandbox against what the cycle started from. */
  async patch(): Promise<string> {
    const parts: string[] = [];
    for (const [file, before] of [...this.#originals].sort(([a], [b]) => a.localeCompare(b)))
      parts.push(unifiedDiff(file, before, await this.readText(file)));
    return parts.join('');
  }

  /** The test files in which the fixes can change anything. */
  scopeOf(fixes: readonly Fix[]): Promise<VerificationScope> {
    return fixScope(fixes, {
      results: this.#results,
      testFiles: this.#request.suiteFiles ?? this.#request.testFiles,
      graph: this.#importGraph(),
    });
  }

  /** Are the files of the scope all that the suite has? */
  #isAll({ scope, files }: VerificationScope): boolean {
    const { suiteFiles, testFiles } = this.#request;
    return scope === 'suite' || (suiteFiles ?? testFiles).every((file) => files.includes(file));
  }

  /** Ends the sandbox, or leaves a given one as it was. */
  async dispose(): Promise<void> {
    for (const kept of [...this.#kept].reverse()) await kept.undo();
    await this.#verification.dispose();
  }

  /** Replaces what is known of the files (undefined: of all) by what the run told. */
  async #adopt(summary: RunSummary, files: readonly string[] | undefined): Promise<void> {
    const ran = files === undefined ? undefined : new Set(files);
    const others = [...this.#results].filter(([, { file }]) => ran !== undefined && !ran.has(file));
    this.#results = new Map([...others, ...summary.tests.map((test) => [test.id, test] as const)]);
    await this.withoutFixes.learn(summary, this.#kept.size > 0);
  }

  #selection(files: readonly string[] | undefined): Selection {
    return files === undefined ? {} : { files: files.map((file) => path.join(this.root, file)) };
  }

  /** What every run that records something needs. */
  get #recording(): RecordRequest & { readonly signal: AbortSignal } {
    const { workspace, projects } = this.#verification;
    const { frameworks, env: own, start, progress } = this.#request;
    const { root, signal } = this;
    const run = (selection: Selection, env: Record<string, string>): Promise<RunSummary> =>
      runTests({
        workspace,
        projects,
        frameworks,
        selection: { ...storedSnapshots, ...this.#verification.compiled(), ...selection },
        ...(progress && { onEvent: progress.onRun({ place: 'copy', files: filesOf(selection) }) }),
        signal,
        ...(start === undefined ? {} : { start }),
        env: { ...own, ...env },
      });
    return { root, signal, run, write: (contents) => this.#verification.sandbox.write(contents) };
  }

  /** What makes each of these failures the same one, by test id. */
  async #captureKeys(failing: readonly TestResult[]): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const { file } of failing)
      if (!texts.has(file)) texts.set(file, hashText((await this.readText(file)) ?? ''));
    return new Map(
      failing.map(({ id, file, failure }) => [
        id,
        hashText(JSON.stringify([id, failure?.message ?? '', texts.get(file)])),
      ]),
    );
  }

  #importGraph(): ImportGraph {
    return (this.#graph ??= createImportGraph({ root: this.root, signal: this.signal }));
  }

  #forgetGraph(): void {
    this.#trials.clear();
    this.#graph = undefined;
    this.#changes.forget();
    this.#updates.clear();
  }
}
