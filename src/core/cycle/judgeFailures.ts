// Who is at fault for each failure, and which proposals its values and its history lower to what only a person may apply.
import { hashText } from '../base/hash.ts';
import { diagnose } from '../diagnosis/diagnose.ts';
import { findSourceChange } from '../diagnosis/findSourceChange.ts';
import { applyStops, historyStops } from '../diagnosis/stops.ts';
import { valueStops, type Stop } from '../diagnosis/valueStops.ts';
import type { FailingTest, FixContext } from '../fixes/fixProvider.ts';
import { applyEdit } from '../model/edit.ts';
import type { Diagnosis, Fix } from '../model/fix.ts';
import { checkPolicyOfEdits, proposeOnlyRules, type FileChange } from '../policy/checkPolicy.ts';
import type { CycleBench } from './cycleBench.ts';
import type { BenchRequest } from './cycleRequest.ts';

export interface FailuresToJudge {
  readonly failing: readonly FailingTest[];
  readonly proposed: readonly Fix[];
  /** Why a provider had no fix, by test id. */
  readonly refusals: ReadonlyMap<string, string>;
  readonly context: FixContext;
  readonly bench: CycleBench;
  readonly request: BenchRequest;
}

export interface JudgedFailures {
  readonly fixes: readonly Fix[];
  readonly diagnoses: ReadonlyMap<string, Diagnosis>;
  /** Tests that the base revision does not have. */
  readonly newTests: ReadonlySet<string>;
}

export async function judgeFailures(input: FailuresToJudge): Promise<JudgedFailures> {
  const { failing, proposed, context } = input;
  const newTests = await testsWithoutHistory(failing, context);
  const fixes = await Promise.all(proposed.map((fix) => judgeFix(fix, input, newTests)));
  const diagnoses = new Map<string, Diagnosis>();
  for (const test of failing) diagnoses.set(test.result.id, await causeOf(test, fixes, input));
  return { fixes, diagnoses, newTests };
}

async function judgeFix(fix: Fix, input: FailuresToJudge, newTests: ReadonlySet<string>): Promise<Fix> {
  if (fix.trust === 'mechanical') return fix;
  const { context, bench, request } = input;
  const own = input.failing.filter(({ result }) => fix.failures.includes(result.id));
  const history: Stop[] = [];
  for (const { result } of own) {
    const isNewTest = newTests.has(result.id);
    const redAtBase = !isNewTest && bench.wasRed(result.id);
    const question = { result, changes: context.changes, assume: request.assume, isNewTest, redAtBase };
    history.push(...(await historyStops(question)));
  }
  // What has another key now is not missing: the fixer that knows the new key judged the values itself. A mended call expects
  // no new value: what the wrong call gave says nothing against it.
  const value =
    fix.provider === 'members' || fix.mendsCalls === true
      ? []
      : own.flatMap(({ captured }) => captured.flatMap(valueStops));
  value.push(...(await gateStops(fix, input)));
  const stopped = applyStops(fix, { value, history, assume: request.assume });
  const [first] = own;
  const sourceChange =
    fix.sourceChange ??
    (first &&
      (await findSourceChange({
        result: first.result,
        ...(fix.expectation && { expectation: fix.expectation }),
        changes: context.changes,
        readText: (file) => context.readText(file),
      })));
  const { unavailable } = context.changes;
  const doubt = unavailable === undefined ? [] : [`Unconfirmed: what changed is not known (${unavailable}).`];
  return { ...stopped, evidence: [...stopped.evidence, ...doubt], ...(sourceChange && { sourceChange }) };
}

/** What the gate lets a person do and nobody else: turned round, or wider than before. */
async function gateStops(fix: Fix, { context, request }: FailuresToJudge): Promise<readonly Stop[]> {
  const changes: FileChange[] = [];
  for (const edit of fix.edits) {
    const before = await context.readText(edit.file);
    if (before === undefined || hashText(before) !== edit.before) return [];
    changes.push({ file: edit.file, before, after: applyEdit(edit, before) });
  }
  return checkPolicyOfEdits(changes, (file) => request.isTestFile(file))
    .filter(({ rule }) => proposeOnlyRules.has(rule))
    .map(({ text }) => ({ kind: 'value', reason: text }));
}

async function causeOf(
  { result, captured }: FailingTest,
  fixes: readonly Fix[],
  { bench, context, request, refusals }: FailuresToJudge,
): Promise<Diagnosis> {
  if (request.bugs?.has(result.id))
    return { fault: 'source', reason: 'You said that this is a bug in the source.' };
  if (bench.flaky.has(result.id))
    return { fault: 'flaky', reason: 'It passed when it was run again without any change.' };
  const proposals = fixes.filter(({ failures }) => failures.includes(result.id));
  const isTestFile = (file: string): boolean => request.isTestFile(file);
  const diagnosis = await diagnose({ result, captured, changes: context.changes, proposals, isTestFile });
  const refusal = proposals.length === 0 ? refusals.get(result.id) : undefined;
  return refusal === undefined
    ? diagnosis
    : { ...diagnosis, reason: `${diagnosis.reason} No fix: ${refusal}` };
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
