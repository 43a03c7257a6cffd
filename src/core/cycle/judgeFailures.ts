// Who is at fault for each failure, and which proposals its values and its history lower to what only a person may apply.
import { asSentences } from '../base/asSentences.ts';
import { hashText } from '../base/hash.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { findSourceChange } from '../diagnosis/findSourceChange.ts';
import type { ReachedChange } from '../diagnosis/reachedChange.ts';
import { applyStops, historyStops } from '../diagnosis/stops.ts';
import { valueStops, type Stop } from '../diagnosis/valueStops.ts';
import type { FailingTest, FixContext } from '../fixes/fixProvider.ts';
import { applyEdit } from '../model/edit.ts';
import type { Diagnosis, Fix } from '../model/fix.ts';
import { checkPolicyOfEdits, proposeOnlyRules, type FileChange } from '../policy/checkPolicy.ts';
import { readOnce } from '../workspace/readText.ts';
import type { IsolatedOutcome } from './isolatedRuns.ts';
import type { CycleBench } from './cycleBench.ts';
import type { BenchRequest } from './cycleRequest.ts';

interface FailuresToJudge {
  readonly failing: readonly FailingTest[];
  readonly proposed: readonly Fix[];
  /** Tests for which no fix was sought, and why. */
  readonly unfit: ReadonlyMap<string, Diagnosis>;
  /** Why a provider had no fix, by test id. */
  readonly refusals: ReadonlyMap<string, readonly string[]>;
  /** The change of the source that a test runs into, by its id. */
  readonly reached: ReadonlyMap<string, ReachedChange>;
  /** Why a changed expectation may be the wrong answer, by test id. */
  readonly doubts: ReadonlyMap<string, string>;
  readonly context: FixContext;
  readonly bench: CycleBench;
  readonly request: BenchRequest;
}

interface JudgedFailures {
  readonly fixes: readonly Fix[];
  readonly diagnoses: ReadonlyMap<string, Diagnosis>;
  /** Tests that the base revision does not have. */
  readonly newTests: ReadonlySet<string>;
}

export async function judgeFailures(given: FailuresToJudge): Promise<JudgedFailures> {
  // Nothing is written while failures are judged.
  const context = { ...given.context, readText: readOnce((file) => given.context.readText(file)) };
  const input = { ...given, context };
  const { failing, proposed } = input;
  const newTests = await testsWithoutHistory(failing, context);
  const fixes = await Promise.all(proposed.map((fix) => judgeFix(fix, input, newTests)));
  const diagnoses = new Map<string, Diagnosis>();
  for (const test of failing) diagnoses.set(test.result.id, await causeOf(test, fixes, input));
  const withCause = fixes.map((fix) => {
    const cause = fix.failures.flatMap((id) => diagnoses.get(id) ?? [])[0];
    return cause === undefined ? fix : { ...fix, cause };
  });
  return { fixes: withCause, diagnoses, newTests };
}

async function judgeFix(fix: Fix, input: FailuresToJudge, newTests: ReadonlySet<string>): Promise<Fix> {
  if (fix.trust === 'mechanical') return fix;
  const { origin = {} } = fix;
  const { context, bench, request, doubts } = input;
  if (fix.removesTests === true) return withSourceChange(fix, input);
  const own = input.failing.filter(({ result }) => fix.failures.includes(result.id));
  const history: Stop[] = [];
  for (const { result } of own) {
    const isNewTest = newTests.has(result.id);
    const redAtBase = !isNewTest && bench.elsewhere.wasRed(result.id);
    const question = { result, changes: context.changes, assume: request.assume, isNewTest, redAtBase };
    history.push(...(await historyStops(question)));
    // That another test is in the way is what such a fix mends.
    if (origin.mendsOrder !== true) history.push(...companyStops(bench.elsewhere.runIsolated(result.id)));
  }
  const tests = own.map(({ result }) => result).filter(({ id }) => !newTests.has(id));
  const isBuilt = (await bench.builtCode.withoutBuilt(tests, context.changes)).length < tests.length;
  // A person who is asked can tell; nobody else can.
  if (isBuilt && request.assume !== 'ask') history.push({ kind: 'history', reason: `T${builtReason}` });
  // What has another key now is not missing: the fixer that knows the new key judged the values itself. A mended call expects
  // no new value: what the wrong call gave says nothing against it.
  const value =
    origin.judgedValues === true || fix.mendsCalls === true
      ? []
      : own.flatMap(({ captured }) => captured.flatMap(valueStops));
  // A test that waits would see another value: this one is of a moment too early.
  const waits = input.proposed.find(
    (one) =>
      one.origin?.addsWait === true &&
      one.trust === 'mechanical' &&
      one.failures.some((id) => fix.failures.includes(id)),
  );
  if (waits !== undefined && fix.mendsCalls !== true)
    value.push({
      kind: 'value',
      reason: `The test does not wait yet (${waits.title}): it would see another value.`,
    });
  const isDoubted = value.length > 0 || (fix.stops ?? []).length > 0;
  value.push(...(await gateStops(fix, input, isDoubted)));
  const namesOther = origin.answersDoubt === true || fix.otherSide !== undefined;
  const otherSide = namesOther ? undefined : own.flatMap(({ result }) => doubts.get(result.id) ?? [])[0];
  if (otherSide !== undefined) value.push({ kind: 'value', reason: otherSide });
  const stopped = {
    ...applyStops(fix, [...value, ...history]),
    ...(otherSide !== undefined && { otherSide }),
  };
  const { unavailable } = context.changes;
  const doubt = unavailable === undefined ? [] : [`Unconfirmed: what changed is not known (${unavailable}).`];
  if (isBuilt && request.assume === 'ask') doubt.push(`Unconfirmed: t${builtReason}`);
  // A fix that is taken up has heard of the doubt before.
  const evidence = [...new Set([...stopped.evidence, ...doubt])];
  return withSourceChange({ ...stopped, evidence }, input);
}

const builtReason = 'he test runs built code, so it is not known whether it passed before the change.';

async function withSourceChange(fix: Fix, { failing, context, reached }: FailuresToJudge): Promise<Fix> {
  const first = failing.find(({ result }) => fix.failures.includes(result.id));
  const sourceChange =
    fix.sourceChange ??
    (first &&
      (await findSourceChange({
        result: first.result,
        ...(fix.expectation && { expectation: fix.expectation }),
        changes: context.changes,
        reached: reached.get(first.result.id),
        readText: (file) => context.readText(file),
      })));
  return sourceChange === undefined ? fix : { ...fix, sourceChange };
}

function companyStops(outcome: IsolatedOutcome | undefined): readonly Stop[] {
  if (outcome === undefined) return [];
  const reason =
    outcome === 'green'
      ? 'The test passes without the tests around it: another test is in its way, not what it expects.'
      : 'The value is another one without the tests around it: it depends on what ran before.';
  return [{ kind: 'value', reason }];
}

/** What the gate lets a person do and nobody else: turned round, or wider than before. Of doubtful values it has nothing to add. */
async function gateStops(
  fix: Fix,
  { bench: { known }, context, request }: FailuresToJudge,
  isDoubted: boolean,
): Promise<readonly Stop[]> {
  const changes: FileChange[] = [];
  for (const edit of fix.edits) {
    const before = await context.readText(edit.file);
    if (before === undefined || hashText(before) !== edit.before) return [];
    changes.push({ file: edit.file, before, after: applyEdit(edit, before), known });
  }
  return checkPolicyOfEdits(changes, (file) => request.isTestFile(file))
    .filter(({ rule }) => proposeOnlyRules.has(rule) && !(isDoubted && rule === 'suspect-value'))
    .map(({ text }) => ({ kind: 'value', reason: text }));
}

async function causeOf(
  { result, captured }: FailingTest,
  fixes: readonly Fix[],
  { bench, context, request, refusals, reached, unfit }: FailuresToJudge,
): Promise<Diagnosis> {
  if (request.bugs?.has(result.id))
    return { fault: 'source', reason: 'You said that this is a bug in the source.' };
  const known = unfit.get(result.id);
  if (known !== undefined) return known;
  if (bench.flaky.has(result.id))
    return { fault: 'flaky', reason: 'It passed when it was run again without any change.' };
  const proposals = fixes.filter(({ failures }) => failures.includes(result.id));
  const inOrder = proposals.find(({ origin }) => origin?.mendsOrder === true);
  if (inOrder !== undefined)
    return { fault: inOrder.trust === 'mechanical' ? 'test' : 'unknown', reason: inOrder.evidence.join(' ') };
  if (bench.elsewhere.runIsolated(result.id) === 'green')
    return {
      fault: 'flaky',
      reason: 'It passes without the tests around it and fails among them: it depends on what ran before.',
    };
  if (bench.elsewhere.wasRed(result.id))
    return {
      fault: 'unknown',
      reason: 'It failed before the source changed, too: this change did not break it.',
    };
  const isTestFile = (file: string): boolean => request.isTestFile(file);
  const readText = (file: string): Promise<string | undefined> => context.readText(file);
  const { changes } = context;
  const diagnosis = await diagnose({
    result,
    captured,
    changes,
    proposals,
    reached: reached.get(result.id),
    isTestFile,
    readText,
  });
  const refusal = proposals.length === 0 ? refusals.get(result.id)?.[0] : undefined;
  return refusal === undefined || diagnosis.reason.includes(refusal)
    ? diagnosis
    : { ...diagnosis, reason: asSentences([diagnosis.reason, `No fix: ${refusal}`]) };
}

/** Tests in new files, and tests whose title the file did not have at the base. */
async function testsWithoutHistory(
  failing: readonly FailingTest[],
  context: FixContext,
): Promise<ReadonlySet<string>> {
  const { changes } = context;
  if (changes.unavailable !== undefined) return new Set();
  const changed = new Map((changes.testFiles ?? []).map((change) => [change.file, change]));
  const fresh = new Set<string>();
  for (const { result } of failing) {
    const change = changed.get(result.file);
    if (change === undefined) continue;
    const before = change.status === 'added' ? undefined : await changes.baseText(change.from ?? change.file);
    // A computed title is in neither text: such a test has its history.
    const now = await context.readText(result.file);
    const isWritten = now?.includes(result.title) === true;
    if (before === undefined || (isWritten && !before.includes(result.title))) fresh.add(result.id);
  }
  return fresh;
}
