// A cycle that was killed, taken up by the next: its fixes are proposals like any other, and what the person said about them holds.
import { hashText } from '../base/hash.ts';
import type { FixContext, FixProvider } from '../fixes/fixProvider.ts';
import { editsKey } from '../fixes/rankFixes.ts';
import type { CycleFix, FormerWork, TakenUpWork } from '../model/cycle.ts';
import type { Fix } from '../model/fix.ts';
import type { FormerCycle } from './formerCycle.ts';
import type { Decision } from './cycleRequest.ts';

export class ResumedFixes {
  /** Iterations that were done before the kill. */
  readonly iterations: number;
  /** Failures that the person called a bug. */
  readonly bugs: readonly string[];
  /** Tests that the person wants left alone. */
  readonly skipped: readonly string[];
  /** By their edits, in the order in which they were proven. */
  readonly #fixes: ReadonlyMap<string, Fix>;
  /** Changed expectations that the person accepted. */
  readonly #accepted: ReadonlyMap<string, Fix>;
  /** Fixes of failing tests whose files are other ones now, by their edits. */
  readonly #unfit = new Set<string>();

  /** ISO 8601. */
  readonly #startedAt: string;

  constructor({ startedAt, iterations, fixes }: FormerCycle) {
    const said = (decision: Decision): readonly Fix[] =>
      fixes.filter((one) => one.said === decision).map(({ fix }) => fix);
    this.#startedAt = new Date(startedAt).toISOString();
    this.iterations = iterations;
    this.bugs = said('bug').flatMap(({ failures }) => failures);
    this.skipped = said('skip').flatMap(({ failures }) => failures);
    const open = fixes.filter((one) => one.said === undefined || one.said === 'accept');
    this.#fixes = new Map(open.map(({ fix }) => [editsKey(fix.edits), fix]));
    this.#accepted = new Map(said('accept').map((fix) => [editsKey(fix.edits), fix]));
  }

  /** Proposes the fixes that fit the files as they are; everything after that is as with any other fixer. */
  readonly provider: FixProvider = {
    id: 'taken-up',
    description: 'Proposes again what a cycle that was killed had proven.',
    propose: async (context) => {
      const failing = new Set(context.failing.map(({ result }) => result.id));
      const proposed: Fix[] = [];
      for (const [key, fix] of this.#fixes) {
        if (!fix.failures.some((id) => failing.has(id))) continue;
        if (await fits(fix, context)) proposed.push(fix);
        else this.#unfit.add(key);
      }
      return proposed;
    },
  };

  /** Is it one of the fixes that the killed cycle had proven? */
  has(fix: Fix): boolean {
    return this.#fixes.has(editsKey(fix.edits));
  }

  /** Is there one that was not tried yet? */
  hasLeft(judged: readonly CycleFix[]): boolean {
    const tried = new Set(judged.map(({ edits }) => editsKey(edits)));
    return [...this.#fixes.keys()].some((key) => !tried.has(key));
  }

  /** What the person said already: of the very same change of the very same expectation. */
  saidOf(fix: Fix): Decision | undefined {
    const known = this.#accepted.get(editsKey(fix.edits));
    const isSame =
      known !== undefined &&
      known.expectation?.old === fix.expectation?.old &&
      known.expectation?.new === fix.expectation?.new;
    return isSame ? 'accept' : undefined;
  }

  /** What is known of the killed cycle at the start. */
  get former(): FormerWork {
    return { startedAt: this.#startedAt, iterations: this.iterations, fixes: this.#fixes.size };
  }

  /** What became of its fixes; `failing`: tests that still fail, undefined where none was run. */
  told(judged: readonly CycleFix[], failing: ReadonlySet<string> | undefined): TakenUpWork {
    const now = new Map(judged.map((fix) => [editsKey(fix.edits), fix]));
    const fallen = [...this.#fixes].filter(([key]) => now.get(key)?.verdict.verdict !== 'verified');
    return {
      ...this.former,
      proven: this.#fixes.size - fallen.length,
      dropped: fallen.map(([key, fix]) => ({
        title: fix.title,
        reason: this.#whyFallen(key, fix, now.get(key), failing),
      })),
    };
  }

  #whyFallen(
    key: string,
    fix: Fix,
    judged: CycleFix | undefined,
    failing: ReadonlySet<string> | undefined,
  ): string {
    if (judged !== undefined) return judged.verdict.reason ?? 'it did not hold again.';
    const files = [...new Set(fix.edits.map(({ file }) => file))].join(', ');
    if (this.#unfit.has(key)) return `it no longer fits ${files}.`;
    const stillFails = failing === undefined || fix.failures.some((id) => failing.has(id));
    return stillFails ? 'the cycle ended before it was tried.' : 'its test does not fail any more.';
  }
}

async function fits(fix: Fix, context: FixContext): Promise<boolean> {
  for (const { file, before } of fix.edits) {
    const text = await context.readText(file);
    if (text === undefined || hashText(text) !== before) return false;
  }
  return true;
}
