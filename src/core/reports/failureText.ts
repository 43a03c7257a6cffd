// One failed test as a person reads it: where, what, the difference, the line of code, the way there.
import { fullName } from '../model/testName.ts';
import type { Failure, Severity, TestResult } from '../model/testResult.ts';
import { codeFrame } from './codeFrame.ts';
import { indent, plainLine, plainText, wrapText } from './paint.ts';
import type { Paint } from './paint.ts';
import { valueDiff } from './valueDiff.ts';

export interface FailureView {
  readonly paint: Paint;
  /** Characters in a line. */
  readonly width: number;
  /** Text of a file as the results name it, or undefined. */
  readonly readText: (file: string) => Promise<string | undefined>;
}

/** Suites and title on one line. */
export function fullTitle(test: Pick<TestResult, 'suites' | 'title'>): string {
  return plainLine(fullName(test));
}

/** `file:line` of the place where the test failed, else of the test. */
function failurePlace(test: TestResult): string {
  const place = test.failure?.location;
  return place?.file === test.file
    ? `${plainLine(test.file)}:${place.line}`
    : `${plainLine(test.file)}:${test.line}`;
}

/** The failed test with all its failures, several lines without a newline at the end. */
export async function failureText(test: TestResult, view: FailureView): Promise<string> {
  const { paint } = view;
  const badge =
    test.outcome === 'errored' ? paint.inverse(paint.yellow(' ERROR ')) : paint.inverse(paint.red(' FAIL '));
  const severity = test.failure ? severityMark(test.failure.severity, paint) : '';
  const head = [
    `${badge} ${paint.bold(failurePlace(test))}${severity}${test.quarantined ? paint.yellow('  quarantined') : ''}`,
    ...wrapText(fullTitle(test), view.width - 2).map((line) => `  ${line}`),
  ];
  const failures = [...(test.failure ? [test.failure] : []), ...(test.moreFailures ?? [])];
  const bodies = await Promise.all(failures.map((failure) => failureBody(failure, view)));
  return [...head, ...bodies.map((body) => indent(body, 4))].join('\n');
}

function severityMark(severity: Severity, paint: Paint): string {
  if (severity === 'critical') return '  ' + paint.red('critical');
  return severity === 'high' ? '  ' + paint.yellow('high') : '';
}

async function failureBody(failure: Failure, view: FailureView): Promise<string> {
  const { paint } = view;
  const width = view.width - 4;
  const blocks = [paint.red(messageLines(failure, width).join('\n'))];
  if (failure.expected !== undefined && failure.actual !== undefined)
    blocks.push(valueDiff(failure.expected, failure.actual, paint, width));
  const text = failure.location && (await view.readText(failure.location.file));
  if (failure.location && text !== undefined) {
    const frame = codeFrame(text, failure.location, paint, { width });
    if (frame) blocks.push(frame);
  }
  const stack = stackLines(failure, paint);
  if (stack) blocks.push(stack);
  return blocks.join('\n\n');
}

const maximumMessageLines = 12;

function messageLines(failure: Failure, width: number): string[] {
  const lines = wrapText(plainText(failure.message).trimEnd(), width);
  if (lines.length <= maximumMessageLines) return lines;
  return [...lines.slice(0, maximumMessageLines), `… ${lines.length - maximumMessageLines} more lines`];
}

const maximumFrames = 4;

/** Frames of the user's own files, without the one that the code frame shows. */
function stackLines(failure: Failure, paint: Paint): string {
  const own = failure.stack.filter(
    (frame) =>
      !frame.file.includes('node_modules/') &&
      !frame.file.startsWith('node:') &&
      !(frame.file === failure.location?.file && frame.line === failure.location.line),
  );
  return own
    .slice(0, maximumFrames)
    .map((frame) => {
      const name = frame.name ? `${plainLine(frame.name)} ` : '';
      return paint.dim(`at ${name}${plainLine(frame.file)}:${frame.line}:${frame.column}`);
    })
    .join('\n');
}
