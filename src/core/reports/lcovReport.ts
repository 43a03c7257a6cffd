// `lcov.info`, which coverage services and editors read.
import { lineCounts, totalsOfFile, type FileCoverage } from '../model/coverage.ts';

/** Names of files are relative to the root of the workspace. */
export function lcovInfo(files: readonly FileCoverage[]): string {
  return files.map(record).join('');
}

function record(file: FileCoverage): string {
  const { lines, functions, branches } = totalsOfFile(file);
  const named = file.functions.map(({ name, span, count }) => {
    const title = name === '' ? `(anonymous_${span[0]}_${span[1]})` : name.replaceAll(/[\r\n,]/g, ' ');
    return { title, line: span[0], count };
  });
  const arms = file.branches.flatMap((branch, block) =>
    branch.arms.map(({ count }, arm) => `BRDA:${branch.span[0]},${block},${arm},${count}`),
  );
  return [
    'TN:',
    `SF:${file.file}`,
    ...named.map(({ title, line }) => `FN:${line},${title}`),
    `FNF:${functions.total}`,
    `FNH:${functions.covered}`,
    ...named.map(({ title, count }) => `FNDA:${count},${title}`),
    ...[...lineCounts(file)].sort(([a], [b]) => a - b).map(([line, count]) => `DA:${line},${count}`),
    `LF:${lines.total}`,
    `LH:${lines.covered}`,
    ...arms,
    `BRF:${branches.total}`,
    `BRH:${branches.covered}`,
    'end_of_record',
    '',
  ].join('\n');
}
