// Scores what one setting wrote for a case: P, S, K1 and H, each measured in the scratch and none of it taken from the cycle's word.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isFileId } from '../model/testId.ts';
import { checkPolicyOfEdits } from '../policy/checkPolicy.ts';
import { followedMoves } from '../policy/python/followedMoves.ts';
import { readSourceIn } from '../policy/readSourceIn.ts';
import { whyUnjudged } from '../policy/unjudged.ts';
import type { RunSummary } from '../model/testResult.ts';
import { Comparison } from '../verification/compareRuns.ts';
import { baselineOf } from '../verification/verification.ts';
import { failingIn, type Case } from './findCase.ts';
import { likenessOf, type ComparedFile } from './likeness.ts';
import { killsOf, type ChangedSource } from './kills.ts';
import type { Mutate } from './mutants.ts';
import type { BrokenTest, Kills, SettingScore } from './replayReport.ts';
import type { SettingResult } from './runSetting.ts';
import type { TestBed } from './testBed.ts';

interface ScoreRequest {
  readonly found: Case;
  readonly result: SettingResult;
  /** Text of a file (relative to the root) in the parent and, under its new name, in the commit; empty where it is not. */
  readonly texts: (file: string) => Promise<{ readonly before: string; readonly theirs: string }>;
  /** Asks only the tests that the applied fixes are for to pass, not all broken ones. */
  readonly onlyMended: boolean;
  /** Asks K2: the changed source, and what makes bugs of it. */
  readonly mutants?: { readonly mutate: Mutate; readonly source: () => Promise<readonly ChangedSource[]> };
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/** Runs that P asks for. */
const runs = 3;

export async function scoreOf(request: ScoreRequest): Promise<SettingScore> {
  const { found, result, onlyMended } = request;
  const shared = {
    applied: result.applied.map(({ title, provider, trust }) => ({ title, provider, trust })),
    refused: refusalsOf(found.broken, result),
    offered: [...result.offered],
    patch: result.patch,
    durationMs: result.durationMs,
  };
  if (result.files.length === 0) {
    const nothing = { passes: null, clean: null, redOnOldSource: null, likeness: null };
    return { ...shared, ...nothing, sound: false, correct: false, wrong: false, faults: [] };
  }
  const claimed = new Set(result.applied.flatMap(({ failures }) => failures));
  const onNew = await scoreOnNewSource(request, claimed);
  // Tests that are left red say nothing about the edits of others; they keep the case from being sound.
  const isPartial = onlyMended || onNew.left.length > 0;
  const judged = found.broken.filter(({ id }) => !isPartial || claimed.has(id));
  const green = await greenOnOldSource(request, judged, onNew);
  const likeness = await likenessOf(await comparedFiles(request, judged, onNew.bed));
  const isProven = onNew.failures.length + onNew.violations.length + green.length === 0 && judged.length > 0;
  // Bugs are laid only for what is sound without them: nothing else could become sound.
  const kills = isProven ? await killsFor(request, judged, onNew) : undefined;
  const weak = kills === undefined || kills.ours >= kills.theirs ? [] : [weakness(kills)];
  const isRight = isProven && weak.length === 0;
  const sound = isRight && (onlyMended || onNew.left.length === 0);
  const left = onlyMended ? [] : onNew.left;
  return {
    ...shared,
    passes: onNew.failures.length + left.length === 0,
    clean: onNew.violations.length === 0,
    redOnOldSource: green.length === 0,
    ...(kills === undefined ? {} : { kills }),
    sound,
    likeness,
    correct: sound && likeness !== 'different',
    wrong: !isRight || likeness === 'different',
    faults: [...onNew.failures, ...onNew.violations, ...green, ...weak, ...left],
  };
}

const weakness = ({ mutants, ours, theirs }: Kills): string =>
  `The mended tests notice ${ours} of ${mutants} bugs in the changed source, the author's ${theirs}.`;

interface OnNewSource {
  readonly bed: TestBed;
  /** What P lacks for the tests that the edit says it mends, and what it breaks; one sentence each. */
  readonly failures: readonly string[];
  /** Other broken tests that still fail. */
  readonly left: readonly string[];
  /** What S lacks. */
  readonly violations: readonly string[];
  /** The ids that tests have with the edit in place (a title may hold the value that changed), by their ids before. */
  readonly idsNow: ReadonlyMap<string, string>;
  readonly scope: readonly string[] | undefined;
}

/** P and S, on the tree that the cycle worked on. */
async function scoreOnNewSource(
  { found, result, progress }: ScoreRequest,
  claimed: ReadonlySet<string>,
): Promise<OnNewSource> {
  const bed = await found.layOut('old tests, new source');
  const { root } = bed.workspace;
  const violations = await violationsOf(result.files, found, root);
  const reached = await bed.reachedBy(result.files.map(({ file }) => file));
  const scope = reached && [...new Set([...reached, ...found.broken.map(({ file }) => file)])];
  progress('scoring: the tests without the edit');
  const baseline = baselineOf(await bed.run(scope));
  await write(root, result);
  const failures = new Set<string>();
  const left = new Set<string>();
  const idsNow = new Map<string, string>();
  for (let run = 1; run <= runs && failures.size === 0; run++) {
    progress(`scoring: run ${run} of ${runs} with the edit`);
    const summary = await bed.run(scope);
    if (summary.ended !== 'complete')
      failures.add('A run with the edit did not finish within its time limit.');
    const comparison = new Comparison(baseline, summary, () => true);
    for (const test of found.broken) {
      const problem = comparison.targetProblem(test.id) ?? brokenBesides(test, summary);
      if (problem !== undefined) (claimed.has(test.id) ? failures : left).add(problem);
      idsNow.set(test.id, comparison.after(test.id)?.id ?? test.id);
    }
    for (const { reason } of comparison.regressions()) failures.add(reason);
  }
  return { bed, failures: [...failures], left: [...left], violations, idsNow, scope };
}

/** A file that did not load is mended only when nothing in it fails. */
function brokenBesides({ id, file }: BrokenTest, summary: RunSummary): string | undefined {
  if (!isFileId(id)) return undefined;
  const failing = failingIn(summary).find((test) => test.file === file);
  return failing && `"${failing.title}" fails in ${file}, which did not load before.`;
}

async function violationsOf(
  files: SettingResult['files'],
  found: Case,
  root: string,
): Promise<readonly string[]> {
  const readSource = readSourceIn(root);
  const isTestFile = (file: string): boolean => found.isTestFile(file);
  const followed = await followedMoves(files, { root, isTestFile });
  const unjudged = whyUnjudged(files, { readSource, followed });
  const violations = checkPolicyOfEdits(files, isTestFile, { readSource, followed });
  return [
    ...(unjudged === undefined ? [] : [unjudged]),
    ...violations.map(({ file, line, rule, text }) => `${file}:${line} ${rule}: ${text}`),
  ];
}

/** K1: mended tests that pass on the old source too, unless the author's own version of them does. */
async function greenOnOldSource(
  { found, result, progress }: ScoreRequest,
  wanted: readonly BrokenTest[],
  { idsNow, scope, failures }: OnNewSource,
): Promise<readonly string[]> {
  // What does not pass on the new source says nothing by failing on the old one.
  if (failures.length > 0) return ['Whether the mended tests are red on the old source was not asked.'];
  progress('scoring: the mended tests on the old source');
  const parent = await found.layOut('parent');
  await write(parent.workspace.root, result);
  const mine = await parent.run(scope);
  const green = wanted.filter((test) => isGreen(test, idsNow, mine));
  if (green.length === 0) return [];
  progress("scoring: the author's tests on the old source");
  const human = await found.layOut('new tests, old source');
  const there = new Set(human.testFiles.map((file) => file.slice(human.workspace.root.length + 1)));
  const files = [...new Set(green.map(({ file }) => file))].filter((file) => there.has(file));
  const theirs = files.length === 0 ? undefined : await human.run(files);
  return green
    .filter((test) => theirs === undefined || !isGreen(test, idsNow, theirs))
    .map(({ title }) => `"${title}" passes on the old source as well.`);
}

/** K2, where it is asked. */
async function killsFor(
  { found, result, mutants, signal, progress }: ScoreRequest,
  judged: readonly BrokenTest[],
  { idsNow }: OnNewSource,
): Promise<Kills | undefined> {
  if (mutants === undefined) return undefined;
  const { mutate, source } = mutants;
  const writeEdit = (root: string): Promise<void> => write(root, result);
  return killsOf({ found, mutate, source: await source(), judged, idsNow, writeEdit, signal, progress });
}

function isGreen(
  { id, file }: BrokenTest,
  idsNow: ReadonlyMap<string, string>,
  summary: RunSummary,
): boolean {
  const now = idsNow.get(id) ?? id;
  if (!isFileId(id)) return summary.tests.some((test) => test.id === now && test.outcome === 'passed');
  const own = summary.tests.filter((test) => test.file === file);
  return own.length > 0 && own.every(({ outcome }) => outcome === 'passed' || outcome === 'skipped');
}

async function comparedFiles(
  { result, texts }: ScoreRequest,
  wanted: readonly BrokenTest[],
  bed: TestBed,
): Promise<readonly ComparedFile[]> {
  const names = new Set([...result.files.map(({ file }) => file), ...wanted.map(({ file }) => file)]);
  return Promise.all(
    [...names].map(async (file) => {
      const { before, theirs } = await texts(file);
      return {
        file,
        before,
        theirs,
        ours: result.files.find((one) => one.file === file)?.after ?? before,
        mended: wanted.filter((test) => test.file === file).map(({ id }) => id),
        testsIn: (text: string) => bed.testsIn(file, text),
      };
    }),
  );
}

function refusalsOf(broken: readonly BrokenTest[], result: SettingResult): SettingScore['refused'] {
  const mended = new Set(result.applied.flatMap(({ failures }) => failures));
  return broken
    .filter(({ id }) => !mended.has(id))
    .map(({ id }) => {
      const left = result.remaining.find((one) => one.id === id);
      const offer = result.offered.find(({ failures }) => failures.includes(id));
      const otherwise =
        offer === undefined ? 'It was not failing when the cycle looked.' : 'Left for a person to decide.';
      const reason = result.trouble ?? left?.reason ?? otherwise;
      const why =
        offer === undefined
          ? ''
          : ` Offered (${offer.trust}, ${offer.verdict}): ${offer.title}.${offer.reason === undefined ? '' : ` ${offer.reason}`}`;
      const handedOver = left?.handOver !== undefined;
      return { id, fault: left?.fault ?? 'unknown', reason: reason + why, handedOver };
    });
}

async function write(root: string, { files }: SettingResult): Promise<void> {
  for (const { file, after } of files) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), after);
  }
}
