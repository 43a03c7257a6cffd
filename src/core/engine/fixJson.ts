// The document of `testmend fix --json`, exactly as INTERFACES has it.
import { shownPaths } from '../base/shownPaths.ts';
import { tellable } from '../diagnosis/toldSecrets.ts';
import { faultOfFix } from '../reports/fixFault.ts';
import type { CycleFix, CycleReport } from '../model/cycle.ts';
import type { FixJson } from './documentSchemas.ts';

type ReportedParts = Pick<
  CycleReport,
  | 'cycleId'
  | 'status'
  | 'layer'
  | 'coverage'
  | 'takenUp'
  | 'passRate'
  | 'passRateReviewed'
  | 'iterations'
  | 'fixes'
  | 'remaining'
  | 'spent'
  | 'patch'
  | 'notes'
  | 'ended'
>;

/** Notes and the pack of a failure name no folder of this machine, with paths relative to `root`; only edits and the patch may hold a secret. */
export function fixJson(report: ReportedParts, root: string): FixJson {
  const { cycleId, status, layer, coverage, takenUp, passRate, passRateReviewed, iterations } = report;
  const { fixes, remaining, spent, patch, notes, ended } = report;
  const document: FixJson = {
    status,
    ...(cycleId !== undefined && { cycleId }),
    ...(layer !== undefined && { layer }),
    passRate,
    passRateReviewed,
    ...(coverage !== undefined && { coverage }),
    ...(takenUp !== undefined && { takenUp }),
    iterations,
    fixes: fixes.map((fix) => oneFix(fix, remaining)),
    remaining: remaining.map(({ id, severity, fault, reason, message, handOver }) => ({
      id,
      severity,
      fault,
      reason,
      ...(handOver !== undefined && {
        handOver: portable({ message, ...handOver }, root),
      }),
    })),
    spent,
    patch,
    notes: notes.map((note) => shownPaths(note, root)),
    ended,
  };
  return tellable(document, root, report);
}

function portable<T extends object>(pack: T, root: string): T {
  return JSON.parse(JSON.stringify(pack), (_key, value: unknown) =>
    typeof value === 'string' ? shownPaths(value, root) : value,
  );
}

function oneFix(fix: CycleFix, remaining: CycleReport['remaining']): FixJson['fixes'][number] {
  const { id, title, grade, trust, provider, verdict, confidence, failures, edits, evidence } = fix;
  return {
    id,
    title,
    grade,
    trust,
    provider,
    verdict: verdict.verdict,
    ...(verdict.kind && { kind: verdict.kind }),
    ...(verdict.reason === undefined ? {} : { reason: verdict.reason }),
    runs: verdict.runs,
    scope: verdict.scope,
    confidence,
    files: [...new Set(edits.map(({ file }) => file))],
    failures,
    edits,
    evidence,
    cause: faultOfFix(fix, remaining),
    ...(fix.parts !== undefined && {
      parts: fix.parts.map((part) => ({
        title: part.title,
        trust: part.trust,
        provider: part.provider,
        failures: part.failures,
        edits: part.edits,
        evidence: part.evidence,
      })),
    }),
    ...(fix.removesTests === true && { removesTests: true }),
    ...(fix.otherSide !== undefined && { otherSide: fix.otherSide }),
  };
}
