// Proves fixes in the sandbox: the target passes, nothing that passed before fails or disappears, the gate holds.
import path from 'node:path';
import { isFileId } from '../model/testId.ts';
import type { Selection } from '../frameworks/framework.ts';
import { editsAreCompatible, editsCanShare } from '../model/edit.ts';
import type { FileEdit } from '../model/fileEdit.ts';
import { ownFailures, type Fix, type Verdict, type Violation } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';
import { readOnce } from '../workspace/readText.ts';
import { hookPhases } from '../frameworks/vocabularies.ts';
import { testPlaces, type TestPlaces } from '../syntax/testPlaces.ts';
import type { Undo } from '../sandbox/sandbox.ts';
import { openAdmission } from './admission.ts';
import { type Comparison } from './compareRuns.ts';
import { unsteadyTests, whyUnsteady } from './pausedRun.ts';
import { lostTests } from './lostTests.ts';
import { getsFurther } from './progress.ts';
import { runTrial, type Trial } from './runTrial.ts';
import type { EndsWithSuite, VerificationContext, VerificationScope } from './verification.ts';
import { whyLight } from './yielding.ts';

export interface Judgement {
  /** A verified one is told for the tests that it makes pass; the others that it was meant for get further with it. */
  readonly fix: Fix;
  readonly verdict: Verdict;
  /** It is no proof, and made nothing worse, but all tests that it was meant for get further with it. */
  readonly advances: boolean;
}

/**
 * Judgements in the order of the fixes. Compatible fixes share their runs; what goes wrong is traced to its fix by file, else by
 * bisection. Of fixes that cannot stand together only the first is tried when the edits are kept. Mechanical fixes are run
 * once, all others three times (REPAIR "One gate"). Never throws for a fix that is wrong, only when cancelled or when the
 * environment fails.
 */
export async function judgeFixes(
  fixes: readonly Fix[],
  context: VerificationContext,
  scope: VerificationScope,
): Promise<readonly Judgement[]> {
  const session = new Session(context, scope);
  return session.judgeAll(fixes);
}

/** A fix that passed the gate, with the files it changes. */
interface Candidate {
  readonly fix: Fix;
  readonly files: ReadonlySet<string>;
  /** Violations that a person may accept. */
  readonly violations: readonly Violation[];
  /** What its tests notice decides. */
  readonly isWeighed: boolean;
}

/** What one trial shows of a fix: the tests that pass, and those that only get further; undefined where it does neither for one. */
interface Reach {
  readonly passing: readonly string[];
  readonly further: readonly string[];
}

class Session {
  readonly #context: VerificationContext;
  readonly #scope: VerificationScope;
  readonly #verdicts = new Map<Fix, Verdict>();
  /** Of verified fixes the tests that only get further. */
  readonly #lagging = new Map<Fix, readonly string[]>();
  readonly #advancing = new Set<Fix>();
  /** Of verified mechanical fixes, why a person must look all the same. */
  readonly #losses = new Map<Fix, string>();
  /** Of fixes that evidence allows, how many planted bugs their tests notice as they did. */
  readonly #noticed = new Map<Fix, number>();
  /** In the files that tests fail in, before anything is in place. */
  readonly #places = new Map<string, TestPlaces>();
  /** Verified fixes of this batch; they are in place during later trials. */
  #accepted: Candidate[] = [];
  #inPlace: Undo | undefined;
  #endsWithSuite: EndsWithSuite;

  constructor(context: VerificationContext, scope: VerificationScope) {
    this.#context = context;
    this.#scope = scope;
    this.#endsWithSuite = scope.endsWithSuite;
  }

  async judgeAll(fixes: readonly Fix[]): Promise<readonly Judgement[]> {
    const candidates: Candidate[] = [];
    const readText = readOnce((file) => this.#context.sandbox.readText(file));
    const admission = await openAdmission(this.#context, readText);
    for (const fix of fixes) {
      const testFiles = fix.failures.flatMap((id) => this.#fileOf(id));
      for (const file of testFiles)
        if (!this.#places.has(file))
          this.#places.set(file, testPlaces(file, (await readText(file)) ?? '', hookPhases));
      const { refused, violations, isWeighed = false } = await admission.admit(fix, testFiles);
      if (refused !== undefined)
        this.#settle(fix, {
          ...this.#verdict(refused.verdict, refused.reason),
          ...(refused.verdict === 'rejected' && violations.length > 0 && { kind: 'forbidden' as const }),
          violations: [...violations],
        });
      else
        candidates.push({
          fix,
          files: new Set(fix.edits.map((edit) => edit.file)),
          violations,
          isWeighed,
        });
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
      const verdict = this.#verdicts.get(fix) ?? this.#verdict('unverifiable', 'The fix was not tried.');
      if (!this.#verdicts.has(fix)) this.#settle(fix, verdict);
      return { fix: this.#told(fix), verdict, advances: this.#advancing.has(fix) };
    });
  }

  /** Tries the group on top of what is accepted; halves it when something goes wrong that no single fix can be blamed for. */
  async #judge(group: readonly Candidate[]): Promise<void> {
    if (group.length === 0) return;
    await this.#put([...this.#accepted, ...group]);
    const reach = new Map<Candidate, Reach>();
    const late: (readonly [Candidate, string])[] = [];
    const endsEarly = async (): Promise<boolean> => late.push(...(await this.#late(group, reach))) > 0;
    const trial = await this.#try(group, reach, endsEarly);
    if (trial.unverifiable !== undefined) {
      for (const { fix } of group) this.#set(fix, 'unverifiable', trial.unverifiable, trial.runs);
      return this.#put(this.#accepted);
    }
    // What did it once and not again does nothing.
    const movers = group.filter((one) => trial.runs === 1 && reach.get(one)?.passing.length === 0);
    if (late.length > 0) {
      await this.#put(this.#accepted);
      for (const [{ fix }, reason] of late) this.#set(fix, 'rejected', reason, trial.runs);
      return this.#judge(group.filter((candidate) => !late.some(([one]) => one === candidate)));
    }
    if (trial.regressions.length === 0) {
      this.#scope.onTrial?.(
        [...this.#accepted, ...group].map(({ fix }) => fix),
        trial.summary,
        trial.isSuite,
      );
      if (trial.problems.size === 0) {
        const light = await this.#tooLight(group);
        if (light.size === 0) return this.#accept(group, trial, reach);
        await this.#put(this.#accepted);
        for (const [{ fix }, [verdict, reason]] of light)
          this.#set(fix, verdict, reason, trial.runs, verdict === 'rejected' ? 'weakened' : 'cannot-tell');
        return this.#judge(group.filter((candidate) => !light.has(candidate)));
      }
      if (movers.length === trial.problems.size) return this.#advance(group, movers, trial);
    }
    // The suite is for what is kept, not for finding out which of them is wrong.
    this.#endsWithSuite = undefined;
    const blamed = blame(group, trial, movers);
    await this.#put(this.#accepted);
    const [only] = group;
    if (group.length === 1 && only) {
      const reason = trial.problems.get(only) ?? trial.regressions[0]?.reason ?? 'It failed.';
      return this.#set(only.fix, 'rejected', reason, trial.runs);
    }
    for (const [{ fix }, reason] of blamed) this.#set(fix, 'rejected', reason, trial.runs);
    const rest = group.filter((candidate) => !blamed.has(candidate));
    if (blamed.size > 0) return this.#judge(rest);
    // Those that do something first: without the others they may be proven in one run.
    const good = rest.filter((candidate) => reach.has(candidate));
    if (trial.regressions.length === 0 && good.length > 0 && good.length < rest.length) {
      await this.#judge(good);
      return this.#judge(rest.filter((candidate) => !good.includes(candidate)));
    }
    const half = Math.ceil(rest.length / 2);
    await this.#judge(rest.slice(0, half));
    await this.#judge(rest.slice(half));
  }

  /** Those of which only evidence can tell, and it does not; everything lies in the sandbox as before afterwards. */
  async #tooLight(
    group: readonly Candidate[],
  ): Promise<ReadonlyMap<Candidate, readonly ['rejected' | 'unverifiable', string]>> {
    const light = new Map<Candidate, readonly ['rejected' | 'unverifiable', string]>();
    const { sandbox, weigh } = this.#context;
    for (const candidate of group) {
      if (!candidate.isWeighed) continue;
      const { files } = candidate;
      const after = await Promise.all([...files].map((file) => sandbox.readText(file)));
      await this.#put([...this.#accepted, ...group.filter((other) => other !== candidate)]);
      const before = await Promise.all([...files].map((file) => sandbox.readText(file)));
      const changes = [...files].map((file, at) => ({ file, before: before[at], after: after[at] }));
      const answer = await weigh?.(changes);
      await this.#put([...this.#accepted, ...group]);
      if (answer?.answer === 'kept') this.#noticed.set(candidate.fix, answer.noticed);
      else
        light.set(candidate, [answer?.answer === 'weaker' ? 'rejected' : 'unverifiable', whyLight(answer)]);
    }
    return light;
  }

  /** Nothing got worse, and each of them makes a test pass. */
  #accept(
    group: readonly Candidate[],
    { runs, summary }: Trial<Candidate>,
    reach: ReadonlyMap<Candidate, Reach>,
  ): void {
    for (const candidate of group) {
      const { fix, violations } = candidate;
      this.#lagging.set(fix, reach.get(candidate)?.further ?? []);
      if (fix.removesTests !== true) {
        const before = fix.failures.filter(isFileId).flatMap((id) => this.#context.ranBefore?.(id) ?? []);
        const lost = lostTests(before, summary.tests);
        if (lost !== undefined) this.#losses.set(fix, lost);
      }
      this.#settle(fix, { ...this.#verdict('verified', undefined, runs), violations: [...violations] });
    }
    this.#accepted = [...this.#accepted, ...group];
  }

  /** Nothing got worse, and those that make no test pass at least let theirs get further. They stay out of what is proven. */
  async #advance(
    group: readonly Candidate[],
    movers: readonly Candidate[],
    trial: Trial<Candidate>,
  ): Promise<void> {
    await this.#put(this.#accepted);
    const others = group.filter((candidate) => !movers.includes(candidate));
    await this.#judge(others);
    if (others.some(({ fix }) => this.#verdicts.get(fix)?.verdict !== 'verified')) return this.#judge(movers);
    for (const mover of movers) {
      this.#advancing.add(mover.fix);
      const next = trial.problems.get(mover) ?? '';
      this.#set(mover.fix, 'rejected', `Its tests get further but do not pass. ${next}`, trial.runs);
    }
  }

  /** Changed expectations of values that are others when the tests are given time. */
  async #late(
    group: readonly Candidate[],
    reach: ReadonlyMap<Candidate, Reach>,
  ): Promise<readonly (readonly [Candidate, string])[]> {
    const asked = group.filter(({ fix }) => fix.trust !== 'mechanical' && fix.removesTests !== true);
    const before = (id: string): TestResult | undefined =>
      this.#scope.ahead?.results.get(id) ?? this.#context.baseline.get(id);
    const unsteady = await unsteadyTests(
      asked.flatMap((candidate) => reach.get(candidate)?.passing ?? []),
      {
        edits: mergeEdits([...this.#accepted, ...group].flatMap(({ fix }) => fix.edits)),
        before,
        textOf: (file) => this.#places.get(file)?.text,
      },
      this.#context,
    );
    return asked.flatMap((candidate) => {
      const first = ownFailures(candidate.fix).flatMap((id) => unsteady.get(id) ?? [])[0];
      return first === undefined ? [] : [[candidate, whyUnsteady(first, candidate.fix.expectation)] as const];
    });
  }

  #try(
    group: readonly Candidate[],
    reach: Map<Candidate, Reach>,
    endsEarly: () => Promise<boolean>,
  ): Promise<Trial<Candidate>> {
    const { scope, files } = this.#scope;
    const targets = new Set(group.flatMap(({ fix }) => fix.failures));
    const inPlace = mergeEdits([...this.#accepted, ...group].flatMap(({ fix }) => fix.edits));
    return runTrial<Candidate>(
      {
        runs: group.every(({ fix }) => fix.trust === 'mechanical') ? 1 : 3,
        selection: this.#selection(targets),
        endsEarly,
        endsWithSuite: this.#endsWithSuite,
        isEnd: this.#scope.isEnd,
        deleted: [...this.#accepted, ...group].flatMap(({ fix }) =>
          fix.removesTests === true ? fix.failures.filter((id) => !isFileId(id)) : [],
        ),
        inScope: (test) =>
          scope === 'suite' || (scope === 'test' ? targets.has(test.id) : files.includes(test.file)),
        edited: [...new Set([...this.#accepted, ...group].flatMap((candidate) => [...candidate.files]))],
        problemsIn: (comparison) =>
          new Map(
            group.flatMap((candidate) => {
              const { fix } = candidate;
              const own = ownFailures(fix);
              const problemOf = (id: string): string | undefined =>
                fix.removesTests === true && !isFileId(id)
                  ? comparison.stillThere(id)
                  : comparison.targetProblem(id);
              const open = own.filter((id) => problemOf(id) !== undefined);
              const further = open.filter((id) => this.#getsFurther(id, fix, comparison, inPlace));
              const passing = own.filter((id) => !open.includes(id));
              const known = reach.get(candidate)?.further ?? further;
              const isSteady = open.every((id) => further.includes(id) && known.includes(id));
              if (isSteady) reach.set(candidate, { passing, further: known });
              else reach.delete(candidate);
              const [first] = open;
              if (first === undefined || (isSteady && passing.length > 0)) return [];
              return [[candidate, problemOf(first) ?? ''] as const];
            }),
          ),
      },
      this.#context,
    );
  }

  /** Does the test get further than it does with all that is kept, or than it came already? */
  #getsFurther(
    id: string,
    { removesTests, trust }: Fix,
    comparison: Comparison,
    edits: readonly FileEdit[],
  ): boolean {
    // What only a person may apply leads nowhere by itself.
    if (removesTests === true || trust === 'propose') return false;
    const { ahead } = this.#scope;
    const before = ahead?.results.has(id) ? ahead : { results: this.#context.baseline, edits: [] };
    return getsFurther(id, before, { comparison, edits }, (file) => this.#places.get(file));
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
        `It conflicts with "${rival.fix.title}", which was verified first.`,
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
    const file = (this.#context.baseline.get(id) ?? this.#scope.ahead?.results.get(id))?.file;
    return file === undefined ? [] : [file];
  }

  #set(fix: Fix, verdict: Verdict['verdict'], reason: string, runs: number, kind?: Verdict['kind']): void {
    this.#settle(fix, { ...this.#verdict(verdict, reason, runs), ...(kind && { kind }) });
  }

  /** For the tests that it makes pass; where tests are missing with it, it is no longer mechanical. */
  #told(fix: Fix): Fix {
    const lagging = this.#lagging.get(fix) ?? [];
    const lost = this.#losses.get(fix);
    const noticed = this.#noticed.get(fix);
    if (lagging.length === 0 && lost === undefined && noticed === undefined) return fix;
    return {
      ...fix,
      ...(noticed !== undefined && {
        evidence: [...fix.evidence, `Its tests still notice all ${noticed} planted bugs that they noticed.`],
      }),
      failures: fix.failures.filter((id) => !lagging.includes(id)),
      ...(lost !== undefined && {
        trust: 'propose',
        stops: [...(fix.stops ?? []), { kind: 'history', reason: lost }],
      }),
    };
  }

  #settle(fix: Fix, verdict: Verdict): undefined {
    this.#verdicts.set(fix, verdict);
    this.#context.onVerdict?.(fix, verdict, this.#told(fix));
  }

  #verdict(verdict: Verdict['verdict'], reason?: string, runs = 0): Verdict {
    return {
      verdict,
      ...(verdict === 'unverifiable' && { kind: 'cannot-tell' as const }),
      ...(reason === undefined ? {} : { reason }),
      runs,
      scope: this.#scope.scope,
      violations: [],
    };
  }
}

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
  ownFailures(a.fix).some((id) => ownFailures(b.fix).includes(id)) ||
  // Chains may begin with the same step, which is made once.
  !(a.fix.parts && b.fix.parts ? editsCanShare : editsAreCompatible)(a.fix.edits, b.fix.edits);

/** Fixes that alone can be the cause of what went wrong: their own target fails, or a file broke that only they edit. */
function blame(
  group: readonly Candidate[],
  trial: Trial<Candidate>,
  movers: readonly Candidate[],
): ReadonlyMap<Candidate, string> {
  const editors = (file: string): readonly Candidate[] => group.filter(({ files }) => files.has(file));
  const blamed = new Map<Candidate, string>();
  for (const { file, reason } of trial.regressions) {
    const [only, another] = editors(file);
    if (only && !another && !blamed.has(only)) blamed.set(only, reason);
  }
  for (const candidate of group) {
    if (movers.includes(candidate)) continue;
    const problem = trial.problems.get(candidate);
    const alone = [...candidate.files].every((file) => editors(file).length === 1);
    if (problem !== undefined && alone) blamed.set(candidate, problem);
  }
  return blamed;
}
