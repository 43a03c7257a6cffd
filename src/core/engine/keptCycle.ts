// What the last fix cycle of a root proved, kept between starts, so that any process can apply its fixes.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { cycleReportSchema } from '../model/cycle.ts';
import type { Workspace } from '../model/settings.ts';
import { testResultSchema } from '../model/testResult.ts';

const keptCycleSchema = z.object({
  root: z.string(),
  report: cycleReportSchema,
  /** What the tests did as the workspace was. */
  before: z.array(testResultSchema),
});
export type KeptCycle = Readonly<Pick<z.infer<typeof keptCycleSchema>, 'report'>> & {
  readonly before: readonly z.infer<typeof testResultSchema>[];
};

/** Raise it when the content of the file changes its meaning. */
const version = 1;

/** Replaces what an earlier cycle left; only the user can read it. */
export async function keepCycle(workspace: Workspace, { report, before }: KeptCycle): Promise<void> {
  const file = fileOf(workspace);
  const draft = `${file}.${randomUUID()}`;
  await mkdir(path.dirname(file), { recursive: true });
  try {
    await writeFile(draft, JSON.stringify({ root: workspace.root, report, before }), { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Undefined where no cycle ended in this root, or what is kept cannot be read. */
export async function keptCycle(workspace: Workspace): Promise<KeptCycle | undefined> {
  const text = await readFile(fileOf(workspace), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const kept = keptCycleSchema.parse(JSON.parse(text));
    return kept.root === workspace.root ? kept : undefined;
  } catch {
    return undefined;
  }
}

const fileOf = ({ root, cacheFolder }: Workspace): string =>
  path.join(cacheFolder, `cycle-${hashText(root).slice(0, 12)}-${version}.json`);
