// A snapshot of each run below `.testmend/history` (CONTRACTS Q6): what reports and plans compare, for people and programs alike.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../base/humanError.ts';
import { leadsOutside } from '../base/paths.ts';
import { historyRuns } from '../model/historyRuns.ts';
import type { RunSummary } from '../model/testResult.ts';
import { toldBy } from '../diagnosis/toldSecrets.ts';
import { reportFolder } from '../reports/fileReporter.ts';
import { jsonReport } from '../reports/jsonReporter.ts';
import type { HistoryRun } from '../reports/testHistory.ts';

const historyRunSchema: z.ZodType<HistoryRun> = z.object({
  runId: z.string(),
  endedAt: z.string(),
  ended: z.enum(['complete', 'timeout', 'cancelled']),
  summary: z.object({
    total: z.number(),
    passed: z.number(),
    failed: z.number(),
    skipped: z.number(),
    flaky_in_run: z.number().exactOptional(),
  }),
  duration: z.number(),
  tests: z.array(
    z.object({
      nodeid: z.string(),
      outcome: z.enum(['passed', 'failed', 'skipped', 'rerun']),
      message: z.string(),
      duration: z.number(),
      call: z.object({ duration: z.number(), longrepr: z.string() }),
      was_flaky_in_run: z.boolean().exactOptional(),
      original_failure_message: z.string().exactOptional(),
    }),
  ),
});

/** A run under its id, with the ids of the tests that both passed and failed. */
interface EndedRun {
  readonly runId: string;
  /** ISO 8601, UTC. */
  readonly endedAt: string;
  readonly summary: RunSummary;
  readonly flaky: readonly string[];
}

interface RunHistory {
  /** In the order in which they ended. */
  readonly runs: readonly HistoryRun[];
  /** Sentences for the user about files that could not be read and were set aside. */
  readonly warnings: readonly string[];
}

const mostBytes = 64_000_000;
/** ms: a draft that old belongs to nobody any more. */
const draftAge = 3_600_000;

const snapshotName = /^\d{8}-\d{6}-\d{6}\.json$/;
const tornEnd = '.torn';
const draftEnd = '.partial';

/** Did somebody ask for reports in this root before? Nothing is written there unasked. */
export const hasReports = (root: string): boolean => existsSync(path.join(root, '.testmend'));

/**
 * Adds the run, unless it has no tests, and keeps the newest `keep` with it. Complete or not at all, and beside whatever other processes add. Rejects where it cannot be written,
 * or a link leads out of the root.
 */
export async function addToHistory(
  root: string,
  run: EndedRun,
  keep: number = historyRuns.usual,
): Promise<void> {
  const { runId, endedAt, summary, flaky } = run;
  if (summary.total === 0) return;
  await reportFolder(root);
  const folder = folderOf(root);
  await mkdir(folder, { recursive: true });
  refuseLink(root);
  const report = jsonReport(summary, new Set(flaky), toldBy(summary.tests, root));
  const entry: HistoryRun = { runId, endedAt, ended: summary.ended, ...report };
  const draft = path.join(folder, `${randomUUID()}${draftEnd}`);
  try {
    await writeFile(draft, JSON.stringify(entry));
    await place(draft, folder);
  } finally {
    await rm(draft, { force: true });
  }
  await forgetOldest(folder, keep);
}

/** The newest `limit` runs. A file that is none is renamed to `*.torn`, and a warning names it. */
export async function readHistory(root: string, limit: number = historyRuns.most): Promise<RunHistory> {
  const folder = folderOf(root);
  const names = await readdir(folder).catch(() => []);
  if (names.length > 0) refuseLink(root);
  const runs: HistoryRun[] = [];
  const warnings: string[] = [];
  for (const name of names
    .filter((one) => snapshotName.test(one))
    .toSorted()
    .reverse()) {
    if (runs.length >= limit) break;
    const file = path.join(folder, name);
    const text = await readFile(file, 'utf8').catch(() => undefined);
    // Another process has just removed the oldest.
    if (text === undefined) continue;
    const run = parsed(text);
    if (run !== undefined) {
      runs.push(run);
      continue;
    }
    await rename(file, file + tornEnd).catch(() => undefined);
    warnings.push(
      `The snapshot ${name} of the history cannot be read and was set aside as ${name}${tornEnd}.`,
    );
  }
  return { runs: runs.reverse(), warnings };
}

const folderOf = (root: string): string => path.join(root, '.testmend', 'history');

function refuseLink(root: string): void {
  if (!leadsOutside(root, '.testmend/history')) return;
  throw new HumanError('usage', 'The folder .testmend/history is a link that leads out of the root.', {
    file: folderOf(root),
    remedy: 'Remove the link: Testmend makes the folder itself.',
  });
}

/** Under the name of this moment, or the next one that is free: nothing is replaced. */
async function place(draft: string, folder: string): Promise<void> {
  const now = Math.floor((performance.timeOrigin + performance.now()) * 1_000);
  for (let micros = now; ; micros++) {
    const file = path.join(folder, nameOf(micros));
    try {
      await link(draft, file);
      return;
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EEXIST') continue;
      // A disk without links.
      await rename(draft, file);
      return;
    }
  }
}

function nameOf(micros: number): string {
  const [date = '', time = ''] = new Date(Math.floor(micros / 1_000)).toISOString().split('T');
  const fraction = String(micros % 1_000_000).padStart(6, '0');
  return `${date.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${fraction}.json`;
}

async function forgetOldest(folder: string, keep: number): Promise<void> {
  let [entries, bytes] = [0, 0];
  for (const name of (await readdir(folder)).toSorted().reverse()) {
    const file = path.join(folder, name);
    const stats = await stat(file).catch(() => undefined);
    if (stats === undefined) continue;
    const isDraft = name.endsWith(draftEnd);
    if (!isDraft && !snapshotName.test(name.replace(tornEnd, ''))) continue;
    if (!isDraft) {
      entries += 1;
      bytes += stats.size;
    }
    const isOver = isDraft
      ? Date.now() - stats.mtimeMs > draftAge
      : entries > keep || (bytes > mostBytes && entries > 1);
    if (isOver) await rm(file, { force: true });
  }
}

function parsed(text: string): HistoryRun | undefined {
  try {
    return historyRunSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
