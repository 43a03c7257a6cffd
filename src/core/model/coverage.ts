// What the tests ran of the sources: statements, functions and branches with their places and counts, and sums of them.

/** First line and column, last line and column behind it; 1-based. `lineEnd` as a column is the end of the line. */
export type Span = readonly [line: number, column: number, endLine: number, endColumn: number];

export const lineEnd = 2 ** 30;

export interface Counted {
  readonly span: Span;
  /** How often it ran. */
  readonly count: number;
}

export interface CountedStatement extends Counted {
  /** It stands for so many statements (a block of Go); absent means one. */
  readonly weight?: number;
}

export interface CountedFunction extends Counted {
  /** Empty when it has none. */
  readonly name: string;
}

/** A place where the code divides. */
export interface CountedBranch {
  readonly span: Span;
  readonly arms: readonly Counted[];
}

export interface FileCoverage {
  /** Relative to the root, POSIX separators. */
  readonly file: string;
  readonly statements: readonly CountedStatement[];
  readonly functions: readonly CountedFunction[];
  readonly branches: readonly CountedBranch[];
}

export interface Share {
  readonly covered: number;
  readonly total: number;
}

export interface CoverageTotals {
  readonly lines: Share;
  readonly statements: Share;
  readonly branches: Share;
  readonly functions: Share;
}

/** Of a run: every source that the frameworks told of, in the order of their names. */
export interface RunCoverage {
  readonly files: readonly FileCoverage[];
  readonly totals: CoverageTotals;
  /** What single tests ran, by their ids; absent where the frameworks do not tell. */
  readonly byTest?: CoverageByTest;
  /** What is missing, and why, as sentences. */
  readonly notes?: readonly string[];
}

export type CoverageByTest = ReadonlyMap<string, readonly FileCoverage[]>;

/** Lines on which a statement starts, each with the highest count among these; what spans lines as a block counts for all of them. */
export function lineCounts({ statements }: Pick<FileCoverage, 'statements'>): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  for (const { span, count, weight } of statements) {
    const last = weight === undefined ? span[0] : span[2];
    for (let line = span[0]; line <= last; line++) lines.set(line, Math.max(lines.get(line) ?? 0, count));
  }
  return lines;
}

export function totalsOfFile(file: FileCoverage): CoverageTotals {
  const statements = { covered: 0, total: 0 };
  for (const { count, weight = 1 } of file.statements) {
    statements.total += weight;
    if (count > 0) statements.covered += weight;
  }
  const isRun = (count: number): boolean => count > 0;
  return {
    lines: shareOf([...lineCounts(file).values()], isRun),
    statements,
    branches: shareOf(
      file.branches.flatMap(({ arms }) => arms),
      ({ count }) => isRun(count),
    ),
    functions: shareOf(file.functions, ({ count }) => isRun(count)),
  };
}

export function sumTotals(all: readonly CoverageTotals[]): CoverageTotals {
  const sum = (name: keyof CoverageTotals): Share => ({
    covered: all.reduce((total, one) => total + one[name].covered, 0),
    total: all.reduce((total, one) => total + one[name].total, 0),
  });
  return {
    lines: sum('lines'),
    statements: sum('statements'),
    branches: sum('branches'),
    functions: sum('functions'),
  };
}

/** Lines by the folder of their file, in the order of the folders' names; `.` is the root. */
export function linesByFolder(files: readonly FileCoverage[]): { folder: string; lines: Share }[] {
  const folders = new Map<string, { covered: number; total: number }>();
  for (const file of files) {
    const folder = file.file.includes('/') ? file.file.slice(0, file.file.lastIndexOf('/')) : '.';
    const sum = folders.get(folder) ?? { covered: 0, total: 0 };
    const { covered, total } = totalsOfFile(file).lines;
    folders.set(folder, { covered: sum.covered + covered, total: sum.total + total });
  }
  return [...folders]
    .map(([folder, lines]) => ({ folder, lines }))
    .sort((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** In percent, floored to one decimal, so that 99.96 is not shown as 100; null when there is nothing to cover. */
export function percentOf({ covered, total }: Share): number | null {
  return total === 0 ? null : Math.floor((covered * 1000) / total + 1e-9) / 10;
}

function shareOf<T>(items: readonly T[], isCovered: (item: T) => boolean): Share {
  return {
    covered: items.reduce((sum, item) => sum + (isCovered(item) ? 1 : 0), 0),
    total: items.length,
  };
}
