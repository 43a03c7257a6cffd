// The documents of --json, to the letter (INTERFACES, CLI): more or fewer fields are a mistake.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { fileEditSchema } from '../../src/core/model/edit.ts';
import {
  cycleCoverageSchema,
  cycleReportSchema,
  handOverSchema,
  iterationRecordSchema,
  takenUpSchema,
} from '../../src/core/model/cycle.ts';
import { faultSchema, gradeSchema, trustSchema } from '../../src/core/model/fix.ts';
import { failureSchema, outcomeSchema, severitySchema } from '../../src/core/model/testResult.ts';
import type { CliResult } from '../support/testmendCli.ts';

export const errorDocument = z.strictObject({
  error: z.strictObject({
    code: z.string(),
    message: z.string().min(1),
    file: z.string().optional(),
    value: z.string().optional(),
    remedy: z.string().min(1),
  }),
});

export const runDocument = z.strictObject({
  total: z.number(),
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  errored: z.number(),
  passRate: z.number().nullable(),
  durationMs: z.number(),
  notes: z.array(z.string()),
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
    }),
  ),
});

export const fixDocument = z.strictObject({
  status: z.enum(['passed', 'needs-attention', 'nothing-to-do']),
  layer: z.enum(['L1', 'L2', 'L3']).optional(),
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
      verdict: z.enum(['verified', 'rejected', 'unverifiable']),
      reason: z.string().optional(),
      runs: z.number().int(),
      scope: z.enum(['test', 'file', 'affected', 'suite']),
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

export const verifyDocument = z.strictObject({
  verdict: z.enum(['verified', 'rejected', 'unverifiable']),
  reason: z.string().optional(),
  violations: z.array(
    z.strictObject({ rule: z.string(), file: z.string(), line: z.number().int(), text: z.string() }),
  ),
  expectations: z.array(
    z.strictObject({ file: z.string(), line: z.number().int(), old: z.string(), new: z.string() }),
  ),
  runs: z.number().int(),
  scope: z.enum(['test', 'file', 'affected', 'suite']),
  tests: z.array(z.object({ id: z.string(), file: z.string(), title: z.string() })),
});

/** The one document on stdout, parsed; what else the process said is in the message when it does not fit. */
export function documentOf<T>(schema: z.ZodType<T>, result: CliResult): T {
  let data: unknown;
  try {
    data = JSON.parse(result.stdout);
  } catch {
    assert.fail(
      `stdout is not one JSON document:\n${result.stdout.slice(0, 2000)}\n${result.stderr.slice(-2000)}`,
    );
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  return assert.fail(
    `${z.prettifyError(parsed.error)}\n${result.stdout.slice(0, 2000)}\n${result.stderr.slice(-2000)}`,
  );
}
