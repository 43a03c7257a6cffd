// Joins what several processes, projects or runs tell about the same sources.
import {
  lineCounts,
  sumTotals,
  totalsOfFile,
  type Counted,
  type FileCoverage,
  type RunCoverage,
  type Span,
} from '../model/coverage.ts';

/** One entry a file, in the order of their names, with the counts added. */
export function mergeCoverage(reports: readonly (readonly FileCoverage[])[]): RunCoverage {
  const files = new Map<string, FileCoverage>();
  for (const file of reports.flat()) {
    const known = files.get(file.file);
    files.set(file.file, known ? mergeFile(known, file) : file);
  }
  const sorted = [...files.values()].sort((a, b) => (a.file < b.file ? -1 : 1));
  return { files: sorted, totals: sumTotals(sorted.map(totalsOfFile)) };
}

/**
 * The places of the one with more statements, and the counts of both. Two tools divide the same source differently: what has no
 * counterpart at its place is given the count of its line, so that nothing is counted twice.
 */
function mergeFile(a: FileCoverage, b: FileCoverage): FileCoverage {
  const [base, other] = a.statements.length >= b.statements.length ? [a, b] : [b, a];
  const lines = lineCounts(other);
  const adding = <T extends Counted>(others: readonly T[]): ((item: T) => T) => {
    const counts = new Map(others.map((item) => [keyOf(item.span), item.count]));
    return (item) => ({
      ...item,
      count: item.count + (counts.get(keyOf(item.span)) ?? lines.get(item.span[0]) ?? 0),
    });
  };
  const branches = new Map(other.branches.map((branch) => [keyOf(branch.span), branch.arms]));
  return {
    file: base.file,
    statements: base.statements.map(adding(other.statements)),
    functions: base.functions.map(adding(other.functions)),
    branches: base.branches.map(({ span, arms }) => {
      const others = branches.get(keyOf(span));
      // By their order: an `else` that is not written has the place of its `if`.
      if (others?.length !== arms.length) return { span, arms };
      return {
        span,
        arms: arms.map((arm, index) => ({ ...arm, count: arm.count + (others[index]?.count ?? 0) })),
      };
    }),
  };
}

const keyOf = (span: Span): string => span.join(':');
