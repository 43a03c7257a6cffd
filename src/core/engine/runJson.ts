// The document of `testmend run --json`, exactly as INTERFACES has it.
import { coverageJson } from '../reports/coverageJson.ts';
import type { RunSummary } from '../model/testResult.ts';
import type { RunJson } from './documentSchemas.ts';

export function runJson(summary: RunSummary): RunJson {
  const { total, passed, failed, skipped, errored, passRate, durationMs, notes } = summary;
  return {
    total,
    passed,
    failed,
    skipped,
    errored,
    passRate,
    durationMs: Math.round(durationMs),
    notes,
    ...(summary.coverage && { coverage: coverageJson(summary.coverage) }),
    tests: summary.tests.map((test) => ({
      id: test.id,
      file: test.file,
      line: test.line,
      title: test.title,
      suites: test.suites,
      outcome: test.outcome,
      durationMs: test.durationMs,
      ...(test.counts ? { counts: test.counts } : {}),
      ...(test.failure ? { failure: test.failure } : {}),
      ...(test.healed ? { healed: test.healed } : {}),
      ...(test.quarantined ? { quarantined: test.quarantined } : {}),
    })),
  };
}
