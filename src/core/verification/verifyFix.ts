// Proves fixes in the sandbox: the target passes, nothing that passed before fails or disappears, the gate holds.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import type { Selection } from '../frameworks/framework.ts';
import { applyEdit, editsAreCompatible } from '../model/edit.ts';
import type { Fix, Verdict, Violation } from '../model/fix.ts';
import type { FileChange, GateContext } from '../policy/checkPolicy.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';
import { readOnce } from '../workspace/readText.ts';
import type { Undo } from '../workspace/sandbox.ts';
import { runTrial, type Trial } from './runTrial.ts';
import type { VerificationContext, VerificationScope } from './verification.ts';

/** The verdict over one fix; never throws for a fix that is wrong, only when cancelled or when the environment fails. */
export async function verifyFix(
  fix: Fix,
  context: VerificationContext,
  scope: VerificationScope,
): Promise<Verdict> {
  const [verdict] = await verifyFixes([fix], context, scope);
  if (verdict === undefined) throw new Error('a fix without a verdict');
  return verdict;
}

/**
 * Verdicts in the order of the fixes. Compatible fixes share their runs; what goes wrong is traced to its fix by file, else by
 * bisection. Of fixes that cannot stand together only the first is tried when the edits are kept. Mechanical fixes are run
 * once, all others three times (REPAIR "One gate").
 */
export async function verifyFixes(
  fixes: readonly Fix[],
  context: VerificationContext,
  scope: VerificationScope,
): Promise<readonly Verdict[]> {
  const session = new Session(context, scope);
  return session.judgeAll(fixes);
}

/** A fix that passed the gate, with the files it changes. */
interface Candidate {
  readonly fix: Fix;
  readonly files: ReadonlySet<string>;
  /** Violations that a person may accept. */
  readonly violations: readonly Violation[];
}

/** The gate as it is before anything is tried: nothing lies in the sandbox yet that was not there before. */
type Gate = Awaited<ReturnType<typeof openGate>>;

/** It brings a parser along, which a run without fixes never needs. */
async function openGate({ sandbox }: VerificationContext) {
  const [
    { checkPlaces, checkPolicyOfEdits, proposeOnlyRules },
    { gateOf },
    { whyUnjudged },
    { readSourceIn },
  ] = await Promise.all([
    import('../policy/checkPolicy.ts'),
    import('../policy/gateOf.ts'),
    import('../policy/unjudged.ts'),
    import('../policy/readSourceIn.ts'),
  ]);
  return {
    checkPlaces,
    checkPolicyOfEdits,
    proposeOnlyRules,
    gateOf,
    whyUnjudged,
    readSource: readSourceIn(sandbox.root),
    readText: readOnce((file) => sandbox.readText(file)),
  };
}

class Session {
  readonly #context: VerificationContext;
  readonly #scope: VerificationScope;
  readonly #verdicts = new Map<Fix, Verdict>();
  /** Verified fixes of this batch; they are in place during later trials. */
  #accepted: Candidate[] = [];
  #inPlace: Undo | undefined;

  constructor(context: VerificationContext, scope: VerificationScope) {
    this.#context = context;
    this.#scope = scope;
  }

  async judgeAll(fixes: readonly Fix[]): Promise<readonly Verdict[]> {
    const candidates: Candidate[] = [];
    const gate = await openGate(this.#context);
    for (const fix of fixes) {
      const candidate = await this.#admit(fix, gate);
      if (candidate) candidates.push(candidate);
    }
    const [together, leftOver] = split(candidates);
    let done = false;
    try {
      await this.#judge(together);
      for (const candidate of leftOver) await this.#judgeAlone(candidate);
      done = true;
    } finally {
      if (!done || this.#scope.keep !== true) await this.#takeBack();
    }
    return fixes.map((fix) => {
      const verdict = this.#verdicts.get(fix) ?? this.#verdict('unverifiable', 'It was not tried.');
      if (!this.#verdicts.has(fix)) this.#settle(fix, verdict);
      return verdict;
    });
  }

  /** Settles what needs no run: the gate, stale texts, files whose outcomes the sandbox does not reproduce. */
  async #admit(fix: Fix, gate: Gate): Promise<Candidate | undefined> {
    const settle = (verdict: Verdict): undefined => this.#settle(fix, verdict);
    if (fix.edits.length === 0 || fix.failures.length === 0)
      return settle(this.#verdict('rejected', 'It changes nothing or names no failing test.'));
    const changes = await this.#changesOf(fix, gate);
    if (typeof changes === 'string') return settle(this.#verdict('rejected', changes));
    const { readSource, proposeOnlyRules, whyUnjudged } = gate;
    const followed = await this.#followedBy(changes);
    const violations = await this.#violationsOf(fix, changes, gate, followed);
    const binding = violations.find(
      (violation) => fix.trust !== 'propose' || !proposeOnlyRules.has(violation.rule),
    );
    if (binding) {
      return settle({
        ...this.#verdict('rejected', `${binding.file}:${binding.line} ${binding.rule}: ${binding.text}`),
        violations: [...violations],
      });
    }
    // The gate of deletions reads every text itself.
    const unjudged = isDeletion(fix)
      ? undefined
      : whyUnjudged(changes, {
          readSource,
          followed,
          ...(fix.undeclared === true && { undeclaredFor: (file) => this.#context.isTestFile(file) }),
        });
    if (unjudged !== undefined) return settle(this.#verdict('unverifiable', unjudged));
    for (const file of [
      ...fix.edits.map((edit) => edit.file),
      ...fix.failures.flatMap((id) => this.#fileOf(id)),
    ]) {
      const reason = this.#context.unreproduced?.get(file);
      if (reason !== undefined) return settle(this.#verdict('unverifiable', reason));
    }
    return { fix, files: new Set(fix.edits.map((edit) => edit.file)), violations };
  }

  /** A deletion has a gate of its own, for one that only a person may accept; everything else may delete nothing. */
  async #violationsOf(
    fix: Fix,
    changes: readonly FileChange[],
    { readSource, checkPlaces, checkPolicyOfEdits, gateOf }: Gate,
    followed: NonNullable<GateContext['followed']>,
  ): Promise<readonly Violation[]> {
    const isTestFile = (file: string): boolean => this.#context.isTestFile(file);
    if (!isDeletion(fix))
      return checkPolicyOfEdits(changes, isTestFile, {
        readSource,
        followed,
        ...gateOf(fix),
      });
    const { checkDeletion } = await import('../policy/deletionRules.ts');
    return mergeEdits(fix.edits).flatMap((edit) => {
      const change = changes.find(({ file }) => file === edit.file);
      const before = change?.before;
      const misplaced = change === undefined ? [] : checkPlaces(change, isTestFile);
      if (misplaced.length > 0 || before === undefined) return misplaced;
      return checkDeletion({ edit, before, tests: fix.failures.length });
    });
  }

  /** Only changes of Python are asked for: it reads the history. */
  async #followedBy(changes: readonly FileChange[]): Promise<NonNullable<GateContext['followed']>> {
    if (!changes.some(({ file }) => file.endsWith('.py'))) return new Map();
    const { followedMoves } = await import('../policy/python/followedMoves.ts');
    const { sandbox, signal } = this.#context;
    const isTestFile = (file: string): boolean => this.#context.isTestFile(file);
    return followedMoves(changes, { root: sandbox.root, isTestFile, signal });
  }

  async #changesOf(fix: Fix, { readText }: Gate): Promise<readonly FileChange[] | string> {
    const changes: FileChange[] = [];
    try {
      for (const edit of mergeEdits(fix.edits)) {
        const before = await readText(edit.file);
        const { known } = this.#context;
        const after = applyEdit(edit, before ?? '');
        changes.push({ file: edit.file, before, after, ...(known !== undefined && { known }) });
      }
      return changes;
    } catch (error) {
      if (error instanceof HumanError) return error.message;
      return `Its edits cannot be applied: ${String(error)}`;
    }
  }

  /** Tries the group on top of what is accepted; halves it when something goes wrong that no single fix can be blamed for. */
  async #judge(group: readonly Candidate[]): Promise<void> {
    if (group.length === 0) return;
    await this.#put([...this.#accepted, ...group]);
    const trial = await this.#try(group);
    if (trial.unverifiable !== undefined) {
      for (const { fix } of group) this.#set(fix, 'unverifiable', trial.unverifiable, trial.runs);
      return this.#put(this.#accepted);
    }
    const blamed = blame(group, trial);
    const clean = trial.regressions.length === 0 && trial.problems.size === 0;
    if (clean) {
      for (const { fix, violations } of group) {
        this.#settle(fix, {
          ...this.#verdict('verified', undefined, trial.runs),
          violations: [...violations],
        });
      }
      this.#accepted = [...this.#accepted, ...group];
      return;
    }
    await this.#put(this.#accepted);
    const [only] = group;
    if (group.length === 1 && only) {
      const reason = trial.problems.get(only) ?? trial.regressions[0]?.reason ?? 'It failed.';
      return this.#set(only.fix, 'rejected', reason, trial.runs);
    }
    for (const [{ fix }, reason] of blamed) this.#set(fix, 'rejected', reason, trial.runs);
    const rest = group.filter((candidate) => !blamed.has(candidate));
    if (blamed.size > 0) return this.#judge(rest);
    const half = Math.ceil(rest.length / 2);
    await this.#judge(rest.slice(0, half));
    await this.#judge(rest.slice(half));
  }

  #try(group: readonly Candidate[]): Promise<Trial<Candidate>> {
    const { scope, files } = this.#scope;
    const targets = new Set(group.flatMap(({ fix }) => fix.failures));
    return runTrial<Candidate>(
      {
        runs: group.every(({ fix }) => fix.trust === 'mechanical') ? 1 : 3,
        selection: this.#selection(targets),
        deleted: [...this.#accepted, ...group].flatMap(({ fix }) =>
          fix.removesTests === true ? fix.failures.filter((id) => !isWholeFile(id)) : [],
        ),
        inScope: (test) =>
          scope === 'suite' || (scope === 'test' ? targets.has(test.id) : files.includes(test.file)),
        edited: [...new Set([...this.#accepted, ...group].flatMap((candidate) => [...candidate.files]))],
        problemsIn: (comparison) =>
          new Map(
            group.flatMap((candidate) => {
              const { failures, removesTests } = candidate.fix;
              const reasons = failures.flatMap(
                (id) =>
                  (removesTests === true && !isWholeFile(id)
                    ? comparison.stillThere(id)
                    : comparison.targetProblem(id)) ?? [],
              );
              return reasons[0] === undefined ? [] : [[candidate, reasons[0]] as const];
            }),
          ),
      },
      this.#context,
    );
  }

  #selection(targets: ReadonlySet<string>): Selection {
    const absolute = (file: string): string => path.resolve(this.#context.sandbox.root, file);
    const { scope, files } = this.#scope;
    if (scope === 'suite') return {};
    if (scope !== 'test') return { files: files.map(absolute) };
    const tests = [...targets].flatMap((id) => this.#context.baseline.get(id) ?? []);
    return {
      tests: tests.map((test) => ({ file: absolute(test.file), names: [...test.suites, test.title] })),
    };
  }

  /** A fix that cannot stand beside another one: in a fresh sandbox, or not at all when the other is to stay. */
  async #judgeAlone(candidate: Candidate): Promise<void> {
    const rival = this.#accepted.find((accepted) => conflicts(accepted, candidate));
    if (rival && this.#scope.keep === true) {
      return this.#set(
        candidate.fix,
        'unverifiable',
        `"${rival.fix.title}" was verified first, and both cannot stand.`,
        0,
      );
    }
    if (this.#scope.keep !== true) this.#accepted = [];
    await this.#judge([candidate]);
  }

  async #put(candidates: readonly Candidate[]): Promise<void> {
    await this.#takeBack();
    if (candidates.length === 0) return;
    this.#inPlace = await this.#context.sandbox.applyEdits(candidates.flatMap(({ fix }) => fix.edits));
  }

  async #takeBack(): Promise<void> {
    await this.#inPlace?.undo();
    this.#inPlace = undefined;
  }

  #fileOf(id: string): readonly string[] {
    const file = this.#context.baseline.get(id)?.file;
    return file === undefined ? [] : [file];
  }

  #set(fix: Fix, verdict: Verdict['verdict'], reason: string, runs: number): void {
    this.#settle(fix, this.#verdict(verdict, reason, runs));
  }

  #settle(fix: Fix, verdict: Verdict): undefined {
    this.#verdicts.set(fix, verdict);
    this.#context.onVerdict?.(fix, verdict);
  }

  #verdict(verdict: Verdict['verdict'], reason?: string, runs = 0): Verdict {
    return {
      verdict,
      ...(reason === undefined ? {} : { reason }),
      runs,
      scope: this.#scope.scope,
      violations: [],
    };
  }
}

/** It has a gate of its own, since only a person may accept it. */
const isDeletion = ({ removesTests, trust }: Fix): boolean => removesTests === true && trust === 'propose';

/** A file that could not be loaded is to load, and to pass with what is left of it. */
const isWholeFile = (id: string): boolean => !id.includes('#');

/** Fixes that can share a run, and those that clash with an earlier one. */
function split(candidates: readonly Candidate[]): readonly [readonly Candidate[], readonly Candidate[]] {
  const together: Candidate[] = [];
  const leftOver: Candidate[] = [];
  for (const candidate of candidates) {
    (together.some((other) => conflicts(other, candidate)) ? leftOver : together).push(candidate);
  }
  return [together, leftOver];
}

const conflicts = (a: Candidate, b: Candidate): boolean =>
  a.fix.failures.some((id) => b.fix.failures.includes(id)) || !editsAreCompatible(a.fix.edits, b.fix.edits);

/** Fixes that alone can be the cause of what went wrong: their own target fails, or a file broke that only they edit. */
function blame(group: readonly Candidate[], trial: Trial<Candidate>): ReadonlyMap<Candidate, string> {
  const editors = (file: string): readonly Candidate[] => group.filter(({ files }) => files.has(file));
  const blamed = new Map<Candidate, string>();
  for (const { file, reason } of trial.regressions) {
    const [only, another] = editors(file);
    if (only && !another && !blamed.has(only)) blamed.set(only, reason);
  }
  for (const candidate of group) {
    const problem = trial.problems.get(candidate);
    const alone = [...candidate.files].every((file) => editors(file).length === 1);
    if (problem !== undefined && alone) blamed.set(candidate, problem);
  }
  return blamed;
}
