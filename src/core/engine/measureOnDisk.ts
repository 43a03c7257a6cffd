// Runs tests as they are on disk after a fix cycle, with coverage: what a session reports.
import type { CycleReport } from '../model/cycle.ts';
import type { RunSummary } from '../model/testResult.ts';
import { runTests, type RunRequest } from '../run/runTests.ts';
import { whileReading } from '../sandbox/readWorkspace.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';

interface DiskMeasure {
  readonly report: Pick<CycleReport, 'remaining' | 'fixes'>;
  readonly opened: OpenedWorkspace;
  /** Absolute test files; all when absent. */
  readonly files: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly onNote: (note: string) => void;
}

/** Some tests fail only while lines are counted: that is no verdict on them, and they run again without. */
export function measureOnDisk({ report, opened, files, signal, onNote }: DiskMeasure): Promise<RunSummary> {
  const { workspace, projects, frameworks } = opened;
  const selection = files === undefined ? {} : { files };
  const request = { workspace, projects, frameworks, selection, signal };
  return whileReading(workspace.root, onNote, () => measure(request, report));
}

async function measure(
  request: RunRequest,
  { remaining, fixes }: DiskMeasure['report'],
): Promise<RunSummary> {
  const counted = await runTests({ ...request, coverage: {} });
  const known = new Set([...remaining.map(({ id }) => id), ...fixes.flatMap(({ failures }) => failures)]);
  const failing = counted.tests.filter(({ outcome }) => outcome === 'failed' || outcome === 'errored');
  if (failing.every(({ id }) => known.has(id)) || counted.ended !== 'complete') return counted;
  const plain = await runTests(request);
  return { ...plain, ...(counted.coverage && { coverage: counted.coverage }) };
}
