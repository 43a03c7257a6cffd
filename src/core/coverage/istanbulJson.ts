// Reads `coverage-final.json`, which jest, vitest, nyc and c8 write alike.
import {
  lineEnd,
  type CountedBranch,
  type CountedStatement,
  type FileCoverage,
  type Span,
} from '../model/coverage.ts';

/** Coverage by file as the report names it (absolute); throws when the text is no such report. */
export function readIstanbulJson(text: string): readonly FileCoverage[] {
  const report: unknown = JSON.parse(text);
  if (!isRecord(report)) throw new Error('it holds no coverage by file');
  return Object.entries(report).flatMap(([name, data]) => {
    // Some writers wrap each file in `data`.
    const file = isRecord(data) && isRecord(data['data']) ? data['data'] : data;
    return isRecord(file) && isRecord(file['statementMap']) ? [readFile(name, file)] : [];
  });
}

function readFile(name: string, file: Readonly<Record<string, unknown>>): FileCoverage {
  const { path, statementMap, fnMap, branchMap, s, f, b } = file;
  return {
    file: typeof path === 'string' ? path : name,
    statements: entries(statementMap).flatMap(([key, place]): CountedStatement[] => {
      const span = spanOf(place);
      return span ? [{ span, count: countAt(s, key) }] : [];
    }),
    functions: entries(fnMap).flatMap(([key, fn]) => {
      const { name: title, decl, loc } = isRecord(fn) ? fn : {};
      const span = spanOf(decl) ?? spanOf(loc);
      const named = typeof title === 'string' && !title.startsWith('(anonymous_') ? title : '';
      return span ? [{ name: named, span, count: countAt(f, key) }] : [];
    }),
    branches: entries(branchMap).flatMap(([key, branch]): CountedBranch[] => {
      const { loc, locations, line } = isRecord(branch) ? branch : {};
      const places = Array.isArray(locations) ? locations : [];
      const whole = spanOf(loc) ?? places.map(spanOf).find((span) => span !== undefined) ?? wholeLine(line);
      if (!whole) return [];
      const counts = isRecord(b) ? b[key] : undefined;
      // An `else` that is not written has no place of its own.
      const arms = places.map((place, index) => ({
        span: spanOf(place) ?? whole,
        count: countAt(counts, index),
      }));
      return [{ span: whole, arms }];
    }),
  };
}

/** Lines from 1 and columns from 0, as babel has them; ends may be missing or infinite (null in JSON). */
function spanOf(place: unknown): Span | undefined {
  if (!isRecord(place) || !isRecord(place['start'])) return undefined;
  const { line, column } = place['start'];
  if (typeof line !== 'number' || line < 1) return undefined;
  const end = isRecord(place['end']) ? place['end'] : {};
  const endLine = typeof end['line'] === 'number' ? Math.max(end['line'], line) : line;
  const endColumn = typeof end['column'] === 'number' ? end['column'] + 1 : lineEnd;
  return [line, (typeof column === 'number' ? Math.max(column, 0) : 0) + 1, endLine, endColumn];
}

function wholeLine(line: unknown): Span | undefined {
  return typeof line === 'number' && line > 0 ? [line, 1, line, lineEnd] : undefined;
}

function entries(map: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(map) ? Object.entries(map) : [];
}

function countAt(counts: unknown, key: string | number): number {
  const found: unknown = Array.isArray(counts)
    ? counts[Number(key)]
    : isRecord(counts)
      ? counts[key]
      : undefined;
  return typeof found === 'number' && found > 0 ? found : 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
