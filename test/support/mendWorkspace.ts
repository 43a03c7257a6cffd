// Runs a whole fix cycle on a temporary workspace and tells the files as its patch leaves them.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { runFixCycle } from '../../src/core/cycle/fixCycle.ts';
import type { CycleRequest } from '../../src/core/cycle/cycleRequest.ts';
import { testFileRule } from '../../src/core/cycle/testFileRule.ts';
import { detectProjects } from '../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../src/core/frameworks/registry.ts';
import type { CycleEvent, CycleReport } from '../../src/core/model/cycle.ts';
import type { TemporaryWorkspace } from './temporaryWorkspace.ts';

/** Of a cycle over everything, which keeps its caches and copies in `folder`. */
export async function cycleRequest(
  { root }: TemporaryWorkspace,
  folder: string,
  more: Partial<CycleRequest> = {},
): Promise<CycleRequest> {
  const { projects } = await detectProjects(root);
  const testFiles: string[] = [];
  for (const project of projects)
    for (const { file } of await frameworkOf(project).listTestFiles(project)) testFiles.push(file);
  return {
    workspace: {
      root,
      limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
      frameworks: [],
      cacheFolder: path.join(folder, 'cache'),
    },
    projects,
    frameworks: (framework) => frameworkOf({ framework }),
    isTestFile: await testFileRule({ root, testFiles }),
    sandboxFolder: path.join(folder, 'copies'),
    assume: 'ask',
    preset: 'tester',
    strategy: 'auto',
    maxIterations: 10,
    targetPassRate: 95,
    ...more,
  };
}

/** The report of a cycle over everything; the workspace itself stays as it is. */
export async function mendWorkspace(
  workspace: TemporaryWorkspace,
  more: Partial<CycleRequest> = {},
  onEvent?: (event: CycleEvent) => void,
): Promise<CycleReport> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-mend-'));
  try {
    const cycle = runFixCycle(await cycleRequest(workspace, folder, { targetPassRate: 100, ...more }));
    for (;;) {
      const step = await cycle.next();
      if (step.done === true) return step.value;
      onEvent?.(step.value);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
