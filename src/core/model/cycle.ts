// What a fix cycle tells while it goes and at its end (CONTRACTS T3–T13, INTERFACES CLI `fix`).
import { z } from 'zod';
import { faultSchema, fixSchema, gradeSchema, outsiderSchema, trustSchema, verdictSchema } from './fix.ts';
import { layerSchema } from './settings.ts';
import { severitySchema } from './testResult.ts';

const strategySchema = gradeSchema;
export type Strategy = z.infer<typeof strategySchema>;

const countsSchema = z.object({
  pass_rate: z.number().nullable(),
  /** Without expectations that nobody accepted yet. */
  pass_rate_reviewed: z.number().nullable(),
  failed_tests: z.array(z.string()),
  total: z.number().int(),
  passed: z.number().int(),
});

/** T7: what the tests did when the iteration began, which its strategy was chosen by. */
export const iterationRecordSchema = countsSchema.extend({
  iteration: z.number().int(),
  strategy: strategySchema,
  strategy_reason: z.string(),
  /** Of the counts after it; the first iteration begins with what was run first. */
  scope: z.enum(['affected', 'suite']),
  /** What they do with the fixes that it kept; recordings of former versions have that alone, in the place of the counts above. */
  after: countsSchema.optional(),
});
export type IterationRecord = z.infer<typeof iterationRecordSchema>;
export type IterationCounts = z.infer<typeof countsSchema>;

/** What the tests did when the iteration was over. */
export const afterIteration = (record: IterationRecord): IterationCounts => record.after ?? record;

const cycleFixSchema = fixSchema.extend({
  verdict: verdictSchema,
  /** Unified diff of this fix alone. */
  diff: z.string(),
  /** accepted: mechanical, or the user said so · unreviewed: an oracle fix nobody accepted yet · declined: rejected, propose, or rolled back. */
  state: z.enum(['accepted', 'unreviewed', 'declined']),
});
export type CycleFix = z.infer<typeof cycleFixSchema>;

/** What is known of a failure that nothing mended, for a person or an agent to go on with; secrets are blotted out. */
export const handOverSchema = z.object({
  /** What was recorded while it failed, as source; both sides absent where they have no literal. */
  values: z.array(
    z.object({ matcher: z.string(), expected: z.string().optional(), actual: z.string().optional() }),
  ),
  /** The test as it is written. */
  test: z.object({ file: z.string(), line: z.number().int(), text: z.string() }),
  /** Places of the own code where it failed, innermost first: "src/cart.ts:12". */
  stack: z.array(z.string()),
  /** Changed lines of the sources that reach the test, the likeliest first; cut off where there are many. */
  sourceChanges: z.array(z.object({ file: z.string(), line: z.number().int(), text: z.string() })),
  /** Why fixers proposed nothing, one sentence each. */
  refusals: z.array(z.string()),
  /** What was tried, or is left for a person to choose. */
  candidates: z.array(
    z.object({
      title: z.string(),
      provider: z.string(),
      trust: trustSchema,
      verdict: verdictSchema.shape.verdict,
      /** Why it was not applied. */
      reasons: z.array(z.string()),
      diff: z.string(),
    }),
  ),
});
export type HandOver = z.infer<typeof handOverSchema>;

/** Names of the suites that a test stands in, outermost first; absent at the top of a file. */
const suitesSchema = z.array(z.string()).optional();

export const remainingSchema = z.object({
  id: z.string(),
  file: z.string(),
  /** Of the test. */
  line: z.number().int().optional(),
  suites: suitesSchema,
  title: z.string(),
  severity: severitySchema,
  fault: faultSchema,
  reason: z.string(),
  message: z.string(),
  handOver: handOverSchema.optional(),
});
export type Remaining = z.infer<typeof remainingSchema>;

const cycleStatusSchema = z.enum(['passed', 'needs-attention', 'nothing-to-do']);

/** What the tests run of the sources (CONTRACTS F3). */
export const cycleCoverageSchema = z.object({
  /** Percent, floored to one decimal; 0 where it could not be had, which the note explains. */
  lines: z.number(),
  /** Percent that the layer should reach; a cycle without a layer has none. */
  target: z.number().optional(),
  /** What is missing, and why. */
  note: z.string().optional(),
});
export type CycleCoverage = z.infer<typeof cycleCoverageSchema>;

/** A cycle that was cut off and is gone on with, as it was recorded. */
const formerWorkSchema = z.object({
  /** When it began: ISO 8601, UTC. */
  startedAt: z.string(),
  /** Iterations that it had done; they count toward the limit. */
  iterations: z.number().int(),
  /** Fixes that it had proven, without those that a person turned down. */
  fixes: z.number().int(),
});
export type FormerWork = z.infer<typeof formerWorkSchema>;

export const takenUpSchema = formerWorkSchema.extend({
  /** How many of its fixes were proven again. */
  proven: z.number().int(),
  /** The others. */
  dropped: z.array(z.object({ title: z.string(), reason: z.string() })),
});
export type TakenUpWork = z.infer<typeof takenUpSchema>;

export const cycleReportSchema = z.object({
  /** By which any later process finds it, and its fixes by theirs; absent where it could not be kept. */
  cycleId: z.string().optional(),
  status: cycleStatusSchema,
  /** Only tests of this layer were run: status, rates, totals and what remains speak of them alone. */
  layer: layerSchema.optional(),
  passRate: z.number().nullable(),
  passRateReviewed: z.number().nullable(),
  targetPassRate: z.number(),
  maxIterations: z.number().int(),
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  /** Of a run of its own with all proven fixes in place; no verdict comes from it. */
  coverage: cycleCoverageSchema.optional(),
  /** There where the cycle took up one that was cut off. */
  takenUp: takenUpSchema.optional(),
  iterations: z.array(iterationRecordSchema),
  fixes: z.array(cycleFixSchema),
  remaining: z.array(remainingSchema),
  /** Unified diff of everything verified. */
  patch: z.string(),
  notes: z.array(z.string()),
  durationMs: z.number(),
  /** What it took beside time. */
  spent: z.object({
    /** Of the sandbox and of the original. */
    testProcesses: z.number().int(),
    /** Models and agents that were asked; of agents only how often they were started is known. */
    asked: z.array(
      z.object({
        provider: outsiderSchema,
        requests: z.number().int(),
        inputTokens: z.number().int(),
        outputTokens: z.number().int(),
        /** As the service reports it, in its currency. */
        cost: z.number().optional(),
      }),
    ),
  }),
  ended: z.enum([
    'target',
    'max-iterations',
    'no-progress',
    'stuck',
    'budget',
    'timeout',
    'cancelled',
    'no-tests',
  ]),
});
export type CycleReport = z.infer<typeof cycleReportSchema>;

/** What a cycle does just now, in the order in which it comes to it; from `recording` on again and again. */
export const cyclePhaseSchema = z.enum([
  'looking',
  'copying',
  'first-run',
  'copy-run',
  'recording',
  'asking',
  'comparing',
  'proving',
  'suite',
  'coverage',
]);
export type CyclePhase = z.infer<typeof cyclePhaseSchema>;

const failedTestSchema = z.object({
  id: z.string(),
  file: z.string(),
  line: z.number().int(),
  suites: suitesSchema,
  title: z.string(),
  severity: severitySchema,
  message: z.string(),
});

export const cycleEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('cycleStarted'),
    root: z.string(),
    preset: z.string(),
    /** Only tests of this layer are run. */
    layer: layerSchema.optional(),
    maxIterations: z.number().int(),
    targetPassRate: z.number(),
    /** The cycle that this one goes on with. */
    takenUp: formerWorkSchema.optional(),
  }),
  z.object({
    type: z.literal('progress'),
    text: z.string(),
    /** Absent: a word within the step. */
    phase: cyclePhaseSchema.optional(),
    /** How far the step is, where it can be counted: test files that have ended, fixes that are judged, fixers that have answered. */
    done: z.number().int().optional(),
    total: z.number().int().optional(),
    /** Some of the test files that run just now, relative to the root. */
    running: z.array(z.string()).optional(),
    /** Until the cycle ends, ms, by how long each step of the last cycle of the same scope took; absent where there was none. */
    leftMs: z.number().optional(),
  }),
  /** What the user should know before it happens; the report's notes tell it again. */
  z.object({ type: z.literal('warned'), text: z.string() }),
  /** Fell in the run before any fix, told while it goes on; who is at fault follows with `testsFailing`. */
  z.object({
    type: z.literal('testsFailed'),
    tests: z.array(failedTestSchema),
  }),
  z.object({
    type: z.literal('iterationStarted'),
    iteration: z.number().int(),
    strategy: strategySchema,
    reason: z.string(),
    scope: z.enum(['affected', 'suite']),
  }),
  z.object({
    type: z.literal('testsFailing'),
    iteration: z.number().int(),
    tests: z.array(failedTestSchema.extend({ fault: faultSchema, reason: z.string() })),
  }),
  z.object({ type: z.literal('fixProposed'), iteration: z.number().int(), fix: fixSchema, diff: z.string() }),
  z.object({ type: z.literal('fixJudged'), iteration: z.number().int(), fix: cycleFixSchema }),
  z.object({
    type: z.literal('fixRolledBack'),
    iteration: z.number().int(),
    fixId: z.string(),
    reason: z.string(),
  }),
  z.object({ type: z.literal('iterationEnded'), record: iterationRecordSchema }),
  z.object({ type: z.literal('cycleEnded'), report: cycleReportSchema }),
]);
export type CycleEvent = z.infer<typeof cycleEventSchema>;
