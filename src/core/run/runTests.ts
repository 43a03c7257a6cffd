// Runs the selected tests of a workspace and tells what became of each of them.
import type { TestFramework, FrameworkProject, Selection } from '../frameworks/framework.ts';
import type { Workspace } from '../model/settings.ts';
import type { FrameworkId, TestFile } from '../model/testNode.ts';
import type { RunEvent, RunSummary } from '../model/testResult.ts';

export interface RunRequest {
  readonly workspace: Workspace;
  readonly projects: readonly FrameworkProject[];
  readonly selection: Selection;
  readonly frameworks: (id: FrameworkId) => TestFramework;
  /** Statically found tests of an absolute file, for the ids; when absent the framework's own `scan` is used. */
  readonly discoverFile?: (
    file: string,
    framework: FrameworkId,
    project: string | undefined,
  ) => Promise<TestFile>;
  readonly onEvent?: (event: RunEvent) => void;
  readonly signal?: AbortSignal;
  /** Added to the environment of every process started. */
  readonly env?: Readonly<Record<string, string>>;
}

export async function runTests(request: RunRequest): Promise<RunSummary> {
  throw new Error(`not yet: ${request.projects.length}`);
}
