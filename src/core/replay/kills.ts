// K2 of the score: do the mended tests notice as many bugs in the changed lines of the source as the author's own version of them?
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { structuredPatch } from 'diff';
import { isFileId, isInFile } from '../model/testId.ts';
import { throwIfCancelled } from '../base/humanError.ts';
import type { RunSummary } from '../model/testResult.ts';
import { Comparison } from '../verification/compareRuns.ts';
import { baselineOf } from '../verification/verification.ts';
import { failingIn, type Case } from './findCase.ts';
import { spread, type Mutant, type Mutate } from './mutants.ts';
import type { BrokenTest, Kills } from './replayReport.ts';
import type { TestBed } from './testBed.ts';

/** A file of the source that the commit changed or added; relative to the root, POSIX separators. */
export interface ChangedSource {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

interface KillsRequest {
  readonly found: Case;
  readonly mutate: Mutate;
  readonly source: readonly ChangedSource[];
  /** The mended tests, and their ids with the edit in place. */
  readonly judged: readonly BrokenTest[];
  readonly idsNow: ReadonlyMap<string, string>;
  /** Writes the edit into the tree of the old tests. */
  readonly writeEdit: (root: string) => Promise<void>;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/** More would say little more: each costs a run of the mended files and one of the author's. */
const most = 20;

/**
 * Undefined when nothing can be compared: no mutant is in the changed lines, or the author's suite has none of these tests any more.
 * Tests that the author took away count on neither side.
 */
export async function killsOf(request: KillsRequest): Promise<Kills | undefined> {
  const { found, judged, idsNow, writeEdit, progress } = request;
  const mutants = await mutantsOfChange(request);
  if (mutants.length === 0) return undefined;
  progress('scoring: mutants of the changed source');
  const files = [...new Set(judged.map(({ file }) => file))];
  const ours = await found.layOut('old tests, new source');
  await writeEdit(ours.workspace.root);
  const mended = await ours.run(files);
  const theirs = await found.layOut('commit');
  const there = await theirs.run(files.filter((file) => theirs.isTestFile(file)));
  const pairs = pairsOf(judged, idsNow, mended, there);
  if (pairs.length === 0) return undefined;
  const theirKills = await killed(theirs, mutants, {
    ...request,
    files,
    ids: pairs.map((pair) => pair.theirs),
  });
  const again = await found.layOut('old tests, new source');
  await writeEdit(again.workspace.root);
  const ourKills = await killed(again, mutants, { ...request, files, ids: pairs.map((pair) => pair.ours) });
  return { mutants: mutants.length, ours: ourKills, theirs: theirKills };
}

interface PlacedMutant extends Mutant {
  readonly file: string;
}

/** Mutants that touch a changed line, some of everywhere. */
async function mutantsOfChange({ source, mutate, signal }: KillsRequest): Promise<readonly PlacedMutant[]> {
  const found: PlacedMutant[] = [];
  for (const { file, before, after } of source) {
    throwIfCancelled(signal);
    if (!/\.[cm]?[jt]sx?$/.test(file) || /\.d\.[cm]?ts$/.test(file)) continue;
    const changed = changedLines(before, after);
    // What does not parse has no mutants; the runs have told of it.
    const all = await mutate(file, after).catch(() => []);
    for (const mutant of all)
      if (
        changed.some(({ first, last }) => mutant.line <= last && mutant.endLine >= first && isShort(mutant))
      )
        found.push({ ...mutant, file });
  }
  return spread(found).slice(0, most);
}

/** A mutant of a whole body or class touches every line in it, and says nothing of the changed one. */
const isShort = ({ line, endLine }: Mutant): boolean => endLine - line < 10;

function changedLines(before: string, after: string): readonly { first: number; last: number }[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 0, timeout: 2000 });
  return (patch?.hunks ?? [])
    .filter(({ newLines }) => newLines > 0)
    .map(({ newStart, newLines }) => ({ first: newStart, last: newStart + newLines - 1 }));
}

interface Pair {
  readonly ours: string;
  readonly theirs: string;
}

/** The mended tests that the author's suite has too, under whatever title, green on both sides. */
function pairsOf(
  judged: readonly BrokenTest[],
  idsNow: ReadonlyMap<string, string>,
  mended: RunSummary,
  theirs: RunSummary,
): readonly Pair[] {
  const comparison = new Comparison(baselineOf(mended), theirs, () => true);
  const passed = new Set(mended.tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
  const wanted = judged.flatMap(({ id, file }) =>
    // A file that did not load stands for all of its tests.
    isFileId(id)
      ? mended.tests.filter((test) => test.file === file).map((test) => test.id)
      : [idsNow.get(id) ?? id],
  );
  return wanted.flatMap((id) => {
    const partner = comparison.after(id);
    return passed.has(id) && partner?.outcome === 'passed' ? [{ ours: id, theirs: partner.id }] : [];
  });
}

/** How many of the mutants one of these tests notices; a file that no longer loads counts, and so does a run that hangs. */
async function killed(
  bed: TestBed,
  mutants: readonly PlacedMutant[],
  {
    source,
    files,
    ids,
    progress,
    signal,
  }: KillsRequest & { files: readonly string[]; ids: readonly string[] },
): Promise<number> {
  const wanted = new Set(ids);
  let count = 0;
  for (const [index, mutant] of mutants.entries()) {
    throwIfCancelled(signal);
    progress(`scoring: mutant ${index + 1} of ${mutants.length}`);
    const place = path.join(bed.workspace.root, mutant.file);
    await writeFile(place, mutant.text);
    try {
      const summary = await bed.run(files.filter((file) => bed.isTestFile(file)));
      const isNoticed = failingIn(summary).some(({ id, file }) =>
        isFileId(id) ? ids.some((one) => isInFile(one, id) || file === one) : wanted.has(id),
      );
      if (isNoticed || summary.ended !== 'complete') count++;
    } finally {
      const text = source.find(({ file }) => file === mutant.file)?.after ?? '';
      await writeFile(place, text);
    }
  }
  return count;
}
