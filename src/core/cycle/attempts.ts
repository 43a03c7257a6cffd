// Remembers what was tried and decided in a cycle, and picks the next fix to try for each failure.
import { isInFile } from '../model/testId.ts';
import { hashText } from '../base/hash.ts';
import type { CycleFix, Strategy } from '../model/cycle.ts';
import { ownFailures, type Fix, type Verdict } from '../model/fix.ts';
import type { Severity, TestResult } from '../model/testResult.ts';
import { groupFixes, joinFixes, stackFixes } from './groupFixes.ts';

export class Attempts {
  readonly #tried = new Set<string>();
  /** Tried, allowed by the gate, and not enough by themselves. */
  readonly #notEnough = new Set<string>();
  readonly #report = new Map<string, CycleFix>();
  /** Tests that got at least one proposal tried, or have none. */
  readonly #treated = new Set<string>();
  /** Tests that the user wants left alone. */
  readonly #skipped = new Set<string>();
  /** Tests whose failure the user called a bug. */
  readonly bugs: Set<string>;

  constructor(bugs: Iterable<string>) {
    this.bugs = new Set(bugs);
  }

  /** The fixes to try now: one for each failure, none that was tried; a surgical iteration tries one in all. */
  next(
    fixes: readonly Fix[],
    failing: readonly TestResult[],
    strategy: Strategy,
    trust: Fix['trust'],
    join: (group: readonly Fix[]) => Fix = joinFixes,
  ): readonly Fix[] {
    const wanted = new Set(failing.filter(({ id }) => this.isOpen(id)).map(({ id }) => id));
    const open = fixes.filter(
      (fix) => fix.trust === trust && !this.wasTried(fix) && fix.failures.some((id) => wanted.has(id)),
    );
    if (strategy === 'surgical') {
      const [first] = bySeverity(failing).flatMap(
        ({ id }) => open.find((fix) => fix.failures.includes(id)) ?? [],
      );
      return first === undefined ? [] : [first];
    }
    const taken = new Set<string>();
    const chosen: Fix[] = [];
    for (const fix of open) {
      // A deletion, and another call, is offered beside the changed expectation: which of them is right is the question.
      const isOtherCall = trust === 'propose' && fix.mendsCalls === true;
      const turn = (id: string): string =>
        fix.removesTests === true ? `delete ${id}` : isOtherCall ? `call ${id}` : id;
      if (ownFailures(fix).some((id) => taken.has(turn(id)))) continue;
      // What is kept must stand together (rows that share one expectation do not agree on it); a proposal stands alone.
      const fits = trust === 'propose' || chosen.every((one) => canStandTogether(one, fix));
      if (!fits) continue;
      for (const id of ownFailures(fix)) taken.add(turn(id));
      chosen.push(fix);
    }
    if (strategy !== 'aggressive') return chosen;
    // A group that was rejected as a whole is tried one by one.
    return groupFixes(chosen).flatMap((group) => {
      const joined = join(group);
      return this.wasTried(joined) ? group : [joined];
    });
  }

  /**
   * Those of the proposals that were not enough alone, as one fix for each test: a refactoring often does two things to a test. None of
   * them changes an expectation; what joins a proposal for a person is one.
   */
  joined(fixes: readonly Fix[]): readonly Fix[] {
    const byTest = new Map<string, Fix[]>();
    for (const fix of fixes) {
      if (fix.trust === 'oracle' || fix.removesTests === true || !this.#notEnough.has(attemptKey(fix)))
        continue;
      for (const id of fix.failures) byTest.set(id, [...(byTest.get(id) ?? []), fix]);
    }
    const joined = new Map<string, Fix>();
    for (const parts of byTest.values()) {
      const mechanical = parts.filter(({ trust }) => trust === 'mechanical');
      for (const stack of [stackFixes(mechanical), stackFixes(parts)])
        if (stack !== undefined) joined.set(stack.id, stack);
    }
    return [...joined.values()];
  }

  wasTried(fix: Fix): boolean {
    return this.#tried.has(attemptKey(fix));
  }

  /** May this failing test still be mended? */
  isOpen(id: string): boolean {
    return !this.bugs.has(id) && !this.#skipped.has(id);
  }

  /** `asked`: the fix as it was proposed, where it was judged for some of its tests. */
  note(fix: Fix, verdict: Verdict, diff: string, state: CycleFix['state'], asked = fix): CycleFix {
    this.#tried.add(attemptKey(asked));
    if (verdict.verdict === 'rejected' && verdict.runs > 0 && verdict.violations.length === 0)
      this.#notEnough.add(attemptKey(fix));
    for (const id of fix.failures) this.#treated.add(id);
    const judged: CycleFix = { ...fix, verdict, diff, state };
    this.#report.set(fix.id, judged);
    return judged;
  }

  /** Somebody decided about the fix, or it was taken back. */
  settle(fixId: string, state: CycleFix['state'], verdict?: Verdict): CycleFix | undefined {
    const fix = this.#report.get(fixId);
    if (fix === undefined) return undefined;
    const settled: CycleFix = { ...fix, state, ...(verdict && { verdict }) };
    this.#report.set(fixId, settled);
    return settled;
  }

  /** The fix is a step of another one now, which is reported. */
  absorb(fixId: string): void {
    this.#report.delete(fixId);
  }

  /** The fix could not stay for no fault of its own: it may be tried again. */
  forget(fixId: string): void {
    const fix = this.#report.get(fixId);
    if (fix !== undefined) this.#tried.delete(attemptKey(fix));
    this.#report.delete(fixId);
  }

  /** Does the file of its tests load only with a chain that nobody has accepted yet? */
  isHeldUp({ failures }: Fix): boolean {
    return this.fixes.some(
      ({ state, parts, failures: held }) =>
        state === 'unreviewed' &&
        parts !== undefined &&
        held.some((file) => failures.some((id) => isInFile(id, file))),
    );
  }

  skip(ids: readonly string[]): void {
    for (const id of ids) this.#skipped.add(id);
  }

  treat(ids: Iterable<string>): void {
    for (const id of ids) this.#treated.add(id);
  }

  wasTreated(id: string): boolean {
    return this.#treated.has(id);
  }

  /** In the order in which they were judged. */
  get fixes(): readonly CycleFix[] {
    return [...this.#report.values()];
  }
}

/** Can both be made? The same change in both, an import for instance, is made once. */
function canStandTogether(a: Fix, b: Fix): boolean {
  return a.edits.every((left) =>
    b.edits.every(
      (right) =>
        left.file !== right.file ||
        left.changes.every((x) =>
          right.changes.every(
            (y) =>
              x.end <= y.start ||
              y.end <= x.start ||
              (x.start === y.start && x.end === y.end && x.newText === y.newText),
          ),
        ),
    ),
  );
}

/** Equal for the same change of meaning, also when the file around it has changed since: it is not tried twice. */
function attemptKey({ provider, failures, edits, expectation, title }: Fix): string {
  const changes = edits.map(({ file, changes: all }) => [file, all.map(({ newText }) => newText)]);
  return hashText(JSON.stringify([provider, title, [...failures].sort(), changes, expectation]));
}

const severityOrder: Readonly<Record<Severity, number>> = { critical: 0, high: 1, medium: 2, low: 3 };

/** Most critical first. */
function bySeverity(results: readonly TestResult[]): readonly TestResult[] {
  const order = ({ failure }: TestResult): number => severityOrder[failure?.severity ?? 'medium'];
  return [...results].sort((a, b) => order(a) - order(b) || a.id.localeCompare(b.id));
}
