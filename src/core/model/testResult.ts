// What a run tells: results per test, events while it goes, and the summary at its end (INTERFACES, CLI `run`).
import { z } from 'zod';
import type { RunCoverage } from './coverage.ts';

const positionSchema = z.object({ line: z.number().int(), column: z.number().int() });
export const locationSchema = positionSchema.extend({ file: z.string() });

const stackFrameSchema = z.object({
  /** Function name, empty when unknown. */
  name: z.string(),
  /** Relative to the root when inside it, else absolute or a URL; mapped through source maps. */
  file: z.string(),
  line: z.number().int(),
  column: z.number().int(),
});
export type StackFrame = z.infer<typeof stackFrameSchema>;

export const severitySchema = z.enum(['critical', 'high', 'medium', 'low']);
export type Severity = z.infer<typeof severitySchema>;

/** assertion: an expectation did not hold · load: the file or an import failed · timeout · crash: the process ended · empty: no tests · config: the configuration did not load, so that no test could run · error: anything thrown. */
const failureKindSchema = z.enum(['assertion', 'load', 'timeout', 'crash', 'empty', 'config', 'error']);
export type FailureKind = z.infer<typeof failureKindSchema>;

export const failureSchema = z.object({
  message: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
  /** The failing line in the test file, else the best place known. */
  location: locationSchema.optional(),
  stack: z.array(stackFrameSchema),
  kind: failureKindSchema,
  severity: severitySchema,
});
export type Failure = z.infer<typeof failureSchema>;

export const outcomeSchema = z.enum(['passed', 'failed', 'skipped', 'errored']);
export type Outcome = z.infer<typeof outcomeSchema>;

/** A step of a scenario that passed only because its element was found in another way. */
export const healedStepSchema = z.object({
  step: z.string(),
  line: z.number().int(),
  displayName: z.string(),
  /** `testId="pay"`. */
  original: z.string(),
  used: z.string(),
  /** CONTRACTS S4, 0..1. */
  confidence: z.number(),
  /** Of the evidence that decided, 0..1. */
  score: z.number().optional(),
});

export const testResultSchema = z.object({
  id: z.string(),
  /** Relative to the root, POSIX separators. */
  file: z.string(),
  line: z.number().int(),
  title: z.string(),
  suites: z.array(z.string()),
  outcome: outcomeSchema,
  durationMs: z.number(),
  counts: z.object({ passed: z.number().int(), failed: z.number().int() }).optional(),
  failure: failureSchema.optional(),
  /** Further failures of the same test (soft assertions, hooks). */
  moreFailures: z.array(failureSchema).optional(),
  /** It passed when it was tried again (CONTRACTS Q8): the message that it failed with before. */
  flaky: z.string().optional(),
  /** CONTRACTS S5: never plainly passed. */
  healed: z.array(healedStepSchema).optional(),
  /** Skipped because a person cancelled the run before it ended: nobody's failure, and no result. */
  cancelled: z.literal(true).optional(),
  /** It did not pass, and is in the quarantine list of its root. */
  quarantined: z.literal(true).optional(),
  /** What the test printed, capped. */
  output: z.string().optional(),
});
export type TestResult = z.infer<typeof testResultSchema>;

export const runSummarySchema = z.object({
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  skipped: z.number().int(),
  errored: z.number().int(),
  /** Percent, floored to one decimal; null when no test ended passed, failed or errored. */
  passRate: z.number().nullable(),
  durationMs: z.number(),
  notes: z.array(z.string()),
  tests: z.array(testResultSchema),
  /** How the run ended as a whole. */
  ended: z.enum(['complete', 'timeout', 'cancelled']),
});
export type RunSummary = z.infer<typeof runSummarySchema> & {
  /** Of a run with coverage. */
  readonly coverage?: RunCoverage;
};

export type RunEvent =
  | { readonly type: 'fileStarted'; readonly fileId: string; readonly file: string }
  /** Its tests have ended. */
  | { readonly type: 'fileEnded'; readonly fileId: string; readonly file: string }
  | { readonly type: 'testStarted'; readonly id: string; readonly file: string }
  | { readonly type: 'testEnded'; readonly result: TestResult }
  | {
      readonly type: 'output';
      readonly id?: string;
      readonly file?: string;
      readonly stream: 'stdout' | 'stderr';
      readonly text: string;
    }
  | { readonly type: 'note'; readonly text: string };
