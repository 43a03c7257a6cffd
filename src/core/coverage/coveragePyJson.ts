// Reads the JSON report of coverage.py (6 and newer): lines that ran or did not, and the jumps between them.
import {
  lineEnd,
  type CountedBranch,
  type CountedFunction,
  type FileCoverage,
  type Span,
} from '../model/coverage.ts';

/** Coverage by file as the report names it; coverage.py knows whether a line ran, not how often. Throws for what is no such report. */
export function readCoveragePyJson(text: string): readonly FileCoverage[] {
  const report: unknown = JSON.parse(text);
  const files = isRecord(report) ? report['files'] : undefined;
  if (!isRecord(files)) throw new Error('it holds no coverage by file');
  return Object.entries(files).flatMap(([file, data]) => (isRecord(data) ? [readFile(file, data)] : []));
}

function readFile(file: string, data: Readonly<Record<string, unknown>>): FileCoverage {
  const counted = (key: string, count: number) =>
    numbersIn(data[key]).map((line) => ({ span: wholeLine(line), count }));
  return {
    file,
    statements: [...counted('executed_lines', 1), ...counted('missing_lines', 0)].sort(
      (a, b) => a.span[0] - b.span[0],
    ),
    functions: functionsIn(data['functions']),
    branches: branchesIn(data),
  };
}

/** Told since coverage.py 7.6, with their places since 7.11. The one without a name is the module. */
function functionsIn(functions: unknown): readonly CountedFunction[] {
  return Object.entries(isRecord(functions) ? functions : {}).flatMap(([name, data]): CountedFunction[] => {
    if (name === '' || !isRecord(data)) return [];
    const ran = numbersIn(data['executed_lines']);
    const [first] = [...ran, ...numbersIn(data['missing_lines'])].sort((a, b) => a - b);
    const line = typeof data['start_line'] === 'number' ? data['start_line'] : first;
    return line === undefined ? [] : [{ name, span: wholeLine(line), count: ran.length > 0 ? 1 : 0 }];
  });
}

/** Jumps from one line to others; a negative target is the end of the function. */
function branchesIn(data: Readonly<Record<string, unknown>>): readonly CountedBranch[] {
  const jumps = new Map<number, (readonly [to: number, count: number])[]>();
  for (const [key, count] of [
    ['executed_branches', 1],
    ['missing_branches', 0],
  ] as const) {
    const found: unknown = data[key];
    for (const jump of Array.isArray(found) ? found : []) {
      const [from, to] = numbersIn(jump);
      if (from === undefined || to === undefined || from < 1) continue;
      jumps.set(from, [...(jumps.get(from) ?? []), [to, count]]);
    }
  }
  return [...jumps]
    .sort(([a], [b]) => a - b)
    .map(([from, targets]) => ({
      span: wholeLine(from),
      arms: targets
        .sort(([a], [b]) => a - b)
        .map(([to, count]) => ({ span: wholeLine(to > 0 ? to : from), count })),
    }));
}

const wholeLine = (line: number): Span => [line, 1, line, lineEnd];

function numbersIn(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item): item is number => typeof item === 'number') : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
