// Reads the tests of a TAP report (versions 13 and 14, as node:test, tape, tap and others print it).
import path from 'node:path';
import { inspect } from 'node:util';
import { Parser, type Result } from 'tap-parser';
import type { RawFailure } from '../../model/reporterMessage.ts';
import type { ReportedTest, ReportedTests } from '../reportedTest.ts';

/** The tests of the report in their order; `folder` is where relative places in it start. */
export function readTap(text: string, folder: string): ReportedTests {
  const tests: ReportedTest[] = [];
  const troubles: string[] = [];
  const parser = new Parser();
  collect(parser, []);
  parser.on('bailout', (reason: string) => troubles.push(`Bail out! ${reason}`.trim()));
  parser.on('complete', ({ plan, count }) => {
    if (plan.end !== null && plan.start !== null && count < plan.end - plan.start + 1)
      troubles.push(`TAP announces ${plan.end - plan.start + 1} tests, but only ${count} finished.`);
  });
  parser.end(text);
  const [trouble] = troubles;
  return { tests, ...(trouble !== undefined && { trouble }) };

  /** Returns how many tests are below, and how many of them failed. */
  function collect(
    level: Parser,
    suites: readonly string[],
  ): { readonly count: number; readonly failed: number } {
    const own = { count: 0, failed: 0 };
    let below: { readonly count: number; readonly failed: number } | undefined;
    // tape has no subtests: a comment stands above the assertions of a test.
    let heading: string | undefined;
    level.on('child', (child: Parser) => {
      below = collect(child, [...suites, child.name]);
    });
    level.on('comment', (comment: string) => {
      const title = comment.replace(/^#\s*/, '').trim();
      if (!summary.test(title)) heading = title;
    });
    level.on('assert', (result: Result) => {
      const inner = below ?? { count: 0, failed: 0 };
      below = undefined;
      own.count += inner.count;
      own.failed += inner.failed;
      const isFailed = !result.ok && result.todo === false && result.skip === false;
      // A test with tests below it has said what it is by theirs, unless it failed by itself.
      if (inner.count > 0 && (!isFailed || inner.failed > 0)) return;
      own.count++;
      if (isFailed) own.failed++;
      const above = heading === undefined || heading === result.name ? suites : [...suites, heading];
      tests.push(toldTest(result, above, folder));
    });
    return own;
  }
}

const summary =
  /^$|^(?:Subtest|tests|suites|pass|fail|ok|failed|cancelled|skipped|skip|todo|duration_ms|time)\b/i;

function toldTest(result: Result, suites: readonly string[], folder: string): ReportedTest {
  const { ok, name, skip, todo, time, id } = result;
  const details: unknown = result.diag;
  const diagnostics = isRecord(details) ? details : {};
  const isSkipped = skip !== false || todo !== false;
  const duration = Number(diagnostics['duration_ms'] ?? time ?? 0);
  return {
    suites,
    title: name === '' ? `test ${id}` : name,
    outcome: isSkipped ? 'skipped' : ok ? 'passed' : 'failed',
    durationMs: Number.isFinite(duration) && duration > 0 ? duration : 0,
    ...(!isSkipped && !ok && { failure: failureOf(name, diagnostics, folder) }),
  };
}

function failureOf(name: string, diagnostics: Readonly<Record<string, unknown>>, folder: string): RawFailure {
  const text = (key: string): string | undefined => {
    const value = diagnostics[key];
    return value === undefined || value === null
      ? undefined
      : typeof value === 'string'
        ? value
        : inspect(value);
  };
  const message =
    text('error') ?? text('message') ?? (name === '' ? 'It failed without giving a reason.' : name);
  const frames = [...stackLines(diagnostics['stack']), ...placeOf(diagnostics)];
  const type = text('name');
  const compared = 'expected' in diagnostics && 'actual' in diagnostics;
  return {
    ...(type !== undefined ? { name: type } : compared ? { name: 'AssertionError' } : {}),
    message,
    ...(frames.length > 0 && {
      stack: [message, ...frames.map((line) => absolute(line, folder))].join('\n'),
    }),
    ...(compared && { expected: text('expected') ?? 'undefined', actual: text('actual') ?? 'undefined' }),
  };
}

/** With or without the `at` of V8. */
function stackLines(stack: unknown): readonly string[] {
  const lines = Array.isArray(stack) ? stack.map(String) : typeof stack === 'string' ? stack.split('\n') : [];
  return lines
    .map((line) => line.trim().replace(/^at /, ''))
    .filter((line) => /:\d+:\d+\)?$/.test(line))
    .map((line) => `    at ${line}`);
}

/** `at: 'name (file:3:4)'`, `at: { file, line, column }`, `location: 'file:3:4'`. */
function placeOf({ at, location }: Readonly<Record<string, unknown>>): readonly string[] {
  const place = at ?? location;
  if (typeof place === 'string') return stackLines(place);
  if (!isRecord(place)) return [];
  const { file, fileName, line, lineNumber, column, columnNumber } = place;
  const name = file ?? fileName;
  if (typeof name !== 'string') return [];
  const count = (value: unknown): number => (typeof value === 'number' ? value : 1);
  return [`    at ${name}:${count(line ?? lineNumber)}:${count(column ?? columnNumber)}`];
}

function absolute(frame: string, folder: string): string {
  return frame.replace(
    /(\(|^ {4}at )([^\s():][^():]*):(\d+:\d+)/,
    (whole, before: string, file: string, place: string) =>
      /^(?:node|file)$/.test(file) || path.isAbsolute(file)
        ? whole
        : `${before}${path.join(folder, file)}:${place}`,
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
