// Secrets that the files of a workspace give away, which messages, titles, values and reasons have without the name: for every text that leaves the machine.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { looksUnspoken } from '../base/entropy.ts';
import { isInside } from '../base/paths.ts';
import { jsonWithoutSecrets, redactTold } from '../base/redactSecrets.ts';
import { isHeld, isTelling } from '../base/secretValues.ts';
import { fileOfId } from '../model/testId.ts';
import { fileSecrets } from '../syntax/fileSecrets.ts';
import { filesBelow, loadBeside, smallText } from '../syntax/ownImports.ts';

interface ToldSecrets {
  /** All that were found, for `withoutSecrets`. */
  readonly told: Set<string>;
  /**
   * Reads the files that a document is about, by their names and by the ids of tests in it, and takes both sides of what it compares. Any
   * document will do: results, fixes, reports, events, answers, sentences. Of tests that passed only those are read whose titles have more than words.
   */
  learn(document: unknown): void;
}

/** Files below one test that are read. */
const mostFiles = 60;

/** `root`: of the files of tests. Each file is read once, with those that it imports. */
export function toldSecrets(root: string): ToldSecrets {
  const told = new Set<string>();
  const read = new Set<string>();
  const texts = new Set<string>();
  /** Texts that were compared with each other. */
  const pairs: (readonly [string, string])[] = [];
  const load = loadBeside(root);

  function learnText(file: string, text: string): void {
    const version = `${file}\0${text}`;
    if (texts.has(version)) return;
    texts.add(version);
    redactTold(text, told);
    for (const secret of fileSecrets(file, text, load)) told.add(secret);
  }

  const isOwn = (file: string): boolean =>
    isInside(root, path.resolve(root, file)) && !/(?:^|[\\/])node_modules[\\/]/.test(file);

  function learnFile(file: string): void {
    const queue = [file];
    for (let count = 0; count < mostFiles; count++) {
      const next = queue.shift();
      if (next === undefined) return;
      if (read.has(next)) continue;
      read.add(next);
      const text = isOwn(next) ? smallText(path.resolve(root, next)) : undefined;
      if (text === undefined) continue;
      learnText(next, text);
      queue.push(...filesBelow(root, next, text, load));
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

  /** `file`: that the object around is about. */
  function walk(node: unknown, file: string, key: string): void {
    if (typeof node === 'string') return walkText(node, file, key);
    if (typeof node !== 'object' || node === null || isQuiet(node)) return;
    if (Array.isArray(node)) {
      for (const one of node) walk(one, file, key);
      return;
    }
    const fields: Readonly<Record<string, unknown>> = { ...node };
    const own =
      textOf(fields['file']) ?? fileIn(fields['location']) ?? fileOf(textOf(fields['id']) ?? '') ?? file;
    compareFailure(fields);
    for (const [name, value] of Object.entries(fields)) walk(value, own, name);
  }

  function walkText(text: string, file: string, key: string): void {
    if (/^[+-]/m.test(text) && /^(?:diff|patch|excerpt|text)$/.test(key)) {
      for (const part of text.split(/^(?=--- )/m))
        learnDiff(/^\+\+\+ (?:b\/)?([^\t\n]+)/m.exec(part)?.[1] ?? file, part);
      return;
    }
    if (key === 'file') learnFile(text);
    else for (const named of filesIn(text.replaceAll(`${root}/`, ''))) learnFile(named);
    compareTitle(text);
  }

  function compareFailure({ message, expected, actual }: Readonly<Record<string, unknown>>): void {
    const values = [textOf(expected) ?? '', textOf(actual) ?? ''] as const;
    compare(unquoted(values[0]), unquoted(values[1]));
    const sides = sidesIn(textOf(message) ?? '');
    if (sides.length === 2) pairs.push([sides[0] ?? '', sides[1] ?? '']);
    for (const one of sides)
      for (const value of values)
        if (unquoted(value) === one) pairs.push(...sides.map((other) => [one, other] as const));
  }

  function compareTitle(title: string): void {
    const [, now, was] =
      /((["'`]).*?\2) \(was ((?:["'`]).*)\)/.exec(title)?.filter((_, index) => index !== 2) ?? [];
    if (now !== undefined && was !== undefined) compare(now, was);
  }

  for (const file of environments(root)) learnFile(file);
  return {
    told,
    learn: (document) => {
      walk(document, '', '');
      settle();
    },
  };
}

export function toldBy(document: unknown, root: string): Set<string> {
  const secrets = toldSecrets(root);
  secrets.learn(document);
  return secrets.told;
}

/**
 * A copy without the secrets that its own texts and the files it is about give away; `newText` and `patch` stay, for they are to be applied.
 * `source`: says more of these files.
 */
export function tellable<T extends object>(document: T, root: string, source: unknown = document): T {
  return JSON.parse(jsonWithoutSecrets(document, toldBy(source, root)));
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
const fileIn = (place: unknown): string | undefined =>
  typeof place === 'object' && place !== null && 'file' in place ? textOf(place.file) : undefined;
/** Signs before its names: engines of patterns run out of stack on megabytes. */
const longestId = 4_000;
const fileOf = (text: string): string | undefined =>
  /^\w+(?:\/[^:#]*)?:[^#\n]+#/.test(text.slice(0, longestId)) ? fileOfId(text) : undefined;

/** A test that did not fail and whose titles are words: nobody reads the files of thousands of these. */
export function isQuiet(node: object): boolean {
  if (!('outcome' in node) || !/^(?:passed|skipped)$/.test(String(node.outcome)) || 'flaky' in node)
    return false;
  const texts = Object.values(node)
    .flat()
    .flatMap((one: unknown) => textOf(one) ?? []);
  return !texts.some((text) =>
    text.split(/[\s"'`(){}[\],;›]+/).some((word) => isTelling(word) || looksUnspoken(word)),
  );
}

/** Of an id, and all that a sentence, a frame or a list names. */
function filesIn(text: string): readonly string[] {
  const own = fileOf(text);
  if (own !== undefined) return [own];
  const named = text
    .slice(0, 20_000)
    .matchAll(/(?<![\w@.-])(?:[\w@.-]+\/){0,20}[\w@.-]+\.(?:[cm]?[jt]sx?|py|go|vue|svelte|ya?ml)\b/g);
  return [...new Set(Array.from(named, ([file]) => file))].slice(0, 100);
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
