// Adds up what the commits of a replay scored, and says for each category what outcome is the right one.
import type {
  CommitRecord,
  ReplayReport,
  ReplayTotals,
  SettingScore,
  SettingTotals,
} from './replayReport.ts';

/** The report of these records. */
export function reportOf(
  records: readonly CommitRecord[],
  rest: Pick<ReplayReport, 'root' | 'mutants' | 'notes' | 'ended' | 'durationMs'>,
): ReplayReport {
  const categories = [...new Set(records.flatMap(({ category }) => category ?? []))].sort();
  return {
    ...rest,
    totals: totalsOf(records),
    baseline: { nothing: { passes: 0, correct: 0 } },
    byCategory: Object.fromEntries(
      categories.map((category) => [
        category,
        totalsOf(records.filter((record) => record.category === category)),
      ]),
    ),
    commits: [...records],
  };
}

export function totalsOf(records: readonly CommitRecord[]): ReplayTotals {
  const cases = records.filter(({ state }) => state === 'case');
  return {
    commits: records.length,
    relevant: records.filter(({ state }) => state !== 'irrelevant').length,
    skipped: records.filter(({ state }) => state === 'skipped').length,
    cases: cases.length,
    brokenTests: cases.reduce((sum, { broken }) => sum + broken.length, 0),
    automatic: settingTotals(cases.flatMap(({ automatic }) => automatic ?? [])),
    sourceIsRight: settingTotals(cases.flatMap(({ sourceIsRight }) => sourceIsRight ?? [])),
    rightOutcome: cases.filter(({ rightOutcome }) => rightOutcome === true).length,
  };
}

function settingTotals(scores: readonly SettingScore[]): SettingTotals {
  const applied = scores.filter((score) => score.applied.length > 0);
  return {
    applied: applied.length,
    fixes: applied.reduce((sum, score) => sum + score.applied.length, 0),
    correct: applied.filter(({ correct }) => correct).length,
    sound: applied.filter(({ sound }) => sound).length,
    passes: applied.filter(({ passes }) => passes === true).length,
    refused: scores.length - applied.length,
    partly: applied.filter(({ correct, wrong }) => !correct && !wrong).length,
    wrong: applied.filter(({ wrong }) => wrong).length,
  };
}

/**
 * REPAIR's right outcome. D1: both sides are offered for each test. E1: a proven deletion is offered for each. In both, what was
 * applied for further tests of the same commit is not wrong. E2: nothing is applied, and each test is handed over with what is known of
 * it. All others: sound. In every category a sound edit that does what the author did is right.
 */
export function isRightOutcome(
  category: string,
  record: Pick<CommitRecord, 'automatic' | 'sourceIsRight' | 'broken'>,
): boolean {
  const { automatic, sourceIsRight } = record;
  if (automatic === undefined || sourceIsRight === undefined) return false;
  if (sourceIsRight.correct) return true;
  const { applied, refused, wrong } = sourceIsRight;
  const nothing = automatic.applied.length === 0 && applied.length === 0;
  const isHarmless = refused.length > 0 && automatic.applied.length === 0 && (applied.length === 0 || !wrong);
  switch (category) {
    case 'D1':
      return isHarmless && refused.every(({ id }) => hasBothSides(offersFor(id, sourceIsRight)));
    case 'E1':
      return (
        isHarmless &&
        refused.every(({ id }) =>
          offersFor(id, sourceIsRight).some(({ deletes, verdict }) => deletes && verdict === 'verified'),
        )
      );
    case 'E2':
      return nothing && refused.every(({ handedOver }) => handedOver);
    default:
      return sourceIsRight.sound;
  }
}

type ModuleApi = SettingScore['offered'];

const offersFor = (id: string, { offered }: SettingScore): ModuleApi =>
  offered.filter(({ failures, verdict }) => failures.includes(id) && verdict !== 'rejected');

/** A change that names its alternative, or two changes that a person chooses from. */
function hasBothSides(offers: ModuleApi): boolean {
  return offers.length > 1 || offers.some(({ otherSide }) => otherSide !== undefined);
}
