// A failure that nothing mended as a person reads it at the end of a cycle: the cause, the values, the change, and why there is no fix.
import type { HandOver, Remaining } from '../model/cycle.ts';
import { codeLine } from '../model/visibleText.ts';
import { failingText } from './cycleReporter.ts';
import { cutAround, type TextStyle } from './fixText.ts';
import { cutEnd, plainLine, plural, wrapText } from './paint.ts';
import { valueDiff } from './valueDiff.ts';

/** About eight lines for all tests that fail alike, without a newline at the end; `--json` and `--hand-over` have the rest. */
export function remainingText(
  [first, ...alike]: readonly [Remaining, ...Remaining[]],
  style: TextStyle,
): string {
  const { paint, width } = style;
  const { handOver } = first;
  const room = width - 6;
  const values = handOver === undefined ? [] : valueLines(handOver, style);
  const line = first.line ?? handOver?.test.line;
  const test = { ...first, ...(line !== undefined && { line }) };
  const others = alike.map(({ title }) => plainLine(title)).join(', ');
  const inner = [
    ...(alike.length > 0
      ? [paint.dim(cutEnd(`and ${alike.length} more that fail in the same way: ${others}`, room))]
      : []),
    ...values,
    ...cutLines(wrapText(plainLine(first.reason), room), 3),
    ...(handOver === undefined ? [] : changeLine(handOver)),
    ...(handOver === undefined ? [] : refusalLines(handOver, first.reason, room)),
  ];
  return [
    failingText(test, style, values.length > 0 ? 1 : 2),
    ...inner.filter((line) => line !== '').map((line) => `  ${line}`),
  ].join('\n');
}

/** The first comparison that has a side to show, each side on one line around what differs. */
function valueLines({ values }: HandOver, { paint, width }: TextStyle): string[] {
  const shown = values.find(({ expected, actual }) => expected !== undefined || actual !== undefined);
  if (shown === undefined) return [];
  const flat = (text: string): string => codeLine(plainLine(text));
  const room = width - 17;
  const [expected, actual] = [shown.expected, shown.actual].map((text) => text && flat(text));
  if (expected === undefined) return [`${paint.red('+ actual  ')} ${cutEnd(actual ?? '', room)}`];
  if (actual === undefined) return [`${paint.green('- expected')} ${cutEnd(expected, room)}`];
  return valueDiff(
    cutAround(expected, actual, room),
    cutAround(actual, expected, room),
    paint,
    width - 6,
  ).split('\n');
}

function changeLine({ sourceChanges: [first, ...others] }: HandOver): string[] {
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : `, and ${plural(others.length, 'more place')}`;
  return [`Changed source that reaches it: ${plainLine(first.file)}:${first.line}${more}`];
}

/** What a person may apply; else why there is no fix, unless the cause says it already; else why the first one that was tried is none. */
function refusalLines({ refusals, candidates }: HandOver, reason: string, room: number): readonly string[] {
  return cutLines(wrapText(plainLine(refusalText({ refusals, candidates }, reason)), room), 4);
}

function refusalText(
  { refusals, candidates }: Pick<HandOver, 'refusals' | 'candidates'>,
  reason: string,
): string {
  const offered = candidates.find(({ verdict }) => verdict === 'verified');
  if (offered !== undefined && reason.includes(offered.title)) return '';
  if (offered !== undefined) return `Tried, and left for you to decide: ${offered.title}`;
  if (refusals.some((refusal) => reason.includes(refusal))) return '';
  const [refusal] = refusals;
  if (refusal !== undefined) return `No fix: ${refusal}`;
  const [tried] = candidates;
  if (tried === undefined || reason.includes(tried.title)) return '';
  const why = tried.reasons[0] === undefined ? '' : `: ${tried.reasons[0]}`;
  return `Tried: ${tried.title} (${tried.verdict}${why})`;
}

function cutLines(lines: readonly string[], most: number): readonly string[] {
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), `${lines[most - 1]} …`];
}
