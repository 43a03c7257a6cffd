// Secrets that the files of a workspace give away, which messages, titles, values and reasons have without the name: for every text that leaves the machine.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { redactTold } from '../base/redactSecrets.ts';
import { isHeld, isTelling } from '../base/secretValues.ts';
import type { CycleEvent, Remaining } from '../model/cycle.ts';
import type { Fix } from '../model/fix.ts';
import { fileOfId } from '../model/testId.ts';
import { fullName } from '../model/testName.ts';
import type { TestResult } from '../model/testResult.ts';
import { fileSecrets } from '../syntax/fileSecrets.ts';
import { importedFiles, loadBeside, smallText } from '../syntax/ownImports.ts';

interface FailedTest {
  readonly file: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

/** A fix, as far as it is known. */
type ToldFix = Pick<Fix, 'title' | 'failures' | 'edits' | 'sourceChange'> & { readonly diff: string };
interface ToldReport {
  readonly fixes: readonly ToldFix[];
  readonly remaining: readonly (FailedTest & Pick<Remaining, 'handOver'>)[];
}

interface ToldSecrets {
  /** All that were found, for `withoutSecrets`. */
  readonly told: Set<string>;
  learnTests(failed: readonly FailedTest[]): void;
  learnFix(fix: ToldFix): void;
  learnReport(report: ToldReport): void;
  learnEvent(event: CycleEvent): void;
}

/** Files below one test that are read. */
const mostFiles = 60;

/** `root`: of the files of tests. Each file is read once, with those that it imports. */
export function toldSecrets(root: string): ToldSecrets {
  const told = new Set<string>();
  const read = new Set<string>();
  /** Texts that were compared with each other. */
  const pairs: (readonly [string, string])[] = [];
  const load = loadBeside(root);

  function learnText(file: string, text: string): void {
    redactTold(text, told);
    for (const secret of fileSecrets(file, text, load)) told.add(secret);
  }

  function learnFile(file: string): void {
    const queue = [file];
    for (let count = 0; count < mostFiles; count++) {
      const next = queue.shift();
      if (next === undefined) return;
      if (read.has(next)) continue;
      read.add(next);
      const text = smallText(path.resolve(root, next));
      if (text === undefined) continue;
      learnText(next, text);
      queue.push(...importedFiles(root, next, text, load));
    }
  }

  /** The text that stands there, and the one that the diff has in its place. */
  function learnDiff(file: string, diff: string): void {
    learnFile(file);
    const text = smallText(path.resolve(root, file)) ?? '';
    const other = otherVersion(text, diff);
    learnText(file, other === text ? linesOf(diff, /^[+ ]/) : other);
    if (other === text) learnText(file, linesOf(diff, /^[- ]/));
  }

  /** A value that is compared with a secret is a secret, too. */
  function compare(left: string, right: string): void {
    const [one, other] = [textsIn(left), textsIn(right)];
    if (one.length === other.length)
      for (const [index, text] of one.entries()) pairs.push([text, other[index] ?? text]);
  }

  function settle(): void {
    for (let size = -1; size !== told.size;) {
      size = told.size;
      for (const [one, other] of pairs) {
        if (told.has(one) && isHeld(other)) told.add(other);
        if (told.has(other) && isHeld(one)) told.add(one);
      }
    }
  }

  function learnTests(failed: readonly FailedTest[]): void {
    for (const { file, message, expected = '', actual = '' } of failed) {
      learnFile(file);
      compare(unquoted(expected), unquoted(actual));
      const sides = sidesIn(message);
      if (sides.length === 2) pairs.push([sides[0] ?? '', sides[1] ?? '']);
      for (const one of sides)
        for (const side of [expected, actual])
          if (unquoted(side) === one) pairs.push(...sides.map((other) => [one, other] as const));
    }
    settle();
  }

  function learnFix({ title, failures, edits, sourceChange, diff }: ToldFix): void {
    for (const id of failures) learnFile(fileOfId(id) ?? '');
    for (const file of new Set(edits.map((edit) => edit.file))) learnDiff(file, diffOf(diff, file));
    if (sourceChange) learnDiff(sourceChange.location.file, sourceChange.excerpt);
    compareTitle(title);
    settle();
  }

  function compareTitle(title: string): void {
    const [, now, was] =
      /((["'`]).*?\2) \(was ((?:["'`]).*)\)/.exec(title)?.filter((_, index) => index !== 2) ?? [];
    if (now !== undefined && was !== undefined) compare(now, was);
  }

  function learnReport({ fixes, remaining }: ToldReport): void {
    for (const one of remaining) {
      learnTests([one]);
      for (const { expected = '', actual = '' } of one.handOver?.values ?? []) compare(expected, actual);
      for (const { file, text } of one.handOver?.sourceChanges ?? []) learnDiff(file, text);
      for (const { title, diff } of one.handOver?.candidates ?? []) {
        learnDiff(one.file, diff);
        compareTitle(title);
      }
    }
    for (const fix of fixes) learnFix(fix);
    settle();
  }

  for (const file of environments(root)) learnFile(file);
  return {
    told,
    learnTests,
    learnFix,
    learnReport,
    learnEvent: (event) => {
      if ('tests' in event) learnTests(event.tests);
      else if (event.type === 'fixProposed') learnFix({ ...event.fix, diff: event.diff });
      else if (event.type === 'fixJudged') learnFix(event.fix);
      else if (event.type === 'cycleEnded') learnReport(event.report);
    },
  };
}

/** As those of all that failed, and of files whose titles have more than words. */
export function toldByTests(tests: readonly TestResult[], root: string): Set<string> {
  const secrets = toldSecrets(root);
  for (const test of tests) {
    const failures = [...(test.failure ? [test.failure] : []), ...(test.moreFailures ?? [])];
    if (failures.length > 0) secrets.learnTests(failures.map((one) => ({ file: test.file, ...one })));
    else if (
      fullName(test)
        .split(/[\s"'`(){}[\],;]+/)
        .some(isTelling)
    )
      secrets.learnTests([{ file: test.file, message: '' }]);
  }
  return secrets.told;
}

export function toldByReport(report: ToldReport, root: string): Set<string> {
  const secrets = toldSecrets(root);
  secrets.learnReport(report);
  return secrets.told;
}

function environments(root: string): readonly string[] {
  try {
    return readdirSync(root).filter((name) => /^\.env(?:\.\w+)*$/.test(name));
  } catch {
    return [];
  }
}

const unquoted = (side: string): string => side.trim().replace(/^(["'`])([^]*)\1$/, '$2');

/** The value as it is written, or the texts in it. */
function textsIn(value: string): readonly string[] {
  const plain = value.trim();
  if (!/["'`]/.test(plain)) return plain === '' ? [] : [plain];
  return Array.from(plain.matchAll(/(["'`])((?:\\.|(?!\1)[^\\])*)\1/g), ([, , text = '']) => text);
}

/** Both texts of a comparison: each on a line of its own, or in one sentence that has no other. */
function sidesIn(message: string): readonly string[] {
  return message
    .split('\n', 200)
    .filter(
      (line) =>
        line.length < 1_000 &&
        /^[^"'`:{[]{0,40}:?\s*(["'`])[^"'`]*\1[^"'`]*(?:(["'`])[^"'`]*\2)?\W*$/.test(line),
    )
    .flatMap((line) => Array.from(line.matchAll(/(["'`])([^"'`]*)\1/g), ([, , side = '']) => side));
}

/** The part of a diff that is about this file; all of it where it names none. */
function diffOf(diff: string, file: string): string {
  const parts = diff.split(/^(?=--- )/m);
  return parts.find((part) => part.includes(`+++ b/${file}`) || part.includes(`+++ ${file}`)) ?? diff;
}

const bodyOf = (diff: string): readonly string[] =>
  diff.split('\n').filter((line) => !/^(?:--- |\+\+\+ |\\|diff |index )/.test(line));

const linesOf = (diff: string, kept: RegExp): string =>
  bodyOf(diff)
    .filter((line) => kept.test(line))
    .map((line) => line.slice(1))
    .join('\n');

/** The text with each hunk turned round that is found in it, whichever of both sides it has. */
function otherVersion(text: string, diff: string): string {
  let other = text;
  for (const hunk of bodyOf(diff)
    .join('\n')
    .split(/^@@.*\n?/m)) {
    if (hunk.trim() === '') continue;
    const [was, now] = [linesOf(hunk, /^[- ]/), linesOf(hunk, /^[+ ]/)];
    if (now !== '' && other.includes(now)) other = other.replace(now, () => was);
    else if (was !== '') other = other.replace(was, () => now);
  }
  return other;
}
