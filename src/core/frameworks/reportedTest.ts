// What a report that was not made for us (TAP, JUnit) tells of one test.
import type { RawFailure } from '../model/reporterMessage.ts';

export interface ReportedTest {
  readonly suites: readonly string[];
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly failure?: RawFailure;
}

export interface ReportedTests {
  readonly tests: readonly ReportedTest[];
  /** Why they are not all there is to say: fewer than planned, a bail-out. A sentence. */
  readonly trouble?: string;
}
