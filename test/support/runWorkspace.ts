// Runs the tests of a temporary workspace as a host would, and draws what came of it.
import os from 'node:os';
import path from 'node:path';
import { detectProjects } from '../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../src/core/frameworks/registry.ts';
import type { RunLimits } from '../../src/core/model/settings.ts';
import type { RunEvent, RunSummary, TestResult } from '../../src/core/model/testResult.ts';
import { runTests, type RunRequest } from '../../src/core/run/runTests.ts';

export interface RunOptions extends Partial<
  Pick<RunRequest, 'selection' | 'signal' | 'onEvent' | 'env' | 'coverage' | 'projects' | 'start'>
> {
  readonly limits?: Partial<RunLimits>;
}

export async function runWorkspace(
  root: string,
  { limits, selection = {}, onEvent, projects: given, ...rest }: RunOptions = {},
): Promise<{ readonly summary: RunSummary; readonly events: readonly RunEvent[] }> {
  const events: RunEvent[] = [];
  const projects = given ?? (await detectProjects(root)).projects;
  const summary = await runTests({
    workspace: {
      root,
      limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2, ...limits },
      frameworks: [],
      cacheFolder: path.join(os.tmpdir(), 'testmend-test-cache'),
    },
    projects,
    selection,
    frameworks: (framework) => frameworkOf({ framework }),
    onEvent: (event) => {
      events.push(event);
      onEvent?.(event);
    },
    ...rest,
  });
  return { summary, events };
}

/** One line a test, as `outcome id`, for readable assertions. */
export function drawn(tests: readonly TestResult[]): readonly string[] {
  return tests.map(({ outcome, id }) => `${outcome} ${id}`);
}

/** The result with this id. */
export function resultOf(summary: RunSummary, id: string): TestResult {
  const found = summary.tests.find((test) => test.id === id);
  if (!found) throw new Error(`no result for ${id} among ${summary.tests.map((test) => test.id).join(', ')}`);
  return found;
}
