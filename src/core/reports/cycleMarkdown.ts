// The final report of a fix cycle as Markdown (CONTRACTS T13), for a pull request or a file.
import { block, inlineCode } from '../base/codeBlock.ts';
import { withoutSecrets } from '../base/redactSecrets.ts';
import { shownPaths } from '../base/shownPaths.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { alikeFailures } from '../model/alikeFailures.ts';
import type { CycleFix, CycleReport } from '../model/cycle.ts';
import { coverageText, layerText } from '../model/cycleScopeText.ts';
import { statusName } from '../model/cycleStatus.ts';
import { goesOnText } from '../model/resumedText.ts';
import { fullName } from '../model/testName.ts';
import { isProven, standingOf, type CycleOutcome } from './cycleOutcome.ts';
import { countedText, otherRate } from './cycleRates.ts';
import { cutEnd, percent, plainLine, plainText, plural } from './paint.ts';

/** Characters; a reader wants the point, and services cut long pages. */
const limits = { line: 300, diff: 3_000 };
const mostFixes = 100;

/** Ends with a line end. What tests and values say ends no block; secrets are blotted out, and files are named relative to `root`. */
export function cycleMarkdown(outcome: Pick<CycleOutcome, 'report' | 'applied'>, root: string): string {
  return withoutSecrets((hide) => written(outcome, root, hide), toldBy(outcome.report, root));
}

function written(
  outcome: Pick<CycleOutcome, 'report' | 'applied'>,
  root: string,
  hide: (text: string) => string,
): string {
  const { report } = outcome;
  const told = (text: string): string => plainText(hide(shownPaths(text, root)));
  const line = (text: string): string => inlineCode(cutEnd(plainLine(told(text)), limits.line));
  const verified = report.fixes.filter(isProven);
  const isCritical = report.remaining.some(({ severity }) => severity === 'critical');
  return [
    `# Testmend: ${statusName(report)}`,
    totals(report, line),
    ...(isCritical ? ['**A critical failure remains: do not ship this as it is.**'] : []),
    ...titled(
      '## Iterations',
      report.iterations.map(
        ({ iteration, strategy, pass_rate, strategy_reason, after }) =>
          `- ${iteration}: ${strategy}, ${after ? `${percent(pass_rate)} → ${percent(after.pass_rate)}` : percent(pass_rate)}. ${line(strategy_reason)}`,
      ),
    ),
    ...titled(
      '## Fixes',
      verified.slice(0, mostFixes).map((fix) => fixLines(fix, standingOf(fix, outcome), line, told)),
    ),
    ...(verified.length > mostFixes
      ? [`And ${plural(verified.length - mostFixes, 'more fix', 'more fixes')}.`]
      : []),
    ...titled(
      '## Remaining failures',
      alikeFailures(report.remaining).map(([first, ...alike]) => {
        const more =
          alike.length > 0 ? ` and ${plural(alike.length, 'more test')} that fail in the same way` : '';
        return `- ${line(fullName(first))}${more} (${line(first.file)}, ${first.severity}, fault: ${first.fault}): ${line(first.reason)}`;
      }),
    ),
    ...titled(
      '## Notes',
      report.notes.map((note) => `- ${line(note)}`),
    ),
  ]
    .join('\n\n')
    .concat('\n');
}

function totals(report: CycleReport, line: (text: string) => string): string {
  const { targetPassRate, iterations, maxIterations, spent, coverage } = report;
  const other = otherRate(report);
  const asked = spent.asked.map(({ provider: author, requests, inputTokens, outputTokens, cost }) => {
    const price = cost === undefined ? '' : `, cost ${cost.toPrecision(3)}`;
    return author === 'agent'
      ? `, an agent started ${plural(requests, 'time')}`
      : `, a model asked ${plural(requests, 'time')} (${inputTokens + outputTokens} tokens${price})`;
  });
  return [
    `- ${countedText(report)}${other === undefined ? '' : ` (${other})`}, target ${targetPassRate} %`,
    ...(report.layer === undefined ? [] : [`- ${layerText(report)}`]),
    ...(report.takenUp === undefined ? [] : [`- ${goesOnText(report.takenUp)}`]),
    `- ${iterations.at(-1)?.iteration ?? 0} of ${plural(maxIterations, 'iteration')}, ended: ${report.ended}`,
    `- ${(report.durationMs / 1000).toFixed(1)} s, ${plural(spent.testProcesses, 'test process', 'test processes')}${asked.join('')}`,
    ...(coverage === undefined
      ? []
      : [`- ${coverageText(report)}${coverage.note === undefined ? '' : `. ${line(coverage.note)}`}`]),
  ].join('\n');
}

function fixLines(
  fix: CycleFix,
  state: string,
  line: (text: string) => string,
  told: (text: string) => string,
): string {
  const head = `- ${line(fix.title)} (${fix.trust}, ${state}, ${plural(fix.verdict.runs, 'run')})`;
  const diff = block(cutEnd(told(fix.diff).trimEnd(), limits.diff), 'diff');
  return `${head}\n\n${diff}`;
}

const titled = (heading: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [heading, lines.join(heading === '## Fixes' ? '\n\n' : '\n')];
