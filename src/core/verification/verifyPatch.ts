// Judges a patch from anyone: the gate, then the sandbox; nothing in the workspace changes (INTERFACES, CLI `verify`).
import path from 'node:path';
import type { Verdict } from '../model/fix.ts';
import { movedId, templateOf } from '../model/testId.ts';
import type { Outcome, RunSummary, TestResult } from '../model/testResult.ts';
import type { Selection } from '../model/frameworkProject.ts';
import { fullName } from '../model/testName.ts';
import type { ChangedExpectation } from '../policy/changedExpectations.ts';
import type { GateContext } from '../policy/checkPolicy.ts';
import type { StrengthAnswer } from '../strength/compareStrength.ts';
import { readText } from '../workspace/readText.ts';
import { resolvePatch, type PatchedFile } from '../workspace/unifiedDiff.ts';
import { contentsOf, whyUnexplained } from './addedTests.ts';
import { runInCompany } from './companyRun.ts';
import type { Comparison } from './compareRuns.ts';
import { whyOtherwise } from './failsOtherwise.ts';
import { whyFewerTests } from './fewerTests.ts';
import { whyNeedless } from './greenTests.ts';
import { withNewTestFiles } from './newTestFiles.ts';
import { openVerification, type OpenVerification, type VerificationRequest } from './openVerification.ts';
import { whyUnsteadyPatch } from './pausedRun.ts';
import { admitPatch, type PatchAdmission } from './patchAdmission.ts';
import { patchChanges, type PatchChange } from './patchChanges.ts';
import { patchScope, type PatchScope } from './patchScope.ts';
import { refuseTooMuch } from './patchSize.ts';
import { whyNotReworded, whyUnclear } from './rewordedTests.ts';
import { runTrial } from './runTrial.ts';
import { touchedTests } from './touchedTests.ts';

export interface PatchVerdict extends TriedPatch {
  /** What tests would expect instead, as it is written: whatever the verdict, only a person can say that it is wanted. */
  readonly expectations: readonly ChangedExpectation[];
  /** All that the patch changes, these among them. */
  readonly changes: readonly PatchChange[];
}

/** What the tests notice with the patch of what they noticed before; undefined where that is not asked. */
export type WeighPatch = (
  files: readonly PatchedFile[],
  verification: OpenVerification,
  /** Each test that changes must notice by itself what it noticed. */
  isEach: boolean,
) => Promise<StrengthAnswer | undefined>;

/** `weigh` is asked of patches that are verified otherwise. */
type PatchRequest = Omit<VerificationRequest, 'selection' | 'original'> & {
  readonly weigh?: WeighPatch;
  /** What the tests would expect instead. */
  readonly expectations: readonly ChangedExpectation[];
};

interface TriedPatch extends Verdict {
  /** Present where it was asked. */
  readonly strength?: StrengthAnswer;
  /** Tests in scope, with what the patch makes of them; empty when none was run. */
  readonly tests: readonly {
    readonly id: string;
    readonly file: string;
    readonly title: string;
    /** undefined: the patch adds the test. */
    readonly before: Outcome | undefined;
    /** undefined: the test is gone. */
    readonly after: Outcome | undefined;
  }[];
}

/** Nobody says what a patch means, so it is proven like a changed expectation. */
const patchRuns = 3;

/**
 * Throws a HumanError for a patch that cannot be read (`bad-input`) or does not fit the files (`stale`); a patch that is wrong is
 * a verdict. Verified: every test that the patch touches passes in three runs, nothing that passed before fails, the gate holds.
 */
export async function verifyPatch(
  patch: string,
  asked: Omit<VerificationRequest, 'selection' | 'original'>,
): Promise<PatchVerdict> {
  refuseTooMuch(patch);
  const { root } = asked.workspace;
  const files = await resolvePatch(patch, (file) => readText(path.join(root, file)));
  const isTestFile = await withNewTestFiles(files, asked);
  const request = { ...asked, isTestFile };
  const { followedMoves } = await import('../policy/python/followedMoves.ts');
  const followed = await followedMoves(files, { root, isTestFile });
  const { changedExpectations } = await import('../policy/changedExpectations.ts');
  const { readSourceIn } = await import('../policy/readSourceIn.ts');
  const expectations = changedExpectations(files, { readSource: readSourceIn(root), followed, isTestFile });
  const changes = patchChanges(files, expectations);
  return { ...(await tryPatch(files, { ...request, expectations }, followed)), expectations, changes };
}

async function tryPatch(
  files: readonly PatchedFile[],
  request: PatchRequest,
  followed: NonNullable<GateContext['followed']>,
): Promise<TriedPatch> {
  const { root } = request.workspace;
  const isTestFile = (file: string): boolean => request.isTestFile(file);
  const canWeigh = request.weigh !== undefined;
  const gate = { root, isTestFile, followed, signal: request.signal, canWeigh };
  const admitted = await admitPatch(files, gate);
  const { violations, unverifiable: unfit, reworded, isWeighed = false, givesMore = false } = admitted;
  const [first] = violations;
  const untried = { runs: 0, scope: 'file' as const, violations: [...violations], tests: [] };
  const refused: TriedPatch | undefined = first
    ? {
        verdict: 'rejected',
        kind: 'forbidden',
        reason: `${first.file}:${first.line} ${first.rule}: ${first.text}`,
        ...untried,
      }
    : unfit === undefined
      ? undefined
      : { verdict: 'unverifiable', kind: 'cannot-tell', reason: unfit, ...untried };
  if (refused && !isWeighed) return refused;
  const scope = await patchScope(files, request);
  const verification = await openVerification({
    ...request,
    ...(scope.scope === 'suite'
      ? {}
      : { selection: { files: scope.files.map((file) => path.join(root, file)) } }),
  });
  try {
    const tried = await judge(files, verification, request, {
      ...scope,
      root,
      reworded,
      isWeighed,
      givesMore,
    });
    if (refused === undefined || tried.kind === 'weakened') return tried;
    const { verdict, strength, tests, runs } = tried;
    const isProven = verdict === 'verified' && strength?.answer === 'kept';
    if (isProven) return tried;
    const reason = [refused.reason, tried.reason].filter(Boolean).join(' ');
    return { ...refused, reason, tests, runs, scope: tried.scope, ...(strength && { strength }) };
  } finally {
    await verification.dispose();
  }
}

async function judge(
  files: readonly PatchedFile[],
  verification: OpenVerification,
  request: Pick<PatchRequest, 'frameworks' | 'weigh' | 'expectations'>,
  reach: PatchScope &
    Pick<PatchAdmission, 'reworded'> & {
      readonly isWeighed: boolean;
      readonly givesMore: boolean;
      readonly root: string;
    },
): Promise<TriedPatch> {
  const { scope, reworded } = reach;
  const nameNow = namesAfter(files);
  const scopeFiles = reach.files.map(nameNow);
  const baseline = renamedBaseline(verification.baseline, files);
  for (const { file, from } of files) {
    const reason = verification.unreproduced?.get(from ?? file);
    if (reason !== undefined)
      return {
        verdict: 'unverifiable',
        kind: 'cannot-tell',
        reason,
        runs: 0,
        scope,
        violations: [],
        tests: [],
      };
  }
  const touched = await touchedTests(files, verification, request, baseline);
  const otherwise = whyOtherwise(touched, verification.failsOtherwise);
  if (otherwise !== undefined)
    return {
      verdict: 'unverifiable',
      kind: 'cannot-tell',
      reason: otherwise,
      runs: 0,
      scope,
      violations: [],
      tests: [],
    };
  const patched = new Set(files.map(({ file }) => file));
  const { sandbox } = verification;
  const selection: Selection =
    scope === 'suite' ? {} : { files: scopeFiles.map((file) => path.join(sandbox.root, file)) };
  const undo = await sandbox.write(contentsOf(files));
  const context = { ...verification, baseline };
  const trial = await runTrial<'patch'>(
    {
      runs: patchRuns,
      selection,
      inScope: ({ file }) => (scope === 'suite' || scopeFiles.includes(file)) && !reworded.has(file),
      edited: [...patched],
      problemsIn: (comparison, summary) => {
        const problem =
          patchProblem(comparison, summary, baseline, touched, patched) ??
          whyNotReworded(reworded, baseline, summary);
        return new Map(problem === undefined ? [] : [['patch' as const, problem]]);
      },
    },
    context,
  )
    .then(async (done) => ({ ...done, late: await whyUnsteadyPatch(done, files, context) }))
    .finally(() => undo.undo());
  const tests = compareTests(baseline, trial.summary);
  const problem = trial.problems.get('patch') ?? trial.regressions[0]?.reason ?? trial.late;
  // Where the copy behaves differently from the start, nothing is known: neither what goes wrong there nor that nothing does.
  const turned = tests.filter(
    ({ before, after }) => (before === 'failed' || before === 'errored') && after === 'passed',
  );
  const known =
    trial.unverifiable ??
    whyUnclear(reworded, baseline, trial.summary) ??
    [...(verification.unreproduced?.values() ?? [])][0] ??
    whyOtherwise(
      turned.map(({ id }) => id),
      verification.failsOtherwise,
    );
  const isGreen = known === undefined && problem === undefined;
  const unexplained = isGreen
    ? await whyUnexplained(turned, files, verification, { selection, author: 'the patch' })
    : known;
  const company =
    isGreen && unexplained === undefined && reach.company.length > 0
      ? await runInCompany(
          {
            before: [...reach.files, ...reach.company],
            after: [...scopeFiles, ...reach.company],
            contents: contentsOf(files),
            edited: [...patched],
            reworded,
            renamed: (results) => renamedBaseline(results, files),
          },
          verification,
        )
      : undefined;
  const isStillGreen = isGreen && unexplained === undefined && company?.unverifiable === undefined;
  const fewer = isStillGreen ? await whyFewer(files, trial.summary, verification, reach.root) : undefined;
  const open = unexplained ?? company?.unverifiable ?? fewer;
  const failed = open ?? problem ?? company?.problems.get('patch') ?? company?.regressions[0]?.reason;
  const strength =
    failed === undefined ? await request.weigh?.(files, verification, reach.isWeighed) : undefined;
  const weaker = strength && whyWeaker(strength);
  const needless =
    failed === undefined && weaker === undefined
      ? await whyNeedless(files, {
          root: reach.root,
          baseline: verification.baseline,
          expectations: request.expectations,
          givesMore: reach.givesMore,
          reordered: new Set([...reworded].flatMap(([file, form]) => (form.isReordered ? [file] : []))),
          isTestFile: (file) => verification.isTestFile(file),
          readText: (file) => sandbox.readText(file),
          signal: verification.signal,
        })
      : undefined;
  const unverifiable = open ?? needless;
  const reason = failed ?? weaker ?? needless;
  const kind = unverifiable !== undefined ? 'cannot-tell' : weaker !== undefined ? 'weakened' : undefined;
  return {
    verdict: unverifiable !== undefined ? 'unverifiable' : reason === undefined ? 'verified' : 'rejected',
    ...(kind && { kind }),
    ...(reason === undefined ? {} : { reason }),
    runs: trial.runs + (company?.runs ?? 0),
    scope: company === undefined ? scope : reach.isAll ? 'suite' : 'affected',
    violations: [],
    ...(strength && { strength }),
    tests: company === undefined ? tests : compareTests(company.baseline, company.summary),
  };
}

function whyWeaker({ answer, noticed, still }: StrengthAnswer): string | undefined {
  if (answer !== 'weaker') return undefined;
  return `The tests pass, and notice less than before: ${still} of the ${noticed} planted bugs that they noticed.`;
}

/** Of files that load again with the patch; a pass does not tell that the missing tests may go. */
async function whyFewer(
  files: readonly PatchedFile[],
  { tests }: RunSummary,
  verification: OpenVerification,
  root: string,
): Promise<string | undefined> {
  const back = files.flatMap(({ file, from }) => (from === undefined ? [] : [{ file: from, from: file }]));
  const formerly = renamedBaseline(new Map(tests.map((test) => [test.id, test])), back);
  const former = files.map(({ file, from }) => from ?? file);
  const { signal } = verification;
  return whyFewerTests({ root, files: former, after: [...formerly.values()], signal }, verification);
}

/** The name that a patch gives a file. */
function namesAfter(files: readonly Pick<PatchedFile, 'file' | 'from'>[]): (file: string) => string {
  const names = new Map(
    files.flatMap(({ file, from }) => (from === undefined ? [] : [[from, file] as const])),
  );
  return (file) => names.get(file) ?? file;
}

/** Tests of renamed files, under the ids they have afterwards. */
function renamedBaseline(
  baseline: ReadonlyMap<string, TestResult>,
  files: readonly Pick<PatchedFile, 'file' | 'from'>[],
): ReadonlyMap<string, TestResult> {
  const nameNow = namesAfter(files);
  return new Map(
    [...baseline].map(([id, test]) => {
      const file = nameNow(test.file);
      if (file === test.file) return [id, test];
      const renamed = movedId(id, test.file, file);
      return [renamed, { ...test, id: renamed, file }];
    }),
  );
}

/** What keeps a patch that breaks nothing from being verified. */
function patchProblem(
  comparison: Comparison,
  summary: RunSummary,
  baseline: ReadonlyMap<string, TestResult>,
  touched: readonly string[],
  patched: ReadonlySet<string>,
): string | undefined {
  if (!summary.tests.some((test) => test.outcome === 'passed')) return 'No test passed.';
  const broken = summary.tests.find(
    (test) =>
      patched.has(test.file) &&
      !baseline.has(test.id) &&
      (test.outcome === 'failed' || test.outcome === 'errored'),
  );
  if (broken !== undefined)
    return `"${broken.title}" does not pass with the patch: ${broken.failure?.message ?? broken.outcome}`;
  const known = touched.filter((id) =>
    summary.tests.some((test) => test.id === id || templateOf(test.id) === id),
  );
  const [problem] = known.flatMap((id) => comparison.targetProblem(id) ?? []);
  // Of Python and Go only expectations may change: where one is in a test that nobody ran, nothing is known of it.
  const isCertain = [...patched].some((file) => /\.(?:py|go)$/.test(file));
  if (isCertain && (known.length === 0 || known.length < touched.length))
    return problem ?? 'A test that the patch changes did not run.';
  if (problem !== undefined || known.length > 0) return problem;
  const isRed = (test: TestResult): boolean => test.outcome === 'failed' || test.outcome === 'errored';
  const added = summary.tests.filter((test) => patched.has(test.file) && !baseline.has(test.id));
  const bad = added.find((test) => test.outcome !== 'passed');
  if (bad) return `"${bad.title}" does not pass.`;
  if (added.length > 0) return undefined;
  const red = [...baseline.values()].filter(isRed);
  const mended = red.some((test) => comparison.after(test.id)?.outcome === 'passed');
  return red.length === 0 || mended ? undefined : 'The patch does not mend any failing test.';
}

function compareTests(baseline: ReadonlyMap<string, TestResult>, summary: RunSummary): PatchVerdict['tests'] {
  const after = new Map(summary.tests.map((test) => [test.id, test]));
  return [...new Map([...baseline, ...after]).values()].map((test) => ({
    id: test.id,
    file: test.file,
    title: fullName(test),
    before: baseline.get(test.id)?.outcome,
    after: after.get(test.id)?.outcome,
  }));
}
