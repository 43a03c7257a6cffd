// What a report that was not made for us (TAP, JUnit) tells of one test.
import type { RawFailure } from '../model/reporterMessage.ts';

export interface ToldTest {
  readonly suites: readonly string[];
  readonly title: string;
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly durationMs: number;
  readonly failure?: RawFailure;
}

export interface ToldTests {
  readonly tests: readonly ToldTest[];
  /** Why they are not all there is to say: fewer than planned, a bail-out. A sentence. */
  readonly trouble?: string;
}
