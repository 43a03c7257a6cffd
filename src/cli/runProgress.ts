// The live line of a run: how many tests ended so far, and the file that spoke last.
import type { RunReporter } from '../core/reports/reporter.ts';
import type { LiveLine } from './liveLine.ts';

/** `prefix` is shown first, for instance which of several runs it is. */
export function runProgress(live: LiveLine, prefix = ''): RunReporter {
  const ended = { passed: 0, failed: 0 };
  let file = '';
  const text = (): string => {
    const failed = ended.failed ? ` · ${ended.failed} failed` : '';
    return `${prefix}${ended.passed} passed${failed}${file && ` · ${file}`}`;
  };
  return {
    name: 'progress',
    onEvent(event) {
      if (event.type === 'fileStarted' || event.type === 'testStarted') file = event.file;
      else if (event.type === 'testEnded') {
        if (event.result.outcome === 'passed') ended.passed++;
        else if (event.result.outcome !== 'skipped') ended.failed++;
        file = event.result.file;
      } else return;
      live.show(text);
    },
  };
}
