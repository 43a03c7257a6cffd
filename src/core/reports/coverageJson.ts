// The coverage of a run as the command line's JSON has it: sums, and the same for each file (INTERFACES, CONTRACTS F3).
import {
  percentOf,
  totalsOfFile,
  type CoverageTotals,
  type RunCoverage,
  type Share,
} from '../model/coverage.ts';

interface ShareJson extends Share {
  /** Floored to one decimal; null when there is nothing to cover. */
  readonly percent: number | null;
}

type TotalsJson = { readonly [Name in keyof CoverageTotals]: ShareJson };

export type CoverageJson = TotalsJson & {
  readonly files: readonly ({ readonly file: string } & TotalsJson)[];
};

/** Line coverage is 0 when nothing was told of any source (F3); the notes of the run say why. */
export function coverageJson({ files, totals }: RunCoverage): CoverageJson {
  const sums = totalsJson(totals);
  return {
    ...sums,
    lines: { ...sums.lines, percent: sums.lines.percent ?? 0 },
    files: files.map((file) => ({ file: file.file, ...totalsJson(totalsOfFile(file)) })),
  };
}

function totalsJson({ lines, statements, branches, functions }: CoverageTotals): TotalsJson {
  const withPercent = (share: Share): ShareJson => ({ ...share, percent: percentOf(share) });
  return {
    lines: withPercent(lines),
    statements: withPercent(statements),
    branches: withPercent(branches),
    functions: withPercent(functions),
  };
}
