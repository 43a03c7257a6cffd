// The answer of `discover --json` as text, kept from an earlier start for as long as every test file is as it was.
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import type { Workspace } from '../model/settings.ts';
import { discoverListed, listTestFiles, type TestListing } from './discover.ts';
import { filesJson, listingJson, type DiscoverJson } from './discoverJson.ts';
import { frameworkOf } from './registry.ts';
import { scanVersion, writeEntries } from './scanCache.ts';

export interface DiscoverAnswer {
  /** The document, in pieces to be written one after the other. */
  readonly pieces: readonly (string | Uint8Array)[];
  readonly totals: DiscoverJson['totals'];
}

/** What is kept: a line with the stamp of the listing, a line with numbers, the files as JSON. */
interface Kept {
  readonly totals: DiscoverJson['totals'];
  readonly files: string | Uint8Array;
}

/**
 * Which files are tests is found anew each time, by configurations and paths; the tests in them are told as they were while frameworks,
 * names, sizes and times of all files are the same. Throws what listTestFiles throws.
 */
export async function discoverAnswer(
  workspace: Workspace,
  notes: (listing: TestListing) => Promise<readonly string[]>,
  signal?: AbortSignal,
): Promise<DiscoverAnswer> {
  const started = performance.now();
  const listing = await listTestFiles(workspace, signal);
  const file = path.join(
    workspace.cacheFolder,
    `answer-${hashText(workspace.root).slice(0, 12)}-${scanVersion}.txt`,
  );
  const stamp = stampOf(listing);
  const { totals, files } = readKept(file, stamp) ?? (await discoverAnew());
  const { root, frameworks, problems, notes: found } = listingJson(listing);
  const durationMs = Math.round(performance.now() - started);
  const head = JSON.stringify({ root, frameworks }).slice(0, -1);
  const tail = JSON.stringify({ durationMs, notes: [...found, ...(await notes(listing))], problems }).slice(
    1,
  );
  return {
    pieces: [`${head},"files":`, files, `,"totals":${JSON.stringify(totals)},${tail}\n`],
    totals,
  };

  async function discoverAnew(): Promise<Kept> {
    const { files: found, isSettled } = await discoverListed(listing, workspace, {}, signal);
    const { totals, files } = filesJson(listing.root, found);
    const text = JSON.stringify(files);
    // Discovery reads the files after the stamp was taken: what changed meanwhile has another stamp at the next start.
    if (isSettled)
      await writeEntries(
        file,
        `${stamp}\n${totals.files} ${totals.tests} ${Buffer.byteLength(text)}\n${text}`,
      );
    return { totals, files: text };
  }
}

function stampOf({ files }: TestListing): string {
  const stamp = createHash('sha1');
  for (const listed of files) {
    const { file, absolute, framework, project = '' } = listed;
    const stats = statSync(absolute, { throwIfNoEntry: false });
    const title = frameworkOf(listed).fileTitle?.(absolute) ?? '';
    stamp.update([framework, project, file, stats?.size, stats?.mtimeMs, title, ''].join('\0'));
  }
  return stamp.digest('hex');
}

function readKept(file: string, stamp: string): Kept | undefined {
  try {
    const bytes = readFileSync(file);
    const first = bytes.indexOf('\n');
    const second = bytes.indexOf('\n', first + 1);
    const counts = /^(\d+) (\d+) (\d+)$/.exec(bytes.toString('latin1', first + 1, second));
    if (bytes.toString('latin1', 0, first) !== stamp || !counts) return undefined;
    const totals = { files: Number(counts[1]), tests: Number(counts[2]) };
    const files = bytes.subarray(second + 1);
    return files.length === Number(counts[3]) ? { totals, files } : undefined;
  } catch {
    // There is none yet, or none that can be read.
    return undefined;
  }
}
