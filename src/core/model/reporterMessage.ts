// What a reporter inside the user's process says on fd 3: one JSON object a line, sealed (process/sealedLines.ts). It is not trusted: parsed here.
import { z } from 'zod';
import { healedStepSchema } from './testResult.ts';

const rawFailureSchema = z.object({
  message: z.string(),
  name: z.string().optional(),
  stack: z.string().optional(),
  /** As the framework prints it; absent when there is none. */
  expected: z.string().optional(),
  actual: z.string().optional(),
});

const testRefSchema = z.object({
  /** The reporter's own key for the test, unique within the run. */
  key: z.string(),
  suites: z.array(z.string()),
  title: z.string(),
  line: z.number().int().positive().optional(),
  column: z.number().int().positive().optional(),
  /** Title of the parametrised test that this is a case of, where the framework itself tells. */
  template: z.string().optional(),
});

export const reporterMessageSchema = z.discriminatedUnion('type', [
  /** `temporaryFolder`: one that the framework removes at its own end, and nobody when it is ended before. */
  z.object({
    type: z.literal('runStarted'),
    framework: z.string(),
    version: z.string(),
    temporaryFolder: z.string().optional(),
  }),
  /** The files the framework is about to run; all of them must end. May come more than once. */
  z.object({
    type: z.literal('filesQueued'),
    files: z.array(z.object({ file: z.string(), project: z.string().optional() })),
  }),
  /** Every test of a file is known; all of them must end. `file` is absolute. */
  z.object({
    type: z.literal('fileCollected'),
    file: z.string(),
    project: z.string().optional(),
    tests: z.array(testRefSchema),
    /** The framework loads such files for what they prepare: without tests they are no fault. */
    helper: z.literal(true).optional(),
    /** Further tests may come until the file ends: without that end, those that discovery knows and nobody told of did not run. */
    more: z.literal(true).optional(),
  }),
  /** What was collected as a test turned out to be a suite: its tests are told instead. */
  z.object({ type: z.literal('testDropped'), key: z.string() }),
  z.object({ type: z.literal('testStarted'), key: z.string() }),
  z.object({
    type: z.literal('testEnded'),
    key: z.string(),
    /** errored: it did not get as far as to fail; its set-up did. */
    outcome: z.enum(['passed', 'failed', 'skipped', 'errored']),
    durationMs: z.number().nonnegative(),
    failures: z.array(rawFailureSchema).optional(),
    /** It passed when it was tried again: what it failed with before. */
    flaky: rawFailureSchema.optional(),
    /** Of a scenario: the steps that found their element by another strategy than the first one (CONTRACTS S5). */
    healed: z.array(healedStepSchema).optional(),
    /** For a skill file, which is one test that counts its own checks. */
    counts: z
      .object({ passed: z.number().int().nonnegative(), failed: z.number().int().nonnegative() })
      .optional(),
  }),
  /** The file failed outside its tests: it did not load, or a hook threw. */
  z.object({
    type: z.literal('fileFailed'),
    file: z.string(),
    project: z.string().optional(),
    /** Names of the suite whose hook threw; absent for the file itself. */
    suites: z.array(z.string()).optional(),
    /** It concerns the tests that did not end; where all of them did, it is nothing. */
    onlyOpen: z.literal(true).optional(),
    failure: rawFailureSchema,
  }),
  /** The file skips itself, with all of its tests: none of them is known to the framework. */
  z.object({
    type: z.literal('fileSkipped'),
    file: z.string(),
    project: z.string().optional(),
    /** Only the suite of these names is skipped. */
    suites: z.array(z.string()).optional(),
    reason: z.string(),
  }),
  z.object({
    type: z.literal('fileEnded'),
    file: z.string(),
    project: z.string().optional(),
    durationMs: z.number().nonnegative(),
  }),
  z.object({
    type: z.literal('output'),
    key: z.string().optional(),
    file: z.string().optional(),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
  }),
  /** A sentence for the user about the run. */
  z.object({ type: z.literal('note'), text: z.string() }),
  /** Code under test tried to speak through the reporter: a sentence on how. Nothing that passed in this process is believed. */
  z.object({ type: z.literal('tampered'), how: z.string() }),
  /** The framework itself finished; without this line a run is no pass. */
  z.object({
    type: z.literal('runFinished'),
    /** Errors outside every test; `file` is the test file that was running, where the framework knows. */
    unhandled: z.array(rawFailureSchema.extend({ file: z.string().optional() })).optional(),
  }),
]);

export type RawFailure = z.infer<typeof rawFailureSchema>;
export type TestRef = z.infer<typeof testRefSchema>;
export type ReporterMessage = z.infer<typeof reporterMessageSchema>;
