// `get_runner_info` (CONTRACTS Q9): the roots of this server, and what runs their tests.
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import { toRelativePosix } from '../../core/base/paths.ts';
import { lastRun } from '../../core/engine/runStore.ts';
import { openAt, workspaceAt, type McpSettings } from '../allowedRoots.ts';
import { tool } from '../tool.ts';

const rootSchema = z.object({
  root: z.string(),
  frameworks: z.array(
    z.object({
      id: z.string(),
      root: z.string(),
      version: z.string().optional(),
    }),
  ),
  testFiles: z.number().int(),
  timeoutSeconds: z.number(),
  notes: z.array(z.string()),
  lastRunId: z.string().optional(),
});

export const runnerInfo = tool({
  name: 'get_runner_info',
  title: 'Runner info',
  about: 'The roots of this server, their test frameworks with versions, and what keeps tests from running.',
  onlyLists: true,
  readOnly: true,
  idempotent: true,
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    trusted: z.boolean(),
    roots: z.array(rootSchema),
  }),
  run: async (_input, { settings, signal }) => ({
    version: settings.version,
    trusted: settings.trusted,
    roots: await Promise.all(settings.roots.map(({ root }) => infoOf(root, settings, signal))),
  }),
});

async function infoOf(
  root: string,
  settings: McpSettings,
  signal: AbortSignal,
): Promise<z.infer<typeof rootSchema>> {
  const run = await lastRun(root);
  const { timeoutMs } = workspaceAt(root, settings).limits;
  const known = { timeoutSeconds: timeoutMs / 1_000, ...(run && { lastRunId: run.runId }) };
  try {
    const { projects, testFiles, notes } = await openAt(root, settings, signal);
    const frameworks = projects.map(({ framework, root: place, version }) => ({
      id: framework,
      root: toRelativePosix(root, path.resolve(place)) || '.',
      ...(version !== undefined && { version }),
    }));
    return { root, frameworks, testFiles: testFiles.length, notes: [...notes], ...known };
  } catch (error) {
    if (!(error instanceof HumanError) || signal.aborted) throw error;
    return {
      root,
      frameworks: [],
      testFiles: 0,
      notes: [`${error.message} ${error.details.remedy}`],
      ...known,
    };
  }
}
