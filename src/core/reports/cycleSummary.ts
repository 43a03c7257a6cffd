// The report at the end of a fix cycle (CONTRACTS T13): status, rates, the way there, and what is left.
import { alikeFailures } from '../model/alikeFailures.ts';
import { afterIteration, type CycleReport, type Remaining } from '../model/cycle.ts';
import { coverageText, isBelowTarget, layerText } from '../model/cycleScopeText.ts';
import { statusName, type DiskReport } from '../model/cycleStatus.ts';
import { countedText, otherRate } from './cycleRates.ts';
import type { TextStyle } from './fixText.ts';
import { duration, indent, percent, plainLine, plural, wrapText } from './paint.ts';
import type { Paint } from './paint.ts';
import { remainingText } from './remainingText.ts';
import { noteText } from './terminalReporter.ts';

/** Several blocks, ending with a newline. */
export function cycleSummary(report: DiskReport, style: TextStyle): string {
  const { paint, width } = style;
  const blocks = [
    `${statusBadge(report, paint)} ${totals(report, paint)}`,
    report.iterations.length ? history(report, style) : '',
    report.remaining.length
      ? [
          paint.bold('Remaining failures'),
          ...alikeFailures(report.remaining).map((group) => indent(remainingText(group, style), 2)),
        ].join('\n')
      : '',
    fixRequired(report.remaining, style),
    report.remaining.some((one) => one.severity === 'critical')
      ? paint.red('! A critical failure remains: do not ship this as it is.')
      : '',
    coverage(report, style),
    costs(report.spent, style),
    report.notes.map((note) => noteText(note, paint, width)).join('\n'),
  ];
  return blocks.filter((block) => block !== '').join('\n\n') + '\n';
}

function statusBadge(report: DiskReport, paint: Paint): string {
  const name = ` ${statusName(report)} `;
  return paint.inverse(report.status === 'needs-attention' ? paint.yellow(name) : paint.green(name));
}

/** Why the cycle ended, unless it reached the target or the notes say it. */
const endings: Readonly<Record<CycleReport['ended'], string>> = {
  target: '',
  'max-iterations': 'It reached its iteration limit.',
  'no-progress': '',
  stuck: 'The same failures came back in three iterations: they need a different approach.',
  budget: 'Its budget is used up.',
  timeout: 'It reached its time limit.',
  cancelled: 'It was cancelled.',
  'no-tests': '',
};

function totals(report: DiskReport, paint: Paint): string {
  const time = duration(report.durationMs);
  if (report.passed + report.failed === 0) {
    // Some may have run when they were cut off.
    const isCutOff = report.ended === 'cancelled' || report.ended === 'timeout';
    return `No test ${isCutOff ? 'ended' : 'ran'}. ${endings[report.ended]} ${paint.dim(time)}`;
  }
  const counted = countedText(report, (rate) => paint.bold(rate));
  const more = [otherRate(report), layerText(report), endings[report.ended]]
    .filter(Boolean)
    .map((line) => `\n  ${line}`);
  return `${counted} ${paint.dim(`(target ${report.targetPassRate} %) · ${time}`)}${more.join('')}`;
}

function history(report: CycleReport, { paint, width }: TextStyle): string {
  const lines = report.iterations.map((record) => {
    const head = `  ${String(record.iteration).padStart(2)}  ${record.strategy.padEnd(12)} ${percent(afterIteration(record).pass_rate).padStart(7)}  `;
    const [first = '', ...rest] = wrapText(plainLine(record.strategy_reason), Math.max(20, width - 27));
    return [head + paint.dim(first), ...rest.map((line) => ' '.repeat(27) + paint.dim(line))].join('\n');
  });
  return [
    paint.bold(`${report.iterations.at(-1)?.iteration ?? 0} of ${plural(report.maxIterations, 'iteration')}`),
    ...lines,
  ].join('\n');
}

function coverage(report: CycleReport, { paint, width }: TextStyle): string {
  const text = coverageText(report);
  if (text === undefined) return '';
  const note = report.coverage?.note;
  return [
    isBelowTarget(report) ? paint.yellow(text) : text,
    ...(note === undefined ? [] : [noteText(note, paint, width)]),
  ].join('\n');
}

/** Who was asked and what that took; nothing where nobody was. */
function costs({ asked }: CycleReport['spent'], { paint }: TextStyle): string {
  return asked
    .map(({ provider: author, requests, inputTokens, outputTokens, cost }) => {
      if (author === 'agent') return paint.dim(`The agent was started ${plural(requests, 'time')}.`);
      const price = cost === undefined ? '' : `, cost ${cost.toPrecision(3)}`;
      const tokens = `${inputTokens} tokens in, ${outputTokens} out${price}`;
      return paint.dim(`The model answered ${plural(requests, 'question')}: ${tokens}.`);
    })
    .join('\n');
}

/** T11 `fix_required`: said plainly, because no edit of a test may hide it. */
function fixRequired(remaining: readonly Remaining[], { paint, width }: TextStyle): string {
  const source = remaining.filter((one) => one.fault === 'source');
  if (source.length === 0) return '';
  const text = `fix_required: ${plural(source.length, 'failure')} ${source.length === 1 ? 'comes' : 'come'} from the source, not from the tests. Repair the source; Testmend leaves these tests unchanged.`;
  return wrapText(text, width)
    .map((line) => paint.magenta(line))
    .join('\n');
}
