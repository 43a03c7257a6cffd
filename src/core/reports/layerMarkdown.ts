// The results of a session's layer as a block of Markdown (CONTRACTS F10): layer, framework, status, numbers, and what failed.
import { inlineCode } from '../base/codeBlock.ts';
import { withoutSecrets } from '../base/redactSecrets.ts';
import { shownPaths } from '../base/shownPaths.ts';
import { coverageTargets } from '../cycle/coverageAtEnd.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { stillFailing } from '../model/cycleStatus.ts';
import type { TestResult } from '../model/testResult.ts';
import { isCovered, type LayerResults } from '../session/layerResults.ts';
import { cutEnd, plainLine, plural } from './paint.ts';

const mostFailures = 50;
/** Characters. */
const longestLine = 300;

interface LayerOutcome {
  /** The target was reached. */
  readonly isReached: boolean;
  /** Tests of the last run that did not pass. */
  readonly failing: readonly TestResult[];
  readonly maxIterations: number;
}

/** Secrets are blotted out, and no text names the folder of the root. */
export function layerMarkdown(results: LayerResults, outcome: LayerOutcome, root: string): string {
  return withoutSecrets((hide) => written(results, outcome, root, hide), toldBy(outcome.failing, root));
}

function written(
  results: LayerResults,
  { isReached, failing, maxIterations }: LayerOutcome,
  root: string,
  hide: (text: string) => string,
): string {
  const line = (text: string): string =>
    inlineCode(cutEnd(plainLine(hide(shownPaths(text, root))), longestLine));
  const failures = failing
    .slice(0, mostFailures)
    .map(
      ({ title, file, failure, outcome }) =>
        `- ${line(title)} (${line(file)}): ${line(failure?.message ?? outcome)}`,
    );
  if (failing.length > mostFailures) failures.push(`- and ${plural(failing.length - mostFailures, 'more')}`);
  return [
    '## Test Execution Results',
    `### Layer: ${results.layer}`,
    `### Framework: ${results.framework}`,
    `### Status: ${results.all_passed ? 'PASS' : isReached ? `FAIL (target reached, ${stillFailing({ failed: results.tests_failed })})` : 'FAIL'}`,
    '### Results',
    [
      `- Tests passed: ${results.tests_passed}`,
      `- Tests failed: ${results.tests_failed}`,
      `- Pass rate: ${results.pass_rate}%`,
      `- Coverage: ${isCovered(results) ? `${results.coverage}%` : 'could not be counted'}${results.layer === 'all' ? '' : ` (target ${coverageTargets[results.layer]}%)`}`,
      `- Fix iterations: ${results.iterations}/${maxIterations}`,
    ].join('\n'),
    ...(failures.length > 0 ? ['### Failure Details', failures.join('\n')] : []),
    ...(results.notes.length > 0
      ? ['### Notes', results.notes.map((note) => `- ${line(note)}`).join('\n')]
      : []),
  ]
    .join('\n\n')
    .concat('\n');
}
