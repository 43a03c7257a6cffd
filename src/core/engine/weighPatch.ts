// Asks, of a patch that passes everything else, whether the tests notice what they noticed before.
import { readSourceChanges, type SourceChanges } from '../diagnosis/sourceChanges.ts';
import { createImportGraph } from '../modules/importGraph.ts';
import { rootsOfListing } from '../run/graphRoots.ts';
import { compareStrength } from '../strength/compareStrength.ts';
import { strengthFiles } from '../strength/reachedSources.ts';
import { isRepeatable, loadsModules } from '../strength/repeatable.ts';
import type { OpenVerification } from '../verification/openVerification.ts';
import type { WeighPatch } from '../verification/verifyPatch.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';

export type { StrengthAnswer } from '../strength/compareStrength.ts';

/** `seconds`: for the tests before the patch, and as much after it. Only tests in JavaScript are asked. */
export function weighPatch(opened: OpenedWorkspace, seconds: number): WeighPatch {
  return async (files, verification, isEach) => {
    const { root } = opened.workspace;
    const listed = new Map(opened.listing.files.filter(isRepeatable).map((one) => [one.file, one]));
    const changed = files.filter(({ file, from }) => listed.has(from ?? file) || listed.has(file));
    const framework = changed.map(({ file, from }) => listed.get(from ?? file)).find(Boolean);
    if (changed.length === 0 || framework === undefined) return undefined;
    const { sandbox, signal } = verification;
    const former = changed.map(({ file, from }) => from ?? file).filter((file) => listed.has(file));
    const graphRoots = rootsOfListing(opened.listing);
    const testFiles = [...listed.keys()];
    const { sources } = await strengthFiles({ root, testFiles, graphRoots, named: former, signal });
    if (sources.length === 0) return undefined;
    const { tests } = await strengthFiles({ root, testFiles, graphRoots, named: sources, signal });
    return compareStrength({
      sandbox: {
        root: sandbox.root,
        readText: (file) => sandbox.readText(file),
        write: (contents) => sandbox.write(contents),
        run: (wanted, runSignal) => verification.run(wanted, runSignal),
        loadsModules: (file) => loadsModules(listed.get(file) ?? framework),
      },
      tests: changed.map(({ file, before, after }) => ({ file, before, after })),
      others: tests.filter((file) => !former.includes(file)),
      sources,
      formerly: await formerTexts(changed, opened, verification),
      seconds,
      isEach,
      signal,
    });
  };
}

/** Where the tests fail now: the sources of the last commit, or of the one before where nothing changed since. */
async function formerTexts(
  files: readonly PatchedFile[],
  { workspace: { root } }: OpenedWorkspace,
  verification: OpenVerification,
): Promise<ReadonlyMap<string, string | undefined>> {
  const { baseline, signal } = verification;
  const isTestFile = (file: string): boolean => verification.isTestFile(file);
  const touched = new Set(files.map(({ file, from }) => from ?? file));
  const isRed = [...baseline.values()].some(
    ({ file, outcome }) => touched.has(file) && (outcome === 'failed' || outcome === 'errored'),
  );
  if (!isRed) return new Map();
  const changes = await readSourceChanges({
    root,
    isTestFile,
    graph: createImportGraph({ root, signal }),
    signal,
  });
  const meant = changes.files.length > 0 ? changes : await changes.sincePreviousCommit?.();
  return meant === undefined ? new Map() : textsOf(meant);
}

async function textsOf(changes: SourceChanges): Promise<ReadonlyMap<string, string | undefined>> {
  const texts = new Map<string, string | undefined>();
  for (const { file, from, status } of changes.files) {
    if (from !== undefined) texts.set(from, await changes.baseText(from));
    texts.set(file, status === 'added' || from !== undefined ? undefined : await changes.baseText(file));
  }
  return texts;
}
