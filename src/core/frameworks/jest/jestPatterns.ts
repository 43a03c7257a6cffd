// Which files a jest configuration takes for tests, by their names: its globs, regular expressions, and `<rootDir>` in them.
import path from 'node:path';
import picomatch from 'picomatch';
import { toPosix } from '../../base/paths.ts';
import type { JestSettings } from './jestConfig.ts';

const defaultMatch = ['**/__tests__/**/*.[jt]s?(x)', '**/?(*.)+(spec|test).[jt]s?(x)'];
/** Since version 30 also `.mts`, `.cts` and their kin. */
const newerMatch = ['**/__tests__/**/*.?([mc])[jt]s?(x)', '**/?(*.)+(spec|test).?([mc])[jt]s?(x)'];

/** Of a path with forward slashes: does its name make it a test? `isNewer`: jest 30 or later. */
export function testNameMatcher(
  rootDir: string,
  { testMatch, testRegex = [] }: Pick<JestSettings, 'testMatch' | 'testRegex'>,
  isNewer: boolean,
): (file: string) => boolean {
  const matched = testMatch ?? (testRegex.length > 0 ? undefined : isNewer ? newerMatch : defaultMatch);
  return matched === undefined
    ? anyOf(testRegex)
    : globsMatcher(matched.map((glob) => replacedRoot(glob, rootDir, globText)));
}

/** `<rootDir>` at its beginning, and only there; dots and doubled slashes after it are resolved. */
export function replacedRoot(text: string, rootDir: string, escape: (folder: string) => string): string {
  const match = /^(!?)<rootDir>(.*)$/s.exec(text);
  if (!match) return text;
  // Jest takes `!<rootDir>` as it is written: nothing is called so.
  if (match[1] === '!') return text;
  return path.posix.normalize(`${escape(toPosix(rootDir))}/${match[2] ?? ''}`).replace(/(?<=.)\/$/, '');
}

function globText(folder: string): string {
  return folder.replaceAll(/[()*{}[\]!?\\]/g, '\\$&');
}

/** Patterns of one list are one alternative; what is no regular expression matches nothing, and jest will say so. */
export function anyOf(patterns: readonly string[]): (file: string) => boolean {
  const expressions = patterns.flatMap((pattern) => {
    try {
      return [new RegExp(pattern)];
    } catch {
      return [];
    }
  });
  return (file) => expressions.some((expression) => expression.test(file));
}

/** As jest reads a list of globs: the last word on a file is that of a negated one that leaves it out, or of one that takes it. */
export function globsMatcher(globs: readonly string[]): (file: string) => boolean {
  const matchers = globs.map((glob) => {
    const negated = glob.startsWith('!') && !glob.startsWith('!(');
    return { negated, matches: picomatch(glob, { dot: true }) };
  });
  const allNegated = matchers.every(({ negated }) => negated);
  return (file) => {
    let kept: boolean | undefined;
    for (const { negated, matches } of matchers) {
      const matched = matches(file);
      if (negated && !matched) kept = false;
      else if (!negated && matched) kept = true;
    }
    return allNegated ? kept !== false : kept === true;
  };
}
