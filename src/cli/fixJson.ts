// The document of `testmend fix --json`, exactly as INTERFACES has it.
import type { CycleFix, CycleReport } from '../core/model/cycle.ts';

export function fixJson(report: CycleReport): object {
  const { status, passRate, passRateReviewed, iterations, fixes, remaining, patch } = report;
  return {
    status,
    passRate,
    passRateReviewed,
    iterations,
    fixes: fixes.map(oneFix),
    remaining: remaining.map(({ id, severity, fault, reason }) => ({ id, severity, fault, reason })),
    patch,
  };
}

function oneFix(fix: CycleFix): object {
  const { id, title, grade, trust, provider, verdict, confidence, failures, edits, evidence } = fix;
  return {
    id,
    title,
    grade,
    trust,
    provider,
    verdict: verdict.verdict,
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    runs: verdict.runs,
    scope: verdict.scope,
    confidence,
    files: [...new Set(edits.map(({ file }) => file))],
    failures,
    edits,
    evidence,
  };
}
