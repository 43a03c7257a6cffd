// Runs tests with a changed expectation once more, with pauses between their steps: a value that was only late is another one then.
import path from 'node:path';
import { throwIfCancelled } from '../base/humanError.ts';
import { hashText } from '../base/hash.ts';
import { applyChanges } from '../model/edit.ts';
import type { FileEdit, TextChange } from '../model/fileEdit.ts';
import type { PauseBefore, PausedStep, PausedTest } from '../model/pausing.ts';
import type { ExpectationChange } from '../model/fix.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import { lineMap } from '../syntax/lineMap.ts';
import { createImportGraph } from '../modules/importGraph.ts';
import { placeBefore } from '../workspace/stackedEdits.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';
import { Comparison } from './compareRuns.ts';
import type { Trial } from './runTrial.ts';
import type { VerificationContext } from './verification.ts';

/** How a test failed without the edits, and how it fails with them when it is given time. */
interface Unsteady {
  readonly atOnce: Failure;
  readonly later: Failure;
}

/** What is in place now, and how the tests failed without it. */
interface InPlace {
  readonly edits: readonly FileEdit[];
  /** The result of a test without the edits. */
  readonly before: (id: string) => TestResult | undefined;
  /** Of a test file without the edits. */
  readonly textOf: (file: string) => string | undefined;
}

/** Before a step that failed, before each of the others, and all of the others together; in milliseconds. */
const pauses = { atFailure: 250, most: 150, others: 900 };

/**
 * Those of the tests that pass now and not when they are given time. One run of their files for all, a second
 * one where the pauses themselves may be what an earlier step does not bear; none where nothing that they run can be late.
 */
export async function unsteadyTests(
  ids: readonly string[],
  inPlace: InPlace,
  context: VerificationContext,
): Promise<ReadonlyMap<string, Unsteady>> {
  const asked = await lateOnes(ids, inPlace, context);
  const found = new Map<string, Unsteady>();
  const unclear: Asked[] = [];
  for (const [test, failure] of await failuresOf(asked, 'all', inPlace, context)) {
    if (isBefore(failure, test, inPlace)) unclear.push(test);
    else found.set(test.id, { atOnce: test.failure, later: failure });
  }
  for (const [test, failure] of await failuresOf(unclear, 'failed', inPlace, context))
    if (!isBefore(failure, test, inPlace)) found.set(test.id, { atOnce: test.failure, later: failure });
  return found;
}

interface Asked {
  readonly id: string;
  readonly test: TestResult;
  readonly failure: Failure;
}

async function lateOnes(
  ids: readonly string[],
  inPlace: InPlace,
  context: VerificationContext,
): Promise<readonly Asked[]> {
  const asked = ids.flatMap((id) => {
    const test = inPlace.before(id);
    return test?.failure === undefined ? [] : [{ id, test, failure: test.failure }];
  });
  const late = new Map<string, boolean>();
  for (const { test } of asked)
    if (!late.has(test.file)) late.set(test.file, await canBeLate(test.file, context));
  return asked.filter(({ test }) => late.get(test.file) === true);
}

/** Can anything that the file runs happen later than it was asked for? */
async function canBeLate(file: string, { sandbox, signal, ...known }: VerificationContext): Promise<boolean> {
  const reaches =
    known.reaches ?? ((from) => createImportGraph({ root: sandbox.root, signal }).reaches(from));
  for (const reached of await reaches(file)) {
    const text = await sandbox.readText(reached).catch(() => undefined);
    if (text !== undefined && (later.test(text) || importsOthers(text, reached))) return true;
  }
  return false;
}

const later =
  /\b(?:async|await|promises?|then|setTimeout|setInterval|setImmediate|queueMicrotask|nextTick|requestAnimationFrame|document|window|EventEmitter|addEventListener|Worker|readFile|writeFile|readdir|create(?:Read|Write)Stream|spawn|exec\w*|fetch|threading|Thread|asyncio|concurrent|multiprocessing|subprocess|queue|sched|signal|socket|go func|chan|time\.(?:After|Tick|New)\w*|sync\.)\b|<-|\bgo \w/i;

/** A script that imports a package: nobody looks into that one. */
function importsOthers(text: string, file: string): boolean {
  if (!/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(file)) return false;
  for (const [, name = ''] of text.matchAll(/(?:\bfrom|\brequire\(|\bimport\(?)\s*['"]([^'"]+)['"]/g))
    if (!plainModules.test(name)) return true;
  return false;
}

const plainModules =
  /^(?:\.|@\/|~\/|#|vitest$|chai$|@jest\/globals$|ava$|(?:node:)?(?:assert(?:\/strict)?|test|path|url|util|fs|os|crypto|buffer|module)$)/;

/** What of the tests does not pass with pauses; not what only did not end in time, or could not run like that. */
async function failuresOf(
  asked: readonly Asked[],
  where: 'all' | 'failed',
  inPlace: InPlace,
  context: VerificationContext,
): Promise<ReadonlyMap<Asked, Failure>> {
  const failed = new Map<Asked, Failure>();
  const texts = await pausedTexts(asked, where, inPlace, context);
  if (texts.size === 0) return failed;
  const { sandbox, signal } = context;
  const undo = await sandbox.write(texts);
  try {
    const files = [...new Set(asked.map(({ test }) => test.file))].filter((file) => texts.has(file));
    const run = await context.run({ files: files.map((file) => path.join(sandbox.root, file)) }, signal);
    throwIfCancelled(signal);
    if (run.ended !== 'complete') return failed;
    const baseline = new Map(asked.map(({ id, test }) => [id, test]));
    const comparison = new Comparison(baseline, run, () => true);
    for (const one of asked) {
      const failure = comparison.failureOf(one.id);
      if (failure?.kind === 'assertion' || failure?.kind === 'error') failed.set(one, failure);
    }
    return failed;
  } finally {
    await undo.undo();
    await sandbox.restoreStrays();
  }
}

async function pausedTexts(
  asked: readonly Asked[],
  where: 'all' | 'failed',
  inPlace: InPlace,
  { sandbox }: VerificationContext,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const file of new Set(asked.map(({ test }) => test.file))) {
    const text = await sandbox.readText(file);
    if (text === undefined) continue;
    const lines = linesOf(file, inPlace);
    const now = (wanted: readonly number[]): readonly number[] =>
      wanted.flatMap((line) => lines.flatMap((before, index) => (before === line ? [index + 1] : [])));
    const own = asked.filter(({ test }) => test.file === file);
    const failing = new Set(own.flatMap(({ failure }) => now(placesOf(failure, file))));
    const tests = own.map(({ test, failure }) => ({
      names: [...test.suites, test.title],
      lines: now([...placesOf(failure, file).toReversed(), test.line]),
    }));
    const isFailing: (step: PausedStep) => boolean = ({ from, to }) =>
      [...failing].some((line) => from <= line && line <= to);
    const others = ({ of: steps }: PausedStep): number =>
      where === 'all' ? Math.max(10, Math.min(pauses.most, Math.round(pauses.others / steps))) : 0;
    const changes = await pausesFor(file, text, tests, (step) =>
      isFailing(step) ? pauses.atFailure : others(step),
    );
    if (changes.length === 0) continue;
    texts.set(file, applyChanges(changes, text));
    if (file.endsWith('.go')) {
      const { goPauses } = await import('../syntax/go/pausedTests.ts');
      const beside = `testmend_pauses_${hashText(file).slice(0, 8)}_test.go`;
      texts.set(path.posix.join(path.posix.dirname(file), beside), goPauses(text));
    }
  }
  return texts;
}

async function pausesFor(
  file: string,
  text: string,
  tests: readonly PausedTest[],
  ms: PauseBefore,
): Promise<readonly TextChange[]> {
  if (/\.[cm]?[jt]sx?$/.test(file))
    return (await import('../syntax/javascript/pausedTests.ts')).pausesInScript(
      file,
      text,
      tests,
      ms,
      (await import('../frameworks/vocabularies.ts')).scriptVocabulary,
    );
  if (file.endsWith('.py'))
    return (await import('../syntax/python/pausedTests.ts')).pausesInPython(text, tests, ms);
  if (file.endsWith('.go')) return (await import('../syntax/go/pausedTests.ts')).pausesInGo(text, tests, ms);
  return [];
}

/** Lines of a test file on the way to a failure: the place that is told, then from the innermost call outwards. */
function placesOf({ location, stack }: Failure, file: string): readonly number[] {
  return [location, ...stack].flatMap((place) => (place?.file === file ? [place.line] : []));
}

const changesOf = (file: string, edits: readonly FileEdit[]): readonly TextChange[] =>
  edits.filter((edit) => edit.file === file).flatMap(({ changes }) => changes);

/** Did a step fail that comes before the one that failed without any pause? */
function isBefore(failure: Failure, { test, failure: was }: Asked, inPlace: InPlace): boolean {
  const now = placesOf(failure, test.file).at(-1);
  const then = placesOf(was, test.file).at(-1);
  if (now === undefined || then === undefined) return false;
  return (linesOf(test.file, inPlace)[now - 1] ?? now) < then;
}

/** By the lines of a file with the edits: which ones they are without. */
function linesOf(file: string, { edits, textOf }: InPlace): readonly number[] {
  const text = textOf(file) ?? '';
  const changes = changesOf(file, edits);
  const original = lineMap(text);
  const starts = [0, ...[...applyChanges(changes, text).matchAll(/\n/g)].map(({ index }) => index + 1)];
  return starts.map((start) => original.position(placeBefore(changes, start)).line);
}

/** While a patch that breaks nothing is in place: why a test that it turned green does not hold when it is given time. */
export async function whyUnsteadyPatch(
  { problems, regressions, summary, unverifiable }: Trial<'patch'>,
  files: readonly PatchedFile[],
  context: VerificationContext,
): Promise<string | undefined> {
  if (unverifiable !== undefined || problems.size + regressions.length > 0) return undefined;
  const isRed = (id: string): boolean => /^(?:failed|errored)$/.test(context.baseline.get(id)?.outcome ?? '');
  const ids = summary.tests.flatMap(({ id, outcome }) => (outcome === 'passed' && isRed(id) ? [id] : []));
  const texts = new Map(files.map((one) => [one.file, one]));
  const unsteady = await unsteadyTests(
    ids,
    {
      edits: files.map(editOf),
      before: (id) => context.baseline.get(id),
      textOf: (file) => texts.get(file)?.before,
    },
    context,
  );
  const [first] = [...unsteady.values()];
  return first && whyUnsteady(first, undefined);
}

/** One change that holds all in which the texts differ. */
function editOf({ file, before = '', after = '' }: PatchedFile): FileEdit {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  const newText = after.slice(start, after.length - end);
  return { file, before: hashText(before), changes: [{ start, end: before.length - end, newText }] };
}

/** One or two sentences; `change` is what the test expected and would expect, as it is written. */
export function whyUnsteady({ atOnce, later }: Unsteady, change: ExpectationChange | undefined): string {
  const isHeld = later.actual !== undefined && later.actual === atOnce.expected;
  const [first, then] =
    isHeld && change !== undefined ? [change.new, change.old] : [atOnce.actual, later.actual];
  const isKnown = first !== undefined && then !== undefined && first.length + then.length <= 160;
  const values = isKnown ? `: ${first} at once, ${then} a little later` : ' when the test read it';
  const end = isHeld ? ', as the test expects. Let the test wait for it.' : '.';
  return `The value was still changing${values}${end}`;
}
