// The workbench of a cycle: one sandbox, what its tests did last, what was recorded of failures, and the fixes that lie in it.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import { BuiltCode } from '../diagnosis/builtCode.ts';
import { noChanges, readSourceChanges, type SourceChanges } from '../diagnosis/sourceChanges.ts';
import { captureValues } from '../diagnosis/captureValues.ts';
import type { RecordRequest } from '../diagnosis/recordRun.ts';
import type { TrialRecord } from '../diagnosis/recordTrial.ts';
import { watchOperands } from '../diagnosis/watchOperands.ts';
import { hashText } from '../base/hash.ts';
import { applyEdit } from '../model/edit.ts';
import type { FixContext, OrderEvidence, SnapshotUpdate } from '../fixes/fixProvider.ts';
import type { Fix, Verdict } from '../model/fix.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { Outcome, RunSummary, TestResult } from '../model/testResult.ts';
import type { CapturedAssertion } from '../model/value.ts';
import { runTests } from '../run/runTests.ts';
import { checkBaselineParity, describeDifference } from '../verification/baselineParity.ts';
import {
  openVerification,
  storedSnapshots,
  type OpenVerification,
} from '../verification/openVerification.ts';
import { updateSnapshots } from '../verification/updateSnapshots.ts';
import { verifyFixes } from '../verification/verifyFix.ts';
import type { VerificationScope } from '../verification/verification.ts';
import { createImportGraph, type ImportGraph } from '../workspace/importGraph.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';
import type { Undo } from '../workspace/sandbox.ts';
import { unifiedDiff } from '../workspace/unifiedDiff.ts';
import { redOnBase } from './baseRuns.ts';
import { outsideCompany, type AloneOutcome } from './companyRuns.ts';
import type { OpenBench } from './cycleRequest.ts';
import { fixScope } from './fixScope.ts';
import { FormerTrials } from './formerTrials.ts';
import { orderEvidence } from './orderRuns.ts';

/** Opens the sandbox and runs the tests once in it, and in the original unless that was done. */
export async function openBench(request: OpenBench): Promise<CycleBench> {
  const { root } = request.workspace;
  const selection =
    request.startFiles === undefined
      ? {}
      : { files: request.startFiles.map((file) => path.join(root, file)) };
  const verification = await openVerification({ ...request, selection });
  return new CycleBench(request, verification);
}

/** A run that had all of some fixes in place and found nothing wrong. */
interface Trial {
  readonly fixes: ReadonlySet<string>;
  readonly scope: VerificationScope;
  readonly summary: RunSummary;
}

export class CycleBench {
  readonly #request: OpenBench;
  readonly #verification: OpenVerification;
  readonly #unreproduced: Map<string, string>;
  readonly #compared: Set<string>;
  readonly #captured = new Map<string, readonly CapturedAssertion[]>();
  readonly #lastCaptured = new Map<string, readonly CapturedAssertion[]>();
  readonly #kept = new Set<Undo>();
  readonly #onBase = new Map<string, boolean>();
  /** Failures that were run without their company, by what they are; what came of it, by test. */
  readonly #alone = new Set<string>();
  readonly #inCompany = new Map<string, AloneOutcome>();
  readonly #order = new Map<string, OrderEvidence | undefined>();
  readonly #originalOutcomes = new Map<string, Outcome>();
  readonly #originals = new Map<string, string>();
  /** Tests that passed when they were run again without any edit. */
  readonly flaky = new Set<string>();
  #results: Map<string, TestResult>;
  #trial: Trial | undefined;
  #changes: Promise<SourceChanges> | undefined;
  #graph: ImportGraph | undefined;
  readonly #trials = new FormerTrials();
  /** What tests run of compiled code, as it is in the original. */
  readonly builtCode: BuiltCode;
  readonly #proven = new Map<string, boolean>();
  readonly #updates = new Map<string, Promise<readonly SnapshotUpdate[]>>();

  /** Use `openBench`. */
  constructor(request: OpenBench, verification: OpenVerification) {
    this.#request = request;
    this.#verification = verification;
    this.builtCode = new BuiltCode(request.workspace.root, () => this.#importGraph());
    this.#unreproduced = new Map(verification.unreproduced);
    this.#results = new Map(verification.baseline);
    this.#compared = new Set(request.startFiles ?? request.testFiles);
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
    await this.#verification.sandbox.restoreStrays();
    if (summary.ended === 'complete') await this.#adopt(summary, files);
    return summary;
  }

  /** What was recorded of failing tests; tests that pass now are remembered as flaky. */
  async capture(failing: readonly TestResult[]): Promise<ReadonlyMap<string, readonly CapturedAssertion[]>> {
    const keys = new Map<string, string>();
    for (const result of failing) keys.set(result.id, await this.#captureKey(result));
    const fresh = failing.filter(({ id }) => !this.#captured.has(keys.get(id) ?? ''));
    if (fresh.length > 0) {
      const recorded = await captureValues({
        ...this.#recording,
        results: fresh,
        passed: (id) => this.flaky.add(id),
      });
      throwIfCancelled(this.signal);
      for (const { id } of fresh) this.#captured.set(keys.get(id) ?? '', recorded.get(id) ?? []);
    }
    for (const { id } of failing) this.#lastCaptured.set(id, this.#captured.get(keys.get(id) ?? '') ?? []);
    return new Map(failing.map(({ id }) => [id, this.#lastCaptured.get(id) ?? []]));
  }

  /** What these expressions of test files were while the failing tests ran, once for each time; nothing of it stays. */
  watchOperands: NonNullable<FixContext['watchOperands']> = (results, operands, times) =>
    watchOperands({ ...this.#recording, results, operands, times });

  /** What fails in the files of these tests on the former sources, while test files have other texts; nothing of it stays. */
  async tryOnFormer(
    texts: ReadonlyMap<string, string>,
    tests: readonly TestResult[],
  ): Promise<TrialRecord | undefined> {
    const { sandbox } = this.#verification;
    const changes = await this.changes();
    const trial = await this.#trials.record(texts, tests, { sandbox, changes, recording: this.#recording });
    throwIfCancelled(this.signal);
    return trial;
  }

  /** What was recorded of this failure last; nothing is run for it. */
  recorded({ id }: TestResult): readonly CapturedAssertion[] {
    return this.#lastCaptured.get(id) ?? [];
  }

  /** The changes of the workspace, read in the sandbox, where they are the same. */
  changes(): Promise<SourceChanges> {
    this.#changes ??= readSourceChanges({
      root: this.root,
      isTestFile: (file) => this.#request.isTestFile(file),
      graph: this.#importGraph(),
      signal: this.signal,
    }).catch((error: unknown) => {
      throwIfCancelled(this.signal);
      return noChanges(`the changes cannot be read: ${String(error)}`);
    });
    return this.#changes;
  }

  /** What the original did, for tests that first ran after the start. */
  originalOutcome(id: string): Outcome | undefined {
    return this.#originalOutcomes.get(id);
  }

  /** Runs tests once on the sources before the change, so that a test that failed there already is known (REPAIR lesson 7). */
  async runOnBase(failing: readonly TestResult[]): Promise<void> {
    const changes = await this.changes();
    const former = await this.builtCode.withoutBuilt(failing, changes);
    const fresh = former.filter(({ id }) => !this.#onBase.has(id));
    if (fresh.length === 0) return;
    const { sandbox } = this.#verification;
    const red = await redOnBase(fresh, {
      changes,
      write: (contents) => sandbox.write(contents),
      run: (files) => this.#verification.run(this.#selection(files), this.signal),
    });
    await sandbox.restoreStrays();
    throwIfCancelled(this.signal);
    for (const { id } of fresh) this.#onBase.set(id, red.has(id));
  }

  /** Runs failing tests without the tests around them, each failure once. */
  async runOutsideCompany(failing: readonly TestResult[]): Promise<void> {
    const keys = new Map<string, string>();
    for (const result of failing) keys.set(result.id, await this.#captureKey(result));
    const fresh = failing.filter(({ id }) => !this.#alone.has(keys.get(id) ?? ''));
    if (fresh.length === 0) return;
    const found = await outsideCompany(fresh, {
      results: this.#results,
      root: this.root,
      run: (selection) => this.#verification.run(selection, this.signal),
    });
    await this.#verification.sandbox.restoreStrays();
    throwIfCancelled(this.signal);
    for (const { id } of fresh) {
      this.#alone.add(keys.get(id) ?? '');
      const outcome = found.get(id);
      if (outcome === undefined) this.#inCompany.delete(id);
      else this.#inCompany.set(id, outcome);
    }
  }

  /** Of these failing tests those that pass by themselves, and since when they depend on others; each failure is asked once. */
  async passingAlone(failing: readonly TestResult[]): Promise<ReadonlyMap<string, OrderEvidence>> {
    await this.runOutsideCompany(failing);
    const { sandbox } = this.#verification;
    const keys = new Map<string, string>();
    for (const result of failing) keys.set(result.id, await this.#captureKey(result));
    const isAsked = ({ id }: TestResult): boolean =>
      this.#inCompany.get(id) === 'green' && !this.#order.has(keys.get(id) ?? '');
    const fresh = failing.filter(isAsked);
    if (fresh.length > 0) {
      const changes = await this.changes();
      const found = await orderEvidence(fresh, {
        root: this.root,
        changes,
        former: await this.builtCode.withoutBuilt(fresh, changes),
        write: (contents) => sandbox.write(contents),
        run: (selection) => this.#verification.run(selection, this.signal),
      });
      await sandbox.restoreStrays();
      throwIfCancelled(this.signal);
      for (const { id } of fresh) this.#order.set(keys.get(id) ?? '', found.get(id));
    }
    return new Map(
      failing.flatMap(({ id }) => {
        const evidence = this.#order.get(keys.get(id) ?? '');
        return evidence === undefined ? [] : [[id, evidence] as const];
      }),
    );
  }

  /** What this failing test does without the tests around it, when that is something else. */
  outsideCompany(id: string): AloneOutcome | undefined {
    return this.#inCompany.get(id);
  }

  /** Did this failing test fail on the sources before the change, too? */
  wasRed(id: string): boolean {
    return this.#onBase.get(id) ?? false;
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

  /** What this work writes in the sandbox; nothing of it stays. */
  writtenBy: NonNullable<FixContext['writtenBy']> = (work) => this.#verification.sandbox.writtenBy(work);

  /** Verdicts in the order of the fixes; nothing stays in the sandbox. */
  async judge(fixes: readonly Fix[]): Promise<readonly Verdict[]> {
    this.#trial = undefined;
    if (fixes.length === 0) return [];
    let last: RunSummary | undefined;
    const context = {
      ...this.#verification,
      baseline: this.#results,
      unreproduced: this.#unreproduced,
      run: async (selection: Selection, signal: AbortSignal): Promise<RunSummary> => {
        last = await this.#verification.run(selection, signal);
        return last;
      },
    };
    const scope = await this.scopeOf(fixes);
    const verdicts = await verifyFixes(fixes, context, scope);
    const [first] = verdicts;
    // When all of them passed together, the last run shows the sandbox with all of them.
    const together = verdicts.every(({ verdict, runs }) => verdict === 'verified' && runs === first?.runs);
    if (together && last !== undefined)
      this.#trial = { fixes: new Set(fixes.map(({ id }) => id)), scope, summary: last };
    return verdicts;
  }

  /** Does each of these hold by itself? One run each, which is known for as long as their files stay; nothing stays in the sandbox. */
  async prove(fixes: readonly Fix[]): Promise<readonly boolean[]> {
    for (const fix of fixes) {
      if (this.#proven.has(fix.id)) continue;
      const [verdict] = await this.judge([{ ...fix, trust: 'mechanical' }]);
      this.#proven.set(fix.id, verdict?.verdict === 'verified');
    }
    return fixes.map(({ id }) => this.#proven.get(id) === true);
  }

  /** Lets fixes lie in the sandbox, all or none, and learns what the tests they reach do then. */
  async keep(fixes: readonly Fix[]): Promise<Undo> {
    const trial = this.#trial;
    const edits = mergeEdits(fixes.flatMap((fix) => fix.edits));
    for (const { file } of edits)
      if (!this.#originals.has(file)) this.#originals.set(file, (await this.readText(file)) ?? '');
    const undo = await this.#verification.sandbox.applyEdits(edits);
    this.#forgetGraph();
    const kept: Undo = {
      files: undo.files,
      undo: async () => {
        await undo.undo();
        this.#forgetGraph();
        this.#kept.delete(kept);
      },
    };
    this.#kept.add(kept);
    const isKnown = trial?.fixes.size === fixes.length && fixes.every(({ id }) => trial.fixes.has(id));
    const { files } = isKnown ? trial.scope : await this.scopeOf(fixes);
    if (isKnown) await this.#adopt(trial.summary, trial.scope.scope === 'suite' ? undefined : files);
    else await this.run(files.length === 0 ? undefined : files);
    return kept;
  }

  /** Unified diff of one fix against the sandbox as it is. */
  async diffOf(fix: Fix): Promise<string> {
    const parts: string[] = [];
    for (const edit of mergeEdits(fix.edits)) {
      const text = await this.readText(edit.file);
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
      testFiles: this.#request.testFiles,
      graph: this.#importGraph(),
    });
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
    await this.#compareNew(summary);
  }

  #selection(files: readonly string[] | undefined): Selection {
    return files === undefined ? {} : { files: files.map((file) => path.join(this.root, file)) };
  }

  /** Tests that ran for the first time after the start: does the original do the same? Only failing ones matter. */
  async #compareNew(summary: RunSummary): Promise<void> {
    const fresh = new Set(summary.tests.map(({ file }) => file).filter((file) => !this.#compared.has(file)));
    for (const file of fresh) this.#compared.add(file);
    const failing = [...fresh].filter((file) =>
      summary.tests.some(
        (test) => test.file === file && (test.outcome === 'failed' || test.outcome === 'errored'),
      ),
    );
    if (failing.length === 0) return;
    const { workspace, projects, frameworks, env, start } = this.#request;
    const original = await runTests({
      ...(start === undefined ? {} : { start }),
      workspace,
      projects,
      frameworks,
      signal: this.signal,
      selection: { ...storedSnapshots, files: failing.map((file) => path.join(workspace.root, file)) },
      ...(env === undefined ? {} : { env }),
    });
    throwIfCancelled(this.signal);
    const own = { ...summary, tests: summary.tests.filter(({ file }) => failing.includes(file)) };
    for (const { id, outcome } of original.tests) this.#originalOutcomes.set(id, outcome);
    // With fixes in place a difference may be their doing: the cycle takes them back and looks again.
    if (this.#kept.size > 0) return;
    for (const test of checkBaselineParity(original, own).differing)
      this.#unreproduced.set(test.file, describeDifference(test));
  }

  /** What every run that records something needs. */
  get #recording(): RecordRequest & { readonly signal: AbortSignal } {
    const { workspace, projects } = this.#verification;
    const { frameworks, env: own, start } = this.#request;
    const { root, signal } = this;
    const run = (selection: Selection, env: Record<string, string>): Promise<RunSummary> =>
      runTests({
        workspace,
        projects,
        frameworks,
        selection: { ...storedSnapshots, ...selection },
        signal,
        ...(start === undefined ? {} : { start }),
        env: { ...own, ...env },
      });
    return { root, signal, run };
  }

  async #captureKey(result: TestResult): Promise<string> {
    const text = (await this.readText(result.file)) ?? '';
    return JSON.stringify([result.id, result.failure?.message ?? '', hashText(text)]);
  }

  #importGraph(): ImportGraph {
    return (this.#graph ??= createImportGraph({ root: this.root, signal: this.signal }));
  }

  #forgetGraph(): void {
    this.#graph = undefined;
    this.#changes = undefined;
    this.#updates.clear();
  }
}
