// A workspace with stored snapshots, its cycles, and what their patches make of it.
import assert from 'node:assert/strict';
import path from 'node:path';
import { runFixCycle } from '../../../../src/core/cycle/fixCycle.ts';
import type { CycleRequest } from '../../../../src/core/cycle/cycleRequest.ts';
import { testFileRule } from '../../../../src/core/cycle/testFileRule.ts';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { frameworkOf } from '../../../../src/core/frameworks/registry.ts';
import type { CycleEvent, CycleFix, CycleReport } from '../../../../src/core/model/cycle.ts';
import type { TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

/** The source of a component that renders to text. */
export const button = {
  before: 'export const button = (text: string) => `<button class="btn">\\n  ${text}\\n</button>`;\n',
  after: 'export const button = (text: string) => `<button class="button">\\n  ${text}\\n</button>`;\n',
};

/** A stored file of vitest with these entries, in this order. */
export const stored = (entries: Readonly<Record<string, string>>): string =>
  `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n${Object.entries(entries)
    .map(([name, value]) => `\nexports[\`${name}\`] = \`${value}\`;\n`)
    .join('')}`;

export interface CycleOutcome {
  readonly report: CycleReport;
  /** Fixes with their title, by the title of the first test that they are for. */
  readonly fixes: ReadonlyMap<string, CycleFix>;
  /** Why the remaining tests have no fix, by title. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Runs a cycle and holds that it changed nothing in the workspace. */
export async function cycleOver(
  workspace: TemporaryWorkspace,
  more: Partial<CycleRequest> = {},
): Promise<CycleOutcome> {
  const { root } = workspace;
  const { projects } = await detectProjects(root);
  const testFiles: string[] = [];
  for (const project of projects)
    for (const { file } of await frameworkOf(project).listTestFiles(project)) testFiles.push(file);
  const before = workspace.git('status', '--short', '-uall') + workspace.git('diff');
  const cycle = runFixCycle({
    workspace: {
      root,
      limits: { timeoutMs: 60_000, skillTimeoutMs: 30_000, maxParallel: 2 },
      frameworks: [],
      cacheFolder: path.join(root, '../cache'),
    },
    projects,
    frameworks: (framework) => frameworkOf({ framework }),
    isTestFile: await testFileRule({ root, testFiles }),
    sandboxFolder: path.join(root, '../sandboxes'),
    assume: 'ask',
    preset: 'tester',
    strategy: 'auto',
    maxIterations: 10,
    targetPassRate: 100,
    accept: async () => 'accept',
    ...more,
  });
  const events: CycleEvent[] = [];
  let step = await cycle.next();
  for (; step.done !== true; step = await cycle.next()) events.push(step.value);
  const after = workspace.git('status', '--short', '-uall') + workspace.git('diff');
  assert.equal(after, before, 'the cycle changed the workspace');
  const report = step.value;
  const titleOf = (id: string): string => id.split(/#|›/).at(-1)?.trim() ?? '';
  return {
    report,
    fixes: new Map(report.fixes.map((fix) => [titleOf(fix.failures[0] ?? ''), fix])),
    reasons: new Map(report.remaining.map(({ id, reason }) => [titleOf(id), reason])),
  };
}
