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
    tests: summary.tests.map(
      ({ id, file, line, title, suites, outcome, durationMs, counts, failure, healed }) => ({
        id,
        file,
        line,
        title,
        suites,
        outcome,
        durationMs,
        ...(counts ? { counts } : {}),
        ...(failure ? { failure } : {}),
        ...(healed ? { healed } : {}),
      }),
    ),
  };
}
