// The JSON documents of `run`, `discover`, `fix` and `verify`, to the letter (INTERFACES, CLI): more or fewer fields are a mistake.
import { z } from 'zod';
import type { DiscoverJson } from '../frameworks/discoverJson.ts';
import { fileEditSchema } from '../model/edit.ts';
import {
  cycleCoverageSchema,
  cycleReportSchema,
  handOverSchema,
  iterationRecordSchema,
  takenUpSchema,
} from '../model/cycle.ts';
import { faultSchema, gradeSchema, trustSchema, verdictSchema, violationSchema } from '../model/fix.ts';
import { layerSchema } from '../model/settings.ts';
import { failureSchema, healedStepSchema, outcomeSchema, severitySchema } from '../model/testResult.ts';
import type { CoverageJson } from '../reports/coverageJson.ts';

// Only readers load this file: what writes a document is checked by the type of its schema, so that no start waits for a parser.

/** What a schema gives, as its writers have it. */
type Written<T> = T extends readonly (infer Item)[]
  ? readonly Written<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Written<T[Key]> }
    : T;

export const errorDocument = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string().min(1),
    file: z.string().optional(),
    value: z.string().optional(),
    remedy: z.string().min(1),
  }),
});

export type ErrorJson = Written<z.infer<typeof errorDocument>>['error'];

const shareSchema = z.strictObject({
  covered: z.number(),
  total: z.number(),
  percent: z.number().nullable(),
});
const totalsSchema = z.strictObject({
  lines: shareSchema,
  statements: shareSchema,
  branches: shareSchema,
  functions: shareSchema,
});
const coverageSchema = totalsSchema.extend({
  files: z.array(totalsSchema.extend({ file: z.string() })),
}) satisfies z.ZodType<CoverageJson>;

export const runDocument = z.strictObject({
  total: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  errored: z.number(),
  passRate: z.number().nullable(),
  durationMs: z.number(),
  notes: z.array(z.string()),
  coverage: coverageSchema.optional(),
  tests: z.array(
    z.strictObject({
      id: z.string(),
      file: z.string(),
      line: z.number().int().positive(),
      title: z.string(),
      suites: z.array(z.string()),
      outcome: outcomeSchema,
      durationMs: z.number(),
      counts: z.strictObject({ passed: z.number(), failed: z.number() }).optional(),
      failure: failureSchema.strict().optional(),
      healed: z.array(healedStepSchema.strict()).optional(),
      quarantined: z.literal(true).optional(),
    }),
  ),
});

export type RunJson = Written<z.infer<typeof runDocument>>;

const problemSchema = z.strictObject({
  message: z.string(),
  file: z.exactOptional(z.string()),
  remedy: z.string(),
});

export const discoverDocument = z.strictObject({
  root: z.string(),
  frameworks: z.array(
    z.strictObject({
      id: z.string(),
      root: z.string(),
      version: z.exactOptional(z.string()),
      project: z.exactOptional(z.string()),
    }),
  ),
  files: z.array(
    z.strictObject({
      file: z.string(),
      framework: z.string(),
      project: z.exactOptional(z.string()),
      tests: z.array(
        z.strictObject({
          id: z.string(),
          title: z.string(),
          suites: z.array(z.string()),
          line: z.number().int().positive(),
          kind: z.enum(['test', 'template']),
        }),
      ),
      warnings: z.exactOptional(z.array(z.string())),
    }),
  ),
  totals: z.strictObject({ files: z.number().int(), tests: z.number().int() }),
  durationMs: z.number(),
  notes: z.array(z.string()),
  problems: z.array(problemSchema),
}) satisfies z.ZodType<DiscoverJson>;

export const fixDocument = z.strictObject({
  cycleId: z.string().optional(),
  status: cycleReportSchema.shape.status,
  layer: layerSchema.optional(),
  passRate: z.number().nullable(),
  passRateReviewed: z.number().nullable(),
  coverage: cycleCoverageSchema.strict().optional(),
  takenUp: takenUpSchema.strict().optional(),
  iterations: z.array(iterationRecordSchema),
  fixes: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      grade: gradeSchema,
      trust: trustSchema,
      provider: z.string(),
      verdict: verdictSchema.shape.verdict,
      kind: verdictSchema.shape.kind,
      reason: z.string().optional(),
      runs: z.number().int(),
      scope: verdictSchema.shape.scope,
      confidence: z.number(),
      files: z.array(z.string()),
      failures: z.array(z.string()),
      edits: z.array(fileEditSchema),
      evidence: z.array(z.string()),
      cause: z.strictObject({ fault: faultSchema, reason: z.string() }),
      parts: z
        .array(
          z.strictObject({
            title: z.string(),
            trust: trustSchema,
            provider: z.string(),
            failures: z.array(z.string()),
            edits: z.array(fileEditSchema),
            evidence: z.array(z.string()),
          }),
        )
        .optional(),
      removesTests: z.literal(true).optional(),
      otherSide: z.string().optional(),
    }),
  ),
  remaining: z.array(
    z.strictObject({
      id: z.string(),
      severity: severitySchema,
      fault: faultSchema,
      reason: z.string(),
      handOver: handOverSchema.extend({ message: z.string() }).strict().optional(),
    }),
  ),
  spent: cycleReportSchema.shape.spent,
  patch: z.string(),
  notes: z.array(z.string()),
  ended: cycleReportSchema.shape.ended,
});

export type FixJson = Written<z.infer<typeof fixDocument>>;

export const verifyDocument = z.strictObject({
  verdict: verdictSchema.shape.verdict,
  /** Of a patch that is not verified; absent where its tests fail. */
  kind: verdictSchema.shape.kind,
  reason: z.string().optional(),
  violations: z.array(violationSchema.strict()),
  expectations: z.array(
    z.strictObject({ file: z.string(), line: z.number().int(), old: z.string(), new: z.string() }),
  ),
  /** All that the patch changes, piece by piece. */
  changes: z.array(
    z.strictObject({
      kind: z.enum([
        'expectation',
        'input',
        'double',
        'name',
        'await',
        'title',
        'import',
        'test',
        'removed',
        'other',
      ]),
      file: z.string(),
      line: z.number().int(),
      old: z.string(),
      new: z.string(),
    }),
  ),
  runs: z.number().int(),
  scope: verdictSchema.shape.scope,
  tests: z.array(
    z.strictObject({
      id: z.string(),
      file: z.string(),
      title: z.string(),
      /** Absent: the patch adds the test. */
      before: outcomeSchema.optional(),
      /** Absent: the test is gone. */
      after: outcomeSchema.optional(),
    }),
  ),
  /** Of a patch that passes everything else: do its tests notice the planted bugs that they noticed before? */
  strength: z
    .strictObject({
      answer: z.enum(['kept', 'weaker', 'cannot tell']),
      noticed: z.number().int(),
      still: z.number().int(),
      reason: z.string().optional(),
      lost: z.array(
        z.strictObject({
          file: z.string(),
          line: z.number().int(),
          kind: z.string(),
          from: z.string(),
          to: z.string(),
          by: z.strictObject({ file: z.string(), line: z.number().int(), names: z.array(z.string()) }),
        }),
      ),
    })
    .optional(),
});
export type VerifyJson = Written<z.infer<typeof verifyDocument>>;
