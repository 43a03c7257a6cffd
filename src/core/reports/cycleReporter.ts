// Tells a fix cycle on a text terminal while it goes: iterations with their reasons, failures, fixes and verdicts.
import { afterIteration, type CycleEvent, type CycleFix } from '../model/cycle.ts';
import { doubtsOf, type Fault, type Violation } from '../model/fix.ts';
import { goesOnText } from '../model/resumedText.ts';
import { progressText } from '../model/progressText.ts';
import { fullName } from '../model/testName.ts';
import type { Severity } from '../model/testResult.ts';
import { isSaidBy } from '../policy/suspectValue.ts';
import { fixText, whyText } from './fixText.ts';
import type { TextStyle } from './fixText.ts';
import { cutEnd, indent, percent, plainLine, plural, wrapText } from './paint.ts';
import type { CycleReporter } from './reporter.ts';

interface CycleReporterOptions extends TextStyle {
  /** Lines that stay. */
  readonly write: (text: string) => void;
  /** Somebody is asked about what only a person may accept, and sees it then. */
  readonly asks?: boolean;
  /** What is going on right now; undefined when nothing is. */
  readonly progress: (text: string | undefined) => void;
}

export function cycleReporter(options: CycleReporterOptions): CycleReporter {
  const seen: Seen = { tests: new Set(), fixes: new Set() };
  let suite = 'full suite';
  return {
    name: 'terminal',
    onEvent(event) {
      if (event.type === 'progress') return options.progress(progressText(event));
      // They are listed once it is known who is at fault.
      if (event.type === 'testsFailed') return;
      if (event.type === 'fixProposed') return options.progress(`proving: ${event.fix.title}`);
      if (event.type === 'cycleStarted' && event.layer !== undefined) suite = `full suite of ${event.layer}`;
      const text = eventText(event, options, { ...seen, suite });
      if (text === '') return;
      options.progress(undefined);
      options.write(text + '\n');
    },
  };
}

type ShownEvent = Exclude<CycleEvent, { type: 'progress' | 'fixProposed' | 'testsFailed' }>;

/** What was told already. */
interface Seen {
  readonly tests: Set<string>;
  readonly fixes: Set<string>;
}

interface Told extends Seen {
  /** What the full suite is. */
  readonly suite: string;
}

function eventText(event: ShownEvent, style: CycleReporterOptions, seen: Told): string {
  const { paint, width } = style;
  switch (event.type) {
    case 'cycleStarted':
      return event.takenUp === undefined
        ? ''
        : wrapText(goesOnText(event.takenUp), width).map(paint.dim).join('\n');
    case 'warned':
      return wrapText(`! ${plainLine(event.text)}`, width)
        .map(paint.yellow)
        .join('\n');
    case 'cycleEnded':
      return '';
    case 'iterationStarted': {
      const reason = wrapText(`${event.strategy}: ${plainLine(event.reason)}`, width - 2);
      return `\n${paint.bold(paint.cyan(`Iteration ${event.iteration}`))} ${paint.dim(`(${event.scope === 'suite' ? seen.suite : 'affected tests'})`)}\n${indent(reason.join('\n'), 2)}`;
    }
    case 'testsFailing': {
      const fresh = event.tests.filter((test) => !seen.tests.has(test.id));
      for (const test of fresh) seen.tests.add(test.id);
      const head = `\n  ${event.tests.length ? paint.red(plural(event.tests.length, 'test') + ' failing') : paint.green('no failing test')}`;
      const known = event.tests.length - fresh.length;
      const rest =
        known && fresh.length
          ? paint.dim(`, ${fresh.length} of them new`)
          : known
            ? paint.dim(', none of them new')
            : '';
      return [head + rest, ...fresh.map((test) => indent(failingText(test, style), 2))].join('\n');
    }
    case 'fixJudged':
      return judgedText(event.fix, style, seen.fixes);
    case 'fixRolledBack':
      return indent(`${paint.red('↶')} rolled back: ${plainLine(event.reason)}`, 2);
    case 'iterationEnded': {
      const record = afterIteration(event.record);
      const reviewed =
        record.pass_rate_reviewed === record.pass_rate
          ? ''
          : paint.dim(`, ${percent(record.pass_rate_reviewed)} without unreviewed expectations`);
      return `\n  ${record.passed} of ${plural(record.total, 'test')} pass: ${paint.bold(percent(record.pass_rate))}${reviewed}`;
    }
  }
}

function judgedText(fix: CycleFix, style: CycleReporterOptions, seen: Set<string>): string {
  const { paint, width, asks = false } = style;
  const isAsked = asks && fix.verdict.verdict === 'verified' && fix.trust !== 'mechanical';
  if (isAsked && !seen.has(fix.id) && fix.state !== 'accepted') {
    seen.add(fix.id);
    return '';
  }
  if (seen.has(fix.id)) {
    const word = fix.state === 'accepted' ? paint.green('✓ accepted') : paint.dim('- not accepted');
    return indent(`${word} ${paint.dim(cutEnd(plainLine(fix.title), width - 18))}`, 2);
  }
  seen.add(fix.id);
  const inner = { paint, width: width - 2 };
  const why = whyText(fix);
  const doubts = doubtsOf(fix).filter((reason) => why.includes(reason));
  const isTold = ({ text }: Violation): boolean => why.includes(text) || isSaidBy(text, doubts);
  const violations = fix.verdict.violations
    .filter((violation) => !isTold(violation))
    .map((violation) => violationText(violation, inner));
  return '\n' + indent([fixText(fix, inner), ...violations].join('\n'), 2);
}

interface FailingText {
  readonly file: string;
  readonly line?: number | undefined;
  readonly suites?: readonly string[] | undefined;
  readonly title: string;
  readonly severity: Severity;
  readonly fault: Fault;
  readonly reason: string;
  readonly message: string;
}

/** Nothing is said where nothing is known. */
const faultNames: Readonly<Record<Fault, string>> = {
  test: 'the test is outdated',
  source: 'the source looks broken',
  environment: 'the environment',
  flaky: 'flaky',
  unknown: '',
};

/** A failing test with severity, who is at fault, and at most so many lines of its message. */
export function failingText(test: FailingText, { paint, width }: TextStyle, messageLines = 2): string {
  const place = test.line === undefined ? test.file : `${test.file}:${test.line}`;
  const colour =
    test.severity === 'critical' ? paint.red : test.severity === 'high' ? paint.yellow : paint.dim;
  const fault =
    test.fault === 'source' ? paint.magenta(faultNames.source) : paint.dim(faultNames[test.fault]);
  return [
    `${paint.red('✗')} ${wrapText(plainLine(fullName(test)), width - 4).join('\n  ')}`,
    `  ${[paint.dim(plainLine(place)), colour(test.severity), fault].filter(Boolean).join(paint.dim(' · '))}`,
    ...wrapText(plainLine(test.message), width - 6)
      .slice(0, messageLines)
      .map((line) => `  ${paint.dim(line)}`),
  ].join('\n');
}

/** What a forbidden edit did, and where. */
export function violationText({ rule, file, line, text }: Violation, { paint, width }: TextStyle): string {
  const [place, what] = [`${plainLine(file)}:${line}`, plainLine(text)];
  const head = `  ${paint.red(rule)} ${place}`;
  if (Array.from(`  ${rule} ${place}  ${what}`).length <= width) return `${head}  ${paint.dim(what)}`;
  return [head, ...wrapText(what, width - 4).map((part) => `    ${paint.dim(part)}`)].join('\n');
}
