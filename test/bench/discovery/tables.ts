// The figures of compared projects as the table of docs/benchmarks.md, and each test behind them with its reason.
import { figuresOf, type Comparison } from './compare.ts';

export interface Row {
  readonly project: string;
  readonly commit: string;
  readonly framework: string;
  readonly comparison: Comparison;
}

export function figureTable(rows: readonly Row[]): string {
  return [
    '| project | runner | tests | written out | found | made by templates | templates | shown | recall | ours | precision | lines |',
    '|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|',
    ...rows.map(({ project, commit, framework, comparison }) => {
      const { tests, ours, knowable, found, places, placesShown, recall, precision, lines } =
        figuresOf(comparison);
      const made = tests - knowable;
      const cells = [
        `${project} ${commit}`,
        framework,
        tests,
        knowable,
        found,
        made === 0 ? 0 : `${made} (${percent(made / tests)})`,
        places,
        placesShown,
        percent(recall),
        ours,
        percent(precision),
        percent(lines),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

/** Floored to one decimal: what is not whole never reads 100 %. */
function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${Math.floor(share * 1000 + 1e-9) / 10} %`;
}

/** Each test that is missing, extra, at another line or made, with its place and the reason why it counts so. */
export function missList({ project, comparison }: Row): string {
  const { verdicts, extra, leftOut } = comparison;
  const lines: string[] = [];
  const tell = (
    kind: string,
    file: string,
    line: number | undefined,
    names: readonly string[],
    why = '',
  ): void =>
    void lines.push(
      `${project}  ${kind}  ${file}:${line ?? '?'}  ${names.join(' › ')}${why && `  (${why})`}`,
    );
  for (const { test, shown, byName, unknowable } of verdicts) {
    const { file, line, names } = test;
    if (unknowable !== undefined)
      tell(shown ? 'made, shown' : 'made, not shown', file, line, names, unknowable.why);
    else if (!byName) tell('missing', file, line, names, shown ? 'only its template is shown' : '');
    if ((byName || test.template !== undefined) && shown && line !== undefined && shown.line !== line)
      tell('other line', file, line, names, `ours is ${shown.line}`);
  }
  for (const { file, line, names, isTemplate } of extra)
    tell('extra', file, line, names, isTemplate ? 'a template without a case' : '');
  for (const { file, why } of leftOut) tell('left out', file, undefined, [], why.replaceAll('\n', ' '));
  return lines.join('\n');
}
