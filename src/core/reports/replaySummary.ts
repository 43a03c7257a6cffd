// Tells a replay on a text terminal: what broke, what would have become of it, and why, commit by commit.
import type { CommitRecord, ReplayReport, ReplayTotals, SettingScore } from '../replay/replayReport.ts';
import type { TextStyle } from './fixText.ts';
import { cutEnd, duration, plainLine, plural, wrapText, type Paint } from './paint.ts';
import { noteText } from './terminalReporter.ts';

/** Several blocks, ending with a newline. */
export function replaySummary(report: ReplayReport, style: TextStyle): string {
  const { paint, width } = style;
  const cases = report.commits.filter(({ state }) => state === 'case');
  const blocks = [
    wrapText(headline(report), width)
      .map((line) => paint.bold(line))
      .join('\n'),
    cases.length === 0 ? '' : scoreTable(report.totals, paint),
    Object.keys(report.byCategory).length === 0 ? '' : categoryTable(report, paint),
    ...cases.map((record) => caseText(record, style)),
    skippedText(report.commits, style),
    report.notes.map((note) => noteText(note, paint, width)).join('\n'),
    paint.dim(duration(report.durationMs)),
  ];
  return blocks.filter((block) => block !== '').join('\n\n') + '\n';
}

/** "Of 100 commits, 14 broke 37 tests: …", in one sentence or two. */
export function headline({ totals, ended }: ReplayReport): string {
  const { commits, relevant, cases, brokenTests, skipped, automatic, sourceIsRight } = totals;
  const open = skipped === 0 ? '' : ` ${plural(skipped, 'commit')} could not be replayed.`;
  const end = {
    complete: '',
    cancelled: ' It was cancelled before it finished.',
    timeout: ' It reached its time limit.',
  }[ended];
  const changing = `${relevant} of ${plural(commits, 'commit')} change source and tests`;
  if (cases === 0) return `${changing}; none of them broke a test that its author then mended.${open}${end}`;
  const what = `${changing}; ${cases} broke tests (${plural(brokenTests, 'test')})`;
  const alone =
    automatic.applied === 0
      ? 'would have mended none without asking'
      : `would have mended ${automatic.correct} without asking`;
  const wrong = automatic.wrong === 0 ? '' : `, and applied ${automatic.wrong} wrongly`;
  return `${what}. Testmend ${alone}${wrong}, and ${sourceIsRight.correct} as their authors did with the source taken as right.${open}${end}`;
}

/** What the rows of a table of scores mean, best first. */
export const scoreRows: readonly {
  readonly name: string;
  readonly of: (totals: ReplayTotals['automatic']) => number;
  readonly nothing: (cases: number) => number;
}[] = [
  { name: 'correct: sound, and as the author did', of: ({ correct }) => correct, nothing: () => 0 },
  { name: 'sound', of: ({ sound }) => sound, nothing: () => 0 },
  { name: 'the tests pass, and no other test breaks', of: ({ passes }) => passes, nothing: () => 0 },
  { name: 'refused: nothing applied', of: ({ refused }) => refused, nothing: (cases) => cases },
  { name: 'partly: right, but some tests still fail', of: ({ partly }) => partly, nothing: () => 0 },
  { name: 'wrong: unsound, or not as the author', of: ({ wrong }) => wrong, nothing: () => 0 },
];

function scoreTable(totals: ReplayTotals, paint: Paint): string {
  const head = `${''.padEnd(40)}${'automatic'.padStart(11)}${'source is right'.padStart(17)}${'nothing'.padStart(9)}`;
  const rows = scoreRows.map(({ name, of, nothing }) => {
    const numbers = [of(totals.automatic), of(totals.sourceIsRight), nothing(totals.cases)];
    const [automatic = '', right = '', none = ''] = numbers.map(String);
    const line = `  ${name.padEnd(38)}${automatic.padStart(11)}${right.padStart(17)}${none.padStart(9)}`;
    return name.startsWith('wrong') && of(totals.automatic) > 0 ? paint.red(line) : line;
  });
  return [paint.dim(head), ...rows].join('\n');
}

function categoryTable({ byCategory, totals }: ReplayReport, paint: Paint): string {
  const columns = [
    'cases',
    'correct',
    'sound',
    'P',
    'refused',
    'partly',
    'wrong',
    'right outcome',
    'skipped',
  ];
  const line = (name: string, of: ReplayTotals): string => {
    const { correct, sound, passes, refused, partly, wrong } = of.sourceIsRight;
    const numbers = [of.cases, correct, sound, passes, refused, partly, wrong, of.rightOutcome, of.skipped];
    return `  ${name.padEnd(9)}${numbers.map((number, index) => String(number).padStart((columns[index]?.length ?? 0) + 2)).join('')}`;
  };
  return [
    paint.dim(`  ${'category'.padEnd(9)}${columns.map((name) => name.padStart(name.length + 2)).join('')}`),
    ...Object.entries(byCategory).map(([name, of]) => line(name, of)),
    line('all', totals),
  ].join('\n');
}

function caseText(record: CommitRecord, { paint, width }: TextStyle): string {
  const { commit, date, subject, broken, automatic, sourceIsRight, category, repository } = record;
  const place = [repository, category].filter((part) => part !== undefined).join(' ');
  const head = `${commit.slice(0, 8)} ${date}  ${plural(broken.length, 'test')}${place === '' ? '' : `  ${place}`}`;
  const say = (text: string): string[] => wrapText(plainLine(text), width - 4).map((line) => `    ${line}`);
  return [
    `${markOf(record, paint)} ${paint.bold(head)}`,
    `  ${cutEnd(plainLine(subject), width - 2)}`,
    ...say(`automatic: ${verdictOf(automatic)}`),
    ...say(`source is right: ${verdictOf(sourceIsRight)}`),
    ...refusalsOf(sourceIsRight).flatMap(say).map(paint.dim),
    ...record.notes.flatMap(say).map(paint.dim),
  ].join('\n');
}

function markOf(record: CommitRecord, paint: Paint): string {
  if (record.automatic?.wrong === true) return paint.red('✗');
  if (record.sourceIsRight?.correct === true) return paint.green('✓');
  return (record.sourceIsRight?.applied.length ?? 0) > 0 ? paint.yellow('!') : paint.dim('-');
}

const likenesses = {
  identical: 'exactly as the author did',
  formatting: 'as the author did, up to layout',
  literals: 'with the same values as the author',
  different: 'differs from what the author did',
} as const;

/** What one setting made of a case, in one sentence. */
export function verdictOf(score: SettingScore | undefined): string {
  if (score === undefined || score.applied.length === 0) return 'nothing applied.';
  const like = score.likeness === null ? '' : likenesses[score.likeness];
  const what = `${plural(score.applied.length, 'fix', 'fixes')} applied (${[...new Set(score.applied.map(({ title }) => title))].slice(0, 3).join('; ')})`;
  if (score.sound) return `${score.wrong ? 'WRONG: ' : ''}${what}, sound, ${like}.`;
  return `${score.wrong ? 'WRONG' : 'In part'}: ${what}, not sound, ${like}: ${score.faults.slice(0, 3).join(' ')}`;
}

/** Reasons of tests that were left as they are, equal ones once. */
export function refusalsOf(score: SettingScore | undefined): readonly string[] {
  const reasons = new Map<string, number>();
  for (const { reason, fault } of score?.refused ?? []) {
    const said = `${fault}: ${reason}`;
    reasons.set(said, (reasons.get(said) ?? 0) + 1);
  }
  return [...reasons].map(([reason, count]) => `${plural(count, 'test')} left, fault ${reason}`);
}

/** Commits that could not be replayed, by reason. */
export function skippedByReason(
  commits: readonly CommitRecord[],
): ReadonlyMap<string, readonly CommitRecord[]> {
  const groups = new Map<string, CommitRecord[]>();
  for (const record of commits) {
    if (record.state !== 'skipped') continue;
    const reason = record.reason ?? 'No reason is known.';
    groups.set(reason, [...(groups.get(reason) ?? []), record]);
  }
  return groups;
}

function skippedText(commits: readonly CommitRecord[], { paint, width }: TextStyle): string {
  const groups = [...skippedByReason(commits)];
  if (groups.length === 0) return '';
  const lines = groups.flatMap(([reason, records]) => {
    const [first = '', ...rest] = wrapText(plainLine(reason), width - 4);
    const names = records.map((record) =>
      [record.repository, record.commit.slice(0, 8)].filter((part) => part !== undefined).join(' '),
    );
    const shown = wrapText(names.join(', '), width - 4).map((line) => paint.dim(`    ${line}`));
    return [`  ${first}`, ...rest.map((line) => `    ${line}`), ...shown];
  });
  return [
    paint.bold(`${plural(groups.flatMap(([, records]) => records).length, 'commit')} not replayed`),
    ...lines,
  ].join('\n');
}
