// The coverage of a run on a terminal: the sums, and the files of which most is missing with the lines that no test ran.
import {
  lineCounts,
  percentOf,
  totalsOfFile,
  type FileCoverage,
  type RunCoverage,
  type Share,
} from '../model/coverage.ts';
import { plainLine, plural, shorten, type Paint } from './paint.ts';

/** So many files are shown. */
const maximumFiles = 10;

/** Starts with the sums; files that are covered in full are only counted. */
export function coverageTable(
  { files, totals }: RunCoverage,
  { paint, width }: { readonly paint: Paint; readonly width: number },
): string {
  const sums = (['lines', 'statements', 'branches', 'functions'] as const)
    .filter((name) => totals[name].total > 0)
    .map((name) => `${name} ${coloured(totals[name], paint)}`);
  const rows = files
    .map((file) => ({ file, lines: totalsOfFile(file).lines }))
    .filter(({ lines }) => lines.covered < lines.total)
    .sort((a, b) => (percentOf(a.lines) ?? 0) - (percentOf(b.lines) ?? 0) || b.lines.total - a.lines.total);
  const shown = rows.slice(0, maximumFiles);
  const names = shown.map(({ file }) => shorten(plainLine(file.file), Math.max(20, Math.floor(width / 2))));
  const column = Math.max(0, ...names.map((name) => name.length));
  const lines = shown.map(({ file, lines: share }, index) => {
    const missing = shorten(missingLines(file), Math.max(12, width - column - 16));
    return `  ${(names[index] ?? '').padEnd(column)}  ${coloured(share, paint, 7)}  ${paint.dim(missing)}`;
  });
  const rest = [
    ...(rows.length > shown.length
      ? [`${plural(rows.length - shown.length, 'more file')} with lines that no test ran`]
      : []),
    ...(files.length > rows.length
      ? [`${plural(files.length - rows.length, 'file')} with every line covered`]
      : []),
  ];
  return [
    `${paint.bold('Coverage')}  ${sums.join(paint.dim(' · '))}`,
    ...lines,
    ...(rest.length > 0 ? [`  ${paint.dim(rest.join(' · '))}`] : []),
  ].join('\n');
}

/** Lines that no test ran, neighbours drawn together: `3, 7-12`. Lines between two of them on which nothing starts belong to them. */
function missingLines(file: FileCoverage): string {
  const ranges: [number, number][] = [];
  let last: [number, number] | undefined;
  for (const [line, count] of [...lineCounts(file)].sort(([a], [b]) => a - b)) {
    if (count > 0) last = undefined;
    else if (last) last[1] = line;
    else ranges.push((last = [line, line]));
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ');
}

function coloured(share: Share, paint: Paint, width = 0): string {
  const percent = percentOf(share) ?? 0;
  const text = `${percent} %`.padStart(width);
  return percent >= 80 ? paint.green(text) : percent >= 50 ? paint.yellow(text) : paint.red(text);
}
