// Secrets that the file of a failed test gives away by a name, which the message of the failure has without one.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isTelling, redactTold } from '../base/redactSecrets.ts';
import type { TestResult } from '../model/testResult.ts';

/** Larger files are fixtures, bytes. */
const largestFile = 1_000_000;

interface FailedTest {
  readonly file: string;
  readonly message: string;
  readonly expected?: string | undefined;
  readonly actual?: string | undefined;
}

interface ToldSecrets {
  /** All that were found, for `withoutSecrets`. */
  readonly told: Set<string>;
  /** Reads the file of each, once. */
  learn(failed: readonly FailedTest[]): void;
}

/** `root`: of the files of tests. */
export function toldSecrets(root: string): ToldSecrets {
  const told = new Set<string>();
  const files = new Set<string>();
  return {
    told,
    learn: (failed) => {
      for (const { file, message, expected = '', actual = '' } of failed) {
        if (!files.has(file)) redactTold(textOf(path.resolve(root, file)), told);
        files.add(file);
        // What is compared with a secret is one, too.
        const sides = [unquoted(expected), unquoted(actual), ...sidesIn(message)];
        if (sides.some((side) => told.has(side)))
          for (const side of sides) if (isTelling(side)) told.add(side);
      }
    },
  };
}

/** As those of all that failed in it. */
export function toldByTests(tests: readonly TestResult[], root: string): Set<string> {
  const secrets = toldSecrets(root);
  for (const { file, failure, moreFailures = [] } of tests)
    for (const one of failure === undefined ? [] : [failure, ...moreFailures])
      secrets.learn([{ file, ...one }]);
  return secrets.told;
}

const unquoted = (side: string): string => side.trim().replace(/^(["'`])([^]*)\1$/, '$2');

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

function textOf(file: string): string {
  try {
    return statSync(file).size > largestFile ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
