// What a fix cycle is told as: each fix with its handle and what it needs, and what is left, with who is at fault.
import { z } from 'zod';
import { agreementFor } from '../core/engine/applyFixes.ts';
import { cycleOutcome } from '../core/model/cycleOutcome.ts';
import type { CycleFix, CycleReport, Remaining } from '../core/model/cycle.ts';
import { faultOfFix } from '../core/reports/fixFault.ts';
import { verdictKindSchema } from './argumentSchemas.ts';
import { cut } from './pages.ts';

const mostFixes = 30;
const mostRemaining = 20;

const needs = {
  none: 'nothing',
  expectation: 'a person, or accept_expectation',
  person: 'a person',
} as const;

export const fixAnswerSchema = z.object({
  fixId: z.string().describe('Handle for apply_fix, in any later process.'),
  title: z.string(),
  trust: z.enum(['mechanical', 'oracle', 'propose']),
  verdict: z.enum(['verified', 'rejected', 'unverifiable']),
  kind: verdictKindSchema,
  reason: z.string().optional().describe('Why it is not verified.'),
  needs: z
    .enum([needs.none, needs.expectation, needs.person])
    .optional()
    .describe('Whose agreement it needs.'),
  tests: z.array(z.string()),
  files: z.array(z.string()),
  expectation: z.object({ old: z.string(), new: z.string() }).optional(),
  cause: z.object({ fault: z.string(), reason: z.string() }),
  diff: z.string(),
});

const remainingAnswerSchema = z.object({
  id: z.string(),
  severity: z.string(),
  fault: z.enum(['test', 'source', 'environment', 'flaky', 'unknown']),
  reason: z.string(),
  message: z.string(),
});

const countsSchema = z.object({
  total: z.number().int(),
  passed: z.number().int(),
  failed: z.number().int(),
  passRate: z.number().nullable(),
});

/** What the tests do in the workspace, once something was written. */
export const onDiskSchema = countsSchema.extend({ status: z.string() });

export const cycleAnswerSchema = z.object({
  cycleId: z.string().optional(),
  status: z
    .enum(['passed', 'needs-attention', 'nothing-to-do'])
    .describe('Of the sandbox, with all verified fixes.'),
  outcome: z.string(),
  inCopy: countsSchema
    .extend({
      passRateReviewed: z.number().nullable().describe('Without expectations that nobody accepted.'),
    })
    .describe('What the tests do in the copy with all verified fixes; what is on disk may still fail.'),
  targetPassRate: z.number(),
  iterations: z.array(z.string()).describe('Strategy and pass rate of each.'),
  maxIterations: z.number().int(),
  fixes: z.array(fixAnswerSchema),
  remaining: z.array(remainingAnswerSchema),
  moreRemaining: z.number().int().optional(),
  warning: z.string().optional(),
  notes: z.array(z.string()),
  ended: z.string(),
});
type CycleAnswer = z.infer<typeof cycleAnswerSchema>;

export function cycleAnswer(report: CycleReport): CycleAnswer {
  const { cycleId, status, passRate, passRateReviewed, targetPassRate, maxIterations } = report;
  const { iterations, total, passed, failed, fixes, remaining, notes, ended } = report;
  const critical = remaining.filter(({ severity }) => severity === 'critical').length;
  return {
    ...(cycleId !== undefined && { cycleId }),
    status,
    outcome: cycleOutcome(report),
    inCopy: { total, passed, failed, passRate, passRateReviewed },
    targetPassRate,
    iterations: iterations.map(
      ({ iteration, strategy, strategy_reason: reason, pass_rate: rate, passed: good, total: all }) =>
        `${iteration}: ${strategy} (${reason}), began at ${good} of ${all}${rate === null ? '' : ` = ${rate} %`}`,
    ),
    maxIterations,
    fixes: fixes.slice(0, mostFixes).map((fix) => fixAnswer(fix, remaining)),
    remaining: remaining.slice(0, mostRemaining).map(({ id, severity, fault, reason, message }) => ({
      id,
      severity,
      fault,
      reason,
      message: cut(message, 500),
    })),
    ...(remaining.length > mostRemaining && { moreRemaining: remaining.length - mostRemaining }),
    ...(critical > 0 && { warning: `${critical} critical: look at these first.` }),
    notes: notes.slice(0, 10),
    ended,
  };
}

export function onDisk({
  status,
  total,
  passed,
  failed,
  passRate,
}: CycleReport): z.infer<typeof onDiskSchema> {
  return { status, total, passed, failed, passRate };
}

export function fixAnswer(fix: CycleFix, remaining: readonly Remaining[]): z.infer<typeof fixAnswerSchema> {
  const { id, title, trust, verdict, failures, edits, expectation, diff } = fix;
  const { fault, reason } = faultOfFix(fix, remaining);
  return {
    fixId: id,
    title,
    trust,
    verdict: verdict.verdict,
    ...(verdict.kind !== undefined && { kind: verdict.kind }),
    ...(verdict.reason !== undefined && { reason: verdict.reason }),
    ...(verdict.verdict === 'verified' && { needs: needs[agreementFor(fix)] }),
    tests: [...failures],
    files: [...new Set(edits.map(({ file }) => file))],
    ...(expectation && { expectation: { old: cut(expectation.old), new: cut(expectation.new) } }),
    cause: { fault, reason },
    diff: cut(diff, 4_000),
  };
}
