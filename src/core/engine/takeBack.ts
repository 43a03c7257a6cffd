// Takes back written fixes that do not help in the workspace itself: their tests stay red there, or another test fails with them.
import { HumanError } from '../base/humanError.ts';
import { ownFailures, type Fix } from '../model/fix.ts';
import { fileIdOf } from '../model/testId.ts';
import type { RunSummary, TestResult } from '../model/testResult.ts';
import type { WrittenFixes } from './writtenFixes.ts';

interface TakeBackRequest {
  readonly written: WrittenFixes;
  /** What the tests did without any fix. */
  readonly before: readonly TestResult[];
  /** Ids of the only fixes that are in question; all when absent. */
  readonly judged?: ReadonlySet<string>;
  /** With all of the fixes. */
  readonly run: RunSummary;
  /** Runs the tests of these files (relative to the root) as they are on disk; of all that count without. */
  readonly runOnDisk: (files?: readonly string[]) => Promise<RunSummary>;
}

interface TakenBack {
  /** As the workspace is in the end. */
  readonly run: RunSummary;
  /** Why, by the id of the fix. */
  readonly reasons: ReadonlyMap<string, string>;
  /** What could not be taken back, and other things that the user has to know. */
  readonly notes: readonly string[];
}

/** A file is written only while it is exactly what was written before: whatever somebody else made of it is left. */
export async function takeBack(request: TakeBackRequest): Promise<TakenBack> {
  const state = new DiskState(request);
  try {
    while (state.run.ended === 'complete' && state.written.fixes.length > 0) {
      const unhelped = await state.unhelped();
      const found = unhelped.size > 0 ? unhelped : await state.harmful();
      if (found.size === 0) break;
      await state.remove(found);
    }
  } catch (error) {
    if (!(error instanceof HumanError)) throw error;
    state.notes.push(`Fixes that do not help on disk could not be taken back: ${error.message}`);
  }
  return state;
}

type Reasons = ReadonlyMap<Fix, string>;

class DiskState implements TakenBack {
  readonly written: WrittenFixes;
  readonly reasons = new Map<string, string>();
  readonly notes: string[] = [];
  run: RunSummary;
  readonly #request: TakeBackRequest;
  readonly #passed: ReadonlySet<string>;
  /** Tests that no fix is to be blamed for, and fixes that stay whatever their tests do. */
  readonly #settled = new Set<string>();

  constructor(request: TakeBackRequest) {
    this.#request = request;
    this.written = request.written;
    this.run = request.run;
    const { judged } = request;
    for (const { id } of this.written.fixes) if (judged?.has(id) === false) this.#settled.add(id);
    this.#passed = new Set(request.before.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  }

  /** Fixes none of whose tests passes, twice: one that mended some of its tests has helped. */
  async unhelped(): Promise<Reasons> {
    const open = this.written.fixes.filter(({ id }) => !this.#settled.has(id));
    const once = open.filter((fix) => redOf(fix, this.run) !== undefined);
    const again = await this.#again(once.flatMap((fix) => redOf(fix, this.run) ?? []));
    const reasons = new Map<Fix, string>();
    for (const fix of once) {
      const test = redOf(fix, again);
      if (test !== undefined)
        reasons.set(fix, `its test still fails on disk: ${test.failure?.message ?? test.outcome}`);
      else this.#settle(fix.id, 'Its test passes and fails without any change', fix.title);
    }
    return reasons;
  }

  /** Fixes after which a test fails that passed before; each is tried with those before it that do no harm. */
  async harmful(): Promise<Reasons> {
    const isWorse = (test: TestResult): boolean =>
      isRed(test) && this.#passed.has(test.id) && !this.#settled.has(test.id);
    const suspects = this.run.tests.filter(isWorse);
    const worse = (await this.#again(suspects)).tests.filter(isWorse);
    for (const { id, title } of suspects)
      if (!worse.some((test) => test.id === id))
        this.#settle(id, 'It passes and fails without any change', title);
    const [broken] = worse;
    if (broken === undefined) return new Map();
    const all = this.written.fixes;
    const changed = await this.written.changedFiles();
    const isFree = (fix: Fix): boolean => !fix.edits.some(({ file }) => changed.has(file));
    const stuck = all.filter((fix) => !isFree(fix));
    const fails = async (fixes: readonly Fix[]): Promise<boolean> => {
      await this.written.keepOnly([...stuck, ...fixes]);
      return (await this.#again(worse)).tests.some(isWorse);
    };
    const sift = async (good: readonly Fix[], more: readonly Fix[]): Promise<readonly Fix[]> => {
      const both = [...good, ...more];
      if (!(await fails(both))) return both;
      if (more.length <= 1) return good;
      const half = Math.ceil(more.length / 2);
      return sift(await sift(good, more.slice(0, half)), more.slice(half));
    };
    try {
      const isInnocent = await fails([]);
      const good = isInnocent ? all : await sift([], all.filter(isFree));
      if (isInnocent)
        this.notes.push(`It passed before and fails now, also without the fixes: ${broken.title}`);
      const reason = `"${broken.title}" passed before and fails with this fix.`;
      const harmful = all.filter((fix) => isFree(fix) && !good.includes(fix));
      return new Map(harmful.map((fix) => [fix, reason]));
    } finally {
      // Once for each test: what is still red then has another reason.
      for (const { id } of worse) this.#settled.add(id);
      await this.written.keepOnly(all);
    }
  }

  /** With what was made on top of them. */
  async remove(found: Reasons): Promise<void> {
    const changed = await this.written.changedFiles();
    const going = new Map<Fix, string>();
    for (const [fix, reason] of found) {
      const file = fix.edits.find((edit) => changed.has(edit.file))?.file;
      if (file === undefined) going.set(fix, reason);
      else
        this.#settle(
          fix.id,
          `It does not help on disk (${reason}), and stays: ${file} changed since`,
          fix.title,
        );
    }
    if (going.size === 0) return;
    await this.#leaveOut(going);
    for (const [{ id, title, edits }, reason] of going) {
      this.reasons.set(id, reason);
      this.notes.push(
        `Taken back: ${title} (${[...new Set(edits.map(({ file }) => file))].join(', ')}): ${reason}`,
      );
    }
    this.run = await this.#request.runOnDisk();
  }

  /** Adds those that cannot stay without the others. */
  async #leaveOut(going: Map<Fix, string>): Promise<void> {
    const stay = (): readonly Fix[] => this.written.fixes.filter((fix) => !going.has(fix));
    try {
      await this.written.textsWith(stay());
    } catch (error) {
      if (!(error instanceof HumanError)) throw error;
      const files = new Set([...going.keys()].flatMap(({ edits }) => edits.map(({ file }) => file)));
      const above = stay().filter(({ edits }) => edits.some(({ file }) => files.has(file)));
      if (above.length === 0) throw error;
      for (const fix of above) going.set(fix, 'it was made on top of another fix that was taken back.');
      return this.#leaveOut(going);
    }
    await this.written.keepOnly(stay());
  }

  async #again(tests: readonly TestResult[]): Promise<Pick<RunSummary, 'tests'>> {
    const files = [...new Set(tests.map(({ file }) => file))];
    if (files.length === 0) return { tests: [] };
    const run = await this.#request.runOnDisk(files);
    if (run.ended === 'complete') return run;
    this.run = { ...this.run, ended: run.ended };
    throw new HumanError('cancelled', 'The tests did not run to their end.', { remedy: 'Run them again.' });
  }

  #settle(id: string, what: string, title: string): void {
    this.#settled.add(id);
    this.notes.push(`${what}: ${title}`);
  }
}

/** A red test of the fix when none of its tests passes. A file that did not load was one failure; now its tests speak for it. */
function redOf(fix: Fix, { tests }: Pick<RunSummary, 'tests'>): TestResult | undefined {
  const wanted = new Set(ownFailures(fix));
  const own = tests.filter(({ id }) => wanted.has(id) || wanted.has(fileIdOf(id)));
  return own.some(({ outcome }) => outcome === 'passed') ? undefined : own.find(isRed);
}

const isRed = ({ outcome }: TestResult): boolean => outcome === 'failed' || outcome === 'errored';
