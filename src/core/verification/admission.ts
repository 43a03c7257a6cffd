// What is settled about a fix before anything is run: the gate, stale texts, files whose outcomes the sandbox does not reproduce.
import { HumanError } from '../base/humanError.ts';
import { applyEdit } from '../model/edit.ts';
import type { Fix, FixPart, Verdict, Violation } from '../model/fix.ts';
import type { FileChange, GateContext } from '../policy/checkPolicy.ts';
import type { ReadSource } from '../policy/repointedImports.ts';
import type { Weighs } from '../policy/undeclared.ts';
import { mergeEdits } from '../workspace/mergeEdits.ts';
import { whyOtherwise } from './failsOtherwise.ts';
import type { VerificationContext } from './verification.ts';
import type { PolicyAnswer } from './yielding.ts';

interface Admitted {
  /** Why it is not tried. */
  readonly refused?: { readonly verdict: Exclude<Verdict['verdict'], 'verified'>; readonly reason: string };
  /** Of a fix that is tried those that a person may accept. */
  readonly violations: readonly Violation[];
  /** It is tried all the same: what its tests notice decides. */
  readonly isWeighed?: true;
}

interface Admission {
  /** `testFiles`: those of its failing tests. */
  admit(fix: Fix, testFiles: readonly string[]): Promise<Admitted>;
}

type ReadText = (file: string) => Promise<string | undefined>;
type Rules = Awaited<ReturnType<typeof loadRules>>;

/** `readText` tells the texts as they are before anything is tried. It brings a parser along, which a run without fixes never needs. */
export async function openAdmission(context: VerificationContext, readText: ReadText): Promise<Admission> {
  const rules = await loadRules(context);
  return {
    admit: async (fix, testFiles) => {
      const refuse = (verdict: 'rejected' | 'unverifiable', reason: string): Admitted => ({
        refused: { verdict, reason },
        violations: [],
      });
      if (fix.edits.length === 0 || fix.failures.length === 0)
        return refuse('rejected', 'The fix changes nothing or names no failing test.');
      const texts = new Map<string, string>();
      const violations: Violation[] = [];
      let unjudged: string | undefined;
      // Each step of a chain is held to what it says to be, on top of the steps before it, and the chain besides as a whole.
      for (const part of fix.parts ?? []) {
        const looked = await look(part, context, rules, async (file) => texts.get(file) ?? readText(file));
        if (typeof looked === 'string') return refuse('rejected', looked);
        violations.push(...looked.violations);
        unjudged ??= looked.unjudged;
        for (const { file, after } of looked.changes) if (after !== undefined) texts.set(file, after);
      }
      const looked = await look(fix, context, rules, readText);
      if (typeof looked === 'string') return refuse('rejected', looked);
      const { changes } = looked;
      const unreproduced = (): string | undefined => whyUnreproduced(fix, changes, testFiles, context);
      const needless = (givesMore: boolean): Promise<string | undefined> =>
        whyNotNeeded(fix, changes, context, { givesMore, readSource: rules.readSource, readText });
      const yielding = await otherWords(fix, looked, context, rules);
      if (yielding !== undefined) {
        const reason = unreproduced() ?? (await needless(yielding.givesMore));
        if (reason !== undefined) return refuse('unverifiable', reason);
        return { violations: [], ...(yielding.isWeighed && { isWeighed: true }) };
      }
      if (fix.parts !== undefined && changes.some(({ file, after }) => texts.get(file) !== after))
        return refuse('rejected', 'The steps of the fix do not add up to its edits.');
      violations.push(...looked.violations);
      const binding = violations.find(
        ({ rule }) => fix.trust !== 'propose' || !rules.proposeOnlyRules.has(rule),
      );
      if (binding)
        return {
          ...refuse('rejected', `${binding.file}:${binding.line} ${binding.rule}: ${binding.text}`),
          violations,
        };
      unjudged ??= looked.unjudged ?? unreproduced() ?? (await needless(false));
      return unjudged === undefined ? { violations } : refuse('unverifiable', unjudged);
    },
  };
}

/** Why the copy proves nothing about these tests. */
function whyUnreproduced(
  { failures }: Fix,
  changes: readonly FileChange[],
  testFiles: readonly string[],
  { unreproduced, failsOtherwise }: VerificationContext,
): string | undefined {
  for (const file of [...changes.map((change) => change.file), ...testFiles]) {
    const reason = unreproduced?.get(file);
    if (reason !== undefined) return reason;
  }
  return whyOtherwise(failures, failsOtherwise);
}

/** Of an edit that nobody vouches for: does it change tests that passed? */
async function whyNotNeeded(
  { undeclared }: Fix,
  changes: readonly FileChange[],
  context: VerificationContext,
  asked: { readonly givesMore: boolean; readonly readSource: ReadSource; readonly readText: ReadText },
): Promise<string | undefined> {
  if (undeclared !== true) return undefined;
  const { changedExpectations } = await import('../policy/changedExpectations.ts');
  const { whyNeedless } = await import('./greenTests.ts');
  const { givesMore, readSource, readText } = asked;
  const { sandbox, baseline, signal } = context;
  const isTest = (file: string): boolean => context.isTestFile(file);
  const expectations = changedExpectations(changes, { readSource, followed: new Map(), isTestFile: isTest });
  const { root } = sandbox;
  const known = { root, baseline, expectations, givesMore, reordered: new Set<string>(), readText, signal };
  return whyNeedless(changes, { ...known, isTestFile: isTest });
}

/** Of an edit that nobody vouches for and that the gate stops: does it stop no longer when all is known? Its tests keep their names and order. */
async function otherWords(
  fix: Fix,
  looked: Looked,
  context: VerificationContext,
  rules: Rules,
): Promise<{ readonly isWeighed: boolean; readonly givesMore: boolean } | undefined> {
  const { changes, violations, unjudged, addsTests } = looked;
  const isStopped = violations.length > 0 || unjudged !== undefined;
  if (fix.undeclared !== true || fix.parts !== undefined || addsTests || !isStopped) return undefined;
  if (changes.some((change) => !rules.keepsTests(change))) return undefined;
  const { whatYields } = await import('./yielding.ts');
  const judge = async (files: readonly FileChange[], weighs: Weighs): Promise<PolicyAnswer> => ({
    violations: await violationsOf(fix, files, { context, rules, followed: new Map() }),
    unread: rules.whyUnjudged(files, {
      readSource: rules.readSource,
      undeclaredFor: (file) => context.isTestFile(file),
      weighs,
    }),
  });
  const answer = { violations, unread: unjudged };
  const yielding = await whatYields(changes, answer, judge, context.weigh !== undefined);
  const isReordered = [...(yielding?.reworded.values() ?? [])].some((form) => form.isReordered);
  return isReordered ? undefined : yielding;
}

async function loadRules({ sandbox }: VerificationContext) {
  const [
    { checkPlaces, checkPolicyOfEdits, proposeOnlyRules },
    { gateOf },
    { withoutAddedTests },
    { whyUnjudged },
    { readSourceIn },
    { keepsTests },
  ] = await Promise.all([
    import('../policy/checkPolicy.ts'),
    import('../policy/gateOf.ts'),
    import('../policy/undeclared.ts'),
    import('../policy/unjudged.ts'),
    import('../policy/readSourceIn.ts'),
    import('../policy/keepsTests.ts'),
  ]);
  const readSource = readSourceIn(sandbox.root);
  return {
    checkPlaces,
    checkPolicyOfEdits,
    proposeOnlyRules,
    gateOf,
    withoutAddedTests,
    whyUnjudged,
    readSource,
    keepsTests,
  };
}

interface Looked {
  readonly changes: readonly FileChange[];
  readonly violations: readonly Violation[];
  /** Why the gate can tell nothing of it. */
  readonly unjudged: string | undefined;
  readonly addsTests: boolean;
}

/** A text says why it cannot be made at all. */
async function look(
  fix: Fix,
  context: VerificationContext,
  rules: Rules,
  readText: ReadText,
): Promise<Looked | string> {
  const changes = await changesOf(fix, context, readText);
  if (typeof changes === 'string') return changes;
  const followed = await followedBy(changes, context);
  const violations = await violationsOf(fix, changes, { context, rules, followed });
  // The gate of deletions reads every text itself.
  if (isDeletion(fix)) return { changes, violations, unjudged: undefined, addsTests: false };
  const { readSource } = rules;
  const isUndeclared = [fix, ...(fix.parts ?? [])].some(({ undeclared }) => undeclared === true);
  // What an added test does may be what lets another one pass.
  const addsTests =
    isUndeclared && changes.some((change) => rules.withoutAddedTests(change, readSource) !== change.after);
  const unjudged = addsTests
    ? 'The fix adds tests: only changes of existing tests can be verified here.'
    : rules.whyUnjudged(changes, {
        readSource,
        followed,
        ...(isUndeclared && { undeclaredFor: (file) => context.isTestFile(file) }),
      });
  return { changes, violations, unjudged, addsTests };
}

/** A deletion has a gate of its own, for one that only a person may accept; everything else may delete nothing. */
async function violationsOf(
  fix: Fix,
  changes: readonly FileChange[],
  asked: {
    readonly context: VerificationContext;
    readonly rules: Rules;
    readonly followed: NonNullable<GateContext['followed']>;
  },
): Promise<readonly Violation[]> {
  const { context, rules, followed } = asked;
  const isTestFile = (file: string): boolean => context.isTestFile(file);
  if (!isDeletion(fix))
    return rules.checkPolicyOfEdits(changes, isTestFile, {
      readSource: rules.readSource,
      followed,
      ...rules.gateOf(fix),
    });
  const { checkDeletion } = await import('../policy/deletionRules.ts');
  return mergeEdits(fix.edits).flatMap((edit) => {
    const change = changes.find(({ file }) => file === edit.file);
    const before = change?.before;
    const misplaced = change === undefined ? [] : rules.checkPlaces(change, isTestFile);
    if (misplaced.length > 0 || before === undefined) return misplaced;
    return checkDeletion({ edit, before, tests: fix.failures.length });
  });
}

/** Only changes of Python are asked for: it reads the history. */
async function followedBy(
  changes: readonly FileChange[],
  context: VerificationContext,
): Promise<NonNullable<GateContext['followed']>> {
  if (!changes.some(({ file }) => file.endsWith('.py'))) return new Map();
  const { followedMoves } = await import('../policy/python/followedMoves.ts');
  const isTestFile = (file: string): boolean => context.isTestFile(file);
  return followedMoves(changes, { root: context.sandbox.root, isTestFile, signal: context.signal });
}

async function changesOf(
  fix: FixPart,
  { known }: VerificationContext,
  readText: ReadText,
): Promise<readonly FileChange[] | string> {
  const changes: FileChange[] = [];
  try {
    for (const edit of mergeEdits(fix.edits)) {
      const before = await readText(edit.file);
      const after = applyEdit(edit, before ?? '');
      changes.push({ file: edit.file, before, after, ...(known !== undefined && { known }) });
    }
    return changes;
  } catch (error) {
    if (error instanceof HumanError) return error.message;
    return `The edits cannot be applied: ${String(error)}`;
  }
}

/** It has a gate of its own, since only a person may accept it. */
const isDeletion = ({ removesTests, trust }: FixPart): boolean =>
  removesTests === true && trust === 'propose';
