// Makes results of what a test script prints: of its TAP or JUnit where there is some, else of its exit code.
import path from 'node:path';
import type { RawFailure, ReporterMessage } from '../../model/reporterMessage.ts';
import type { ProcessResult } from '../../process/runProcess.ts';
import type { Interpretation, Interpreter } from '../framework.ts';
import { readJunit } from '../readJunit.ts';
import type { ReportedTest, ReportedTests } from '../reportedTest.ts';

interface WholeScript {
  /** Absolute package.json. */
  readonly file: string;
  /** Of the one test that the script is. */
  readonly title: string;
  /** 1-based. */
  readonly line: number;
  /** For the user, told with the results. */
  readonly note?: string;
}

/** Where a report begins; what the package manager and the tests print before it is none of it. */
const reportStart = /^(?:TAP version 1[34]\b|1\.\.\d+\b|(?:not )?ok \d+\b|\s*<testsuites?\b|\s*<\?xml\b)/m;
/** Of a report that is longer only so much is read, characters. */
const longestReport = 32 * 1024 * 1024;
/** Nobody reads more of what a failed script printed last, characters. */
const longestTail = 4000;

export class ScriptInterpreter implements Interpreter {
  readonly #script: WholeScript;
  readonly #started = performance.now();
  /** From the first line of the report on; empty as long as there is none. */
  #report = '';
  /** A line whose end has not come. */
  #line = '';
  #tail = '';

  constructor(script: WholeScript) {
    this.#script = script;
  }

  read(stream: 'stdout' | 'stderr', text: string): Interpretation {
    this.#tail = (this.#tail + text).slice(-longestTail);
    if (stream === 'stdout') this.#keepReport(text);
    return { messages: [], shown: text };
  }

  async end(result: ProcessResult): Promise<Interpretation> {
    const told = await this.#told();
    const { file, title, line, note } = this.#script;
    const durationMs = performance.now() - this.#started;
    const messages: ReporterMessage[] = note === undefined ? [] : [{ type: 'note', text: note }];
    if (told && told.tests.length > 0) messages.push(...this.#messagesOf(told.tests));
    const whole: ReporterMessage = {
      type: 'fileCollected',
      file,
      tests: [{ key: 'script', suites: [], title, line }],
    };
    // Without an end of its own the run says how the process died.
    if (result.ended !== 'exited' || result.signalCode !== null)
      return { messages: [...messages, whole], shown: '' };
    const failure = failureOf(result.exitCode ?? 1, told, this.#tail);
    if (failure)
      messages.push(whole, {
        type: 'testEnded',
        key: 'script',
        outcome: 'failed',
        durationMs,
        failures: [failure],
      });
    else if (!told) messages.push(whole, { type: 'testEnded', key: 'script', outcome: 'passed', durationMs });
    messages.push({ type: 'fileEnded', file, durationMs }, { type: 'runFinished' });
    return { messages, shown: '' };
  }

  #keepReport(text: string): void {
    if (this.#report !== '') {
      if (this.#report.length < longestReport) this.#report += text;
      return;
    }
    const lines = this.#line + text;
    const start = reportStart.exec(lines);
    if (start) this.#report = lines.slice(start.index);
    this.#line = lines.slice(lines.lastIndexOf('\n') + 1).slice(0, 1000);
  }

  async #told(): Promise<ReportedTests | undefined> {
    if (this.#report === '') return undefined;
    if (/^\s*</.test(this.#report)) return readJunit(this.#report);
    const { readTap } = await import('./readTap.ts');
    return readTap(this.#report, path.dirname(this.#script.file));
  }

  #messagesOf(tests: readonly ReportedTest[]): readonly ReporterMessage[] {
    const { file, line } = this.#script;
    const keyed = tests.map((test, index) => ({ ...test, key: `told ${index}` }));
    const refs = keyed.map(({ key, suites, title }) => ({ key, suites: [...suites], title, line }));
    const ends = keyed.map(({ key, outcome, durationMs, failure }): ReporterMessage => {
      return { type: 'testEnded', key, outcome, durationMs, ...(failure && { failures: [failure] }) };
    });
    return [{ type: 'fileCollected', file, tests: refs }, ...ends];
  }
}

/** What keeps the script from being a pass although none of its tests says so. */
function failureOf(exitCode: number, told: ReportedTests | undefined, tail: string): RawFailure | undefined {
  const withTail = (message: string): RawFailure => {
    const last = tail.trimEnd().split('\n').slice(-30).join('\n');
    return { message: last === '' ? message : `${message}\nIt printed last:\n${last}` };
  };
  if (told?.trouble !== undefined) return withTail(told.trouble);
  if (told?.tests.length === 0) return withTail(`It exited with code ${exitCode} and reported no test.`);
  const isRed = told?.tests.some(({ outcome }) => outcome === 'failed') ?? false;
  if (exitCode === 0 || isRed) return undefined;
  return withTail(
    told ? `No test failed, but it exited with code ${exitCode}.` : `It exited with code ${exitCode}.`,
  );
}
