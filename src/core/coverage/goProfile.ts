// Reads the profile that `go test -coverprofile` writes: blocks of statements with their places and counts.
import type { CountedStatement, FileCoverage } from '../model/coverage.ts';

/**
 * Coverage by file as `fileOf` names it by the path that Go imports it by; undefined leaves it out. Each block stands for its
 * statements; what several test binaries tell of one block is added up. Go tells no branches and no functions.
 */
export function readGoProfile(
  text: string,
  fileOf: (importPath: string) => string | undefined,
): readonly FileCoverage[] {
  const files = new Map<string, Map<string, CountedStatement>>();
  for (const [, name = '', place = '', ...numbers] of text.matchAll(blockLine)) {
    const file = fileOf(name);
    if (file === undefined) continue;
    const [line = 0, column = 0, endLine = 0, endColumn = 0, weight = 0, count = 0] = numbers.map(Number);
    if (weight === 0) continue;
    const blocks = files.get(file) ?? new Map<string, CountedStatement>();
    files.set(file, blocks);
    const known = blocks.get(place)?.count ?? 0;
    blocks.set(place, { span: [line, column, endLine, endColumn], count: known + count, weight });
  }
  return [...files].map(([file, blocks]) => ({
    file,
    statements: [...blocks.values()].sort((a, b) => a.span[0] - b.span[0] || a.span[1] - b.span[1]),
    functions: [],
    branches: [],
  }));
}

const blockLine = /^(.+):((\d+)\.(\d+),(\d+)\.(\d+)) (\d+) (\d+)$/gm;
