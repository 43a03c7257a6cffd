// Turns what a framework says about a failure into what a person needs: message, values, place, kind and severity.
import { toRelativePosix, isInside } from '../base/paths.ts';
import { isInjected } from '../process/injectedFile.ts';
import type { Location } from '../model/position.ts';
import type { RawFailure } from '../model/reporterMessage.ts';
import type { Failure, FailureKind, StackFrame } from '../model/testResult.ts';
import { isLoadError, loadErrorLocation } from './loadError.ts';
import { parseStack, type ParsedFrame } from './parseStack.ts';
import { severityOf } from './severity.ts';
import { shorten } from './shorten.ts';
import { originalPosition } from './sourceMaps.ts';
import { stripAnsi } from './stripAnsi.ts';

interface FailureContext {
  /** Absolute root; files inside it are told relative to it. */
  readonly root: string;
  /** Absolute test file, when the failure belongs to one. */
  readonly testFile?: string;
  /** Suites and title of the test; decides the severity (CONTRACTS T8). */
  readonly title: string;
  /** What the run knows better than the message: a file that did not load, a process that died, a time limit. */
  readonly kind?: FailureKind;
}

/**
 * The failure with its frames mapped through source maps and its location: the first frame in the test file, else the first
 * inside the root that is no dependency, else none. Reads files synchronously (source maps, the lines of a failed import).
 */
export function describeFailure(raw: RawFailure, context: FailureContext): Failure {
  const message = shorten(stripAnsi(raw.message).trimEnd());
  const [expected, actual] = [raw.expected, raw.actual].map((value) =>
    value === undefined ? undefined : shorten(stripAnsi(value)),
  );
  // Vitest prints values also where nothing was compared: as 'undefined', and for toThrow as null and undefined.
  const compared =
    [expected, actual].some((value) => value !== undefined && value !== 'undefined') &&
    !(expected === 'null' && /\bto throw\b/.test(message));
  const frames = parseStack(stripAnsi(raw.stack ?? ''))
    .filter(({ file }) => !isInjected(file))
    .map(originalPosition);
  const kind = kindOf(raw, message, compared, context.kind);
  const location =
    (kind === 'load' ? loadErrorLocation(message, context) : undefined) ?? locationOf(frames, context);
  return {
    message,
    ...(compared && expected !== undefined && { expected }),
    ...(compared && actual !== undefined && { actual }),
    ...(location && { location: tellFile(location, context.root) }),
    stack: frames.slice(0, 50).map((frame) => tellFile(frame, context.root)),
    kind,
    severity: severityOf(context.title, kind === 'assertion' ? '' : `${raw.name ?? ''}: ${message}`),
  };
}

/** The kind by the beginning of the message and the name of the error, never by what stands in stack paths. */
function kindOf(
  raw: RawFailure,
  message: string,
  compared: boolean,
  known: FailureKind | undefined,
): FailureKind {
  if (/^No test (?:suite )?found in (?:file|suite)\b/.test(message)) return 'empty';
  if (message === 'Your test suite must contain at least one test.') return 'empty';
  if (known !== undefined) return known;
  if (/^(?:Test|Hook|\w+ hook) timed out in \d+ ?ms\b|^Test timeout exceeded$/.test(message))
    return 'timeout';
  if (/^test timed out after \d+ ?ms$|^panic: test timed out after /.test(message)) return 'timeout';
  if (/^(?:The ".*" hook .* failed: )?Timeout of \d+ms exceeded\. For async tests\b/.test(message))
    return 'timeout';
  if (/^worker process exited unexpectedly\b/.test(message)) return 'crash';
  // Playwright's: of a test, a hook, a fixture.
  if (/^[^\n]{0,200}\btimeout of \d+ms exceeded\b/.test(message)) return 'timeout';
  if (/^thrown: "?Exceeded timeout of \d+ ms for a (?:test|hook)\b/.test(message)) return 'timeout';
  if (
    /^Failed: Timeout \(?>[\d.]+ ?s/.test(message) ||
    /^Timeout \(?>[\d.]+ ?s\)? from pytest-timeout/.test(message)
  )
    return 'timeout';
  if (/AssertionError/.test(raw.name ?? '') || /^AssertionError\b/.test(message)) return 'assertion';
  if (compared || message.startsWith('Snapshot `')) return 'assertion';
  return isLoadError(message) ? 'load' : 'error';
}

function locationOf(
  frames: readonly ParsedFrame[],
  { root, testFile }: FailureContext,
): Location | undefined {
  const own = frames.filter(
    ({ file }) =>
      isInside(root, file) && !/[\\/](?:node_modules|site-packages)[\\/]/.test(file.slice(root.length)),
  );
  const frame = own.find(({ file }) => file === testFile) ?? own[0];
  return frame && { file: frame.file, line: frame.line, column: frame.column };
}

/** A frame or a location with its file as users know it: relative inside the root, unchanged outside. */
function tellFile<T extends Location | StackFrame>(place: T, root: string): T {
  return isInside(root, place.file) ? { ...place, file: toRelativePosix(root, place.file) } : place;
}
