// Pass rate and duration over the runs of the history.
import uPlot from 'uplot';
import { wirePassRate } from '../../core/model/summarize.ts';
import type { ReportedRun } from '../../core/model/runReport.ts';
import { element } from '../dom.ts';
import { atTime } from './figures.ts';

interface Charts {
  readonly element: HTMLElement;
  /** To be called once the element is in the page, whose width and colours it takes. */
  draw(): void;
}

interface Curve {
  readonly title: string;
  readonly unit: string;
  readonly values: readonly (number | null)[];
  /** Custom property that holds its colour. */
  readonly colour: string;
  readonly range: readonly [number, number | null];
}

const height = 180;

/** Undefined where there is nothing to compare. */
export function historyCharts(runs: readonly ReportedRun[]): Charts | undefined {
  if (runs.length < 2) return undefined;
  const curves: Curve[] = [
    {
      title: 'Pass rate',
      unit: '%',
      values: runs.map(({ passed, failed }) => wirePassRate({ passed, failed, errored: 0 })),
      colour: '--vscode-testing-iconPassed',
      range: [0, 100],
    },
    {
      title: 'Duration',
      unit: 's',
      values: runs.map(({ duration }) => duration),
      colour: '--vscode-charts-blue',
      range: [0, null],
    },
  ];
  const holders = curves.map(({ title, unit, values }) =>
    element('div', {
      class: 'chart',
      attributes: {
        role: 'img',
        'aria-label': `${title} of the last ${values.length} runs, in ${unit}: ${spoken(values)}`,
      },
    }),
  );
  const section = element(
    'section',
    { class: 'history', attributes: { 'aria-labelledby': 'heading-history' } },
    element('h2', { id: 'heading-history' }, `The last ${runs.length} runs`),
    element('div', { class: 'charts' }, ...holders),
  );
  let drawn: uPlot[] = [];
  const draw = (): void => {
    for (const chart of drawn) chart.destroy();
    drawn = curves.flatMap((curve, at) => {
      const holder = holders[at];
      return holder === undefined ? [] : [chartOf(curve, runs, holder)];
    });
  };
  window.addEventListener('resize', draw);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
  return { element: section, draw };
}

const spoken = (values: readonly (number | null)[]): string =>
  values.map((value) => (value === null ? 'none' : String(Math.round(value * 100) / 100))).join(', ');

function chartOf(curve: Curve, runs: readonly ReportedRun[], holder: HTMLElement): uPlot {
  const style = getComputedStyle(document.documentElement);
  const colourOf = (name: string): string => style.getPropertyValue(name).trim();
  const axis = { stroke: colourOf('--vscode-foreground'), grid: { stroke: colourOf('--grid'), width: 1 } };
  const [from, to] = curve.range;
  return new uPlot(
    {
      width: holder.clientWidth,
      height,
      title: `${curve.title}, ${curve.unit}`,
      cursor: { drag: { x: false, y: false } },
      scales: {
        x: { time: false },
        y: { range: (_chart, _low, high) => [from, to ?? Math.max(high * 1.1, 0.1)] },
      },
      axes: [
        { ...axis, incrs: [1, 2, 5, 10, 20, 50] },
        { ...axis, size: 56 },
      ],
      series: [
        {
          label: 'Run',
          value: (_chart, at: number | null) => (at === null ? '' : atTime(runs[at - 1]?.endedAt ?? '')),
        },
        {
          label: curve.title,
          value: (_chart, value: number | null) => (value === null ? '' : `${value} ${curve.unit}`),
          stroke: colourOf(curve.colour),
          width: 2,
          points: { show: runs.length <= 30 },
        },
      ],
    },
    [runs.map((_run, at) => at + 1), [...curve.values]],
    holder,
  );
}
