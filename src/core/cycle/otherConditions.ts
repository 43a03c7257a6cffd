// What failing tests do in other conditions: on the sources before the change, and without the tests around them.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import type { BuiltCode } from '../diagnosis/builtCode.ts';
import type { SourceChanges } from '../diagnosis/sourceChanges.ts';
import type { OrderEvidence } from '../fixes/fixProvider.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { Selection } from '../model/frameworkProject.ts';
import type { OpenVerification } from '../verification/openVerification.ts';
import { runOnBase } from '../verification/baseRuns.ts';
import { hasCompany, runIsolated, type IsolatedOutcome } from './isolatedRuns.ts';
import { orderEvidence } from './orderRuns.ts';

/** Where the tests run, and what is known there. */
interface Here {
  readonly verification: OpenVerification;
  readonly builtCode: BuiltCode;
  changes(): Promise<SourceChanges>;
  /** What each test did when it ran last. */
  results(): ReadonlyMap<string, TestResult>;
  /** What makes each of these failures the same one, by test id. */
  keysOf(failing: readonly TestResult[]): Promise<ReadonlyMap<string, string>>;
}

/** Each failure is asked once; nothing of a run stays in the sandbox. */
export class FailuresInOtherConditions {
  readonly #here: Here;
  readonly #onBase = new Map<string, boolean>();
  readonly #ranOnBase = new Map<string, readonly TestResult[]>();
  /** Failures that were run without their company, by what they are; what came of it, by test. */
  readonly #alone = new Set<string>();
  /** Failures that are the same when they alone are run, all at once. */
  #byThemselves: string | undefined;
  readonly #inCompany = new Map<string, IsolatedOutcome>();
  readonly #order = new Map<string, OrderEvidence | undefined>();

  constructor(here: Here) {
    this.#here = here;
  }

  /** Runs tests once on the sources before the change, so that a test that failed there already is known (REPAIR lesson 7). */
  async runOnBase(failing: readonly TestResult[]): Promise<void> {
    const { builtCode } = this.#here;
    const changes = await this.#here.changes();
    const former = await builtCode.withoutBuilt(failing, changes);
    const fresh = former.filter(({ id }) => !this.#onBase.has(id));
    if (fresh.length === 0) return;
    const { sandbox } = this.#here.verification;
    const { red, ran } = await runOnBase(fresh, {
      changes,
      readText: (file) => sandbox.readText(file),
      write: (contents) => sandbox.write(contents),
      run: (files) => this.#run({ files: files.map((file) => path.join(sandbox.root, file)) }),
    });
    await this.#cleanUp();
    for (const { id } of fresh) this.#onBase.set(id, red.has(id));
    for (const [id, tests] of ran) this.#ranOnBase.set(id, tests);
  }

  /** The tests that ran in a file that does not load now, where that is known. */
  ranBefore(fileId: string): readonly TestResult[] {
    return this.#ranOnBase.get(fileId) ?? [];
  }

  /** Did this failing test fail on the sources before the change, too? */
  wasRed(id: string): boolean {
    return this.#onBase.get(id) ?? false;
  }

  /** Are there tests around these failing ones, without which nobody knows yet what they do? */
  areAmongOthers(tests: readonly TestResult[], keys: readonly string[]): boolean {
    return !keys.every((key) => this.#alone.has(key)) && hasCompany(tests, this.#here.results());
  }

  /** These failures, by themselves, are the same without the tests around them; what they are to each other is open. */
  failByThemselves(tests: readonly TestResult[], keys: readonly string[]): void {
    this.#byThemselves = setKey(keys);
    const [only, another] = tests;
    if (only === undefined || another !== undefined) return;
    for (const key of keys) this.#alone.add(key);
    this.#inCompany.delete(only.id);
  }

  /** Runs failing tests without the tests around them. */
  async runOutsideCompany(failing: readonly TestResult[]): Promise<void> {
    const keys = await this.#here.keysOf(failing);
    const fresh = failing.filter(({ id }) => !this.#alone.has(keys.get(id) ?? ''));
    if (fresh.length === 0) return;
    const found = await runIsolated(fresh, {
      failByThemselves: setKey(fresh.map(({ id }) => keys.get(id) ?? '')) === this.#byThemselves,
      results: this.#here.results(),
      root: this.#here.verification.sandbox.root,
      run: (selection) => this.#run(selection),
    });
    await this.#cleanUp();
    for (const { id } of fresh) {
      this.#alone.add(keys.get(id) ?? '');
      const outcome = found.get(id);
      if (outcome === undefined) this.#inCompany.delete(id);
      else this.#inCompany.set(id, outcome);
    }
  }

  /** What this failing test does without the tests around it, when that is something else. */
  runIsolated(id: string): IsolatedOutcome | undefined {
    return this.#inCompany.get(id);
  }

  /** Of these failing tests those that pass by themselves, and since when they depend on others. */
  async passingAlone(failing: readonly TestResult[]): Promise<ReadonlyMap<string, OrderEvidence>> {
    await this.runOutsideCompany(failing);
    const keys = await this.#here.keysOf(failing);
    const isAsked = ({ id }: TestResult): boolean =>
      this.#inCompany.get(id) === 'green' && !this.#order.has(keys.get(id) ?? '');
    const fresh = failing.filter(isAsked);
    if (fresh.length > 0) {
      const { sandbox } = this.#here.verification;
      const changes = await this.#here.changes();
      const found = await orderEvidence(fresh, {
        root: sandbox.root,
        changes,
        former: await this.#here.builtCode.withoutBuilt(fresh, changes),
        write: (contents) => sandbox.write(contents),
        run: (selection) => this.#run(selection),
      });
      await this.#cleanUp();
      for (const { id } of fresh) this.#order.set(keys.get(id) ?? '', found.get(id));
    }
    return new Map(
      failing.flatMap(({ id }) => {
        const evidence = this.#order.get(keys.get(id) ?? '');
        return evidence === undefined ? [] : [[id, evidence] as const];
      }),
    );
  }

  #run(selection: Selection): Promise<RunSummary> {
    const { verification } = this.#here;
    return verification.run(selection, verification.signal);
  }

  /** Takes away what the tests wrote; throws when the cycle was cancelled meanwhile. */
  async #cleanUp(): Promise<void> {
    const { sandbox, signal } = this.#here.verification;
    await sandbox.restoreStrays();
    throwIfCancelled(signal);
  }
}

const setKey = (keys: readonly string[]): string => [...keys].sort().join(' ');
