// What a fix cycle says of the layer it was limited to and of the lines that the tests run, alike wherever it is told.
import type { CycleReport } from './cycle.ts';

/** "3 of 5 tests of L1 pass". */
export function passingText({
  passed,
  failed,
  layer,
}: Pick<CycleReport, 'passed' | 'failed' | 'layer'>): string {
  const total = passed + failed;
  const of = layer === undefined ? '' : ` of ${layer}`;
  return `${passed} of ${total} ${total === 1 ? 'test' : 'tests'}${of} pass`;
}

/** "Line coverage 57.1 %, below the target of L1: 80 %"; undefined where nobody asked. */
export function coverageText({
  coverage,
  layer,
}: Pick<CycleReport, 'coverage' | 'layer'>): string | undefined {
  if (coverage === undefined) return undefined;
  const { lines, target } = coverage;
  const goal =
    target === undefined ? '' : `, ${lines < target ? 'below the ' : ''}target of ${layer}: ${target} %`;
  return `Line coverage ${lines.toFixed(1)} %${goal}`;
}

/** A share of lines below its target is told, and is no failure. */
export function isBelowTarget({ coverage }: Pick<CycleReport, 'coverage'>): boolean {
  return coverage?.target !== undefined && coverage.lines < coverage.target;
}

/** Undefined where the cycle ran everything. */
export function layerText({ layer }: Pick<CycleReport, 'layer'>): string | undefined {
  return layer && `Scope: layer ${layer} only. The tests of other layers were not run.`;
}
