// What the launches of the JavaScript frameworks share: the files of a selection, names as one pattern, command lines that fit.
import path from 'node:path';
import { HumanError, errorMessage } from '../base/humanError.ts';
import type { Selection } from './framework.ts';
import { anyCase, checkFilter, titlePattern } from './filter.ts';

/** Absolute files to run, or undefined for all. */
export function selectedFiles({ files, tests }: Selection): readonly string[] | undefined {
  if (files === undefined && tests === undefined) return undefined;
  const chosen = [...(files ?? []), ...(tests ?? []).map(({ file }) => file)];
  for (const file of chosen) {
    if (!path.isAbsolute(file)) throw new Error(`the file of a selection must be absolute: ${file}`);
  }
  return [...new Set(chosen.map((file) => path.normalize(file)))];
}

/**
 * One regular expression for a framework's filter of test names, without flags; undefined when nothing narrows the names.
 * `separator` is a pattern for what the framework puts between the names of suites and test, `start` for what stands before the
 * first, `label` the framework as people write it. It is coarse: what it lets through too much is left out of the
 * results later.
 */
export function namePattern(
  { files, tests, filter, nativeFilter }: Selection,
  separator: string,
  label: string,
  start = '^\\s*',
): string | undefined {
  const chosen: string[] = [];
  if (nativeFilter !== undefined) chosen.push(`(?:${checkNativeFilter(nativeFilter, label).source})`);
  if (filter !== undefined) {
    chosen.push(`(?:${checkFilter(filter).split(' ').map(anyCase).join(separator)})`);
  }
  // Whole files beside single tests: all their tests must run, so names cannot narrow the run.
  const named = (files ?? []).length === 0 && tests?.every(({ names }) => names.length > 0);
  if (tests !== undefined && named) {
    const names = new Set(tests.map((test) => test.names.map(titlePattern).join(separator)));
    chosen.push(`${start}(?:${[...names].join('|')})(?:$|${separator})`);
  }
  if (chosen.length <= 1) return chosen[0];
  return `^${chosen.map((pattern) => `(?=[\\s\\S]*?${pattern})`).join('')}`;
}

/** Throws a `bad-input` HumanError for what Q4 refuses and for what is no regular expression. */
export function checkNativeFilter(filter: string, label: string): RegExp {
  try {
    return new RegExp(checkFilter(filter));
  } catch (error) {
    if (error instanceof HumanError) throw error;
    throw new HumanError('bad-input', `The filter is not a regular expression: ${errorMessage(error)}`, {
      value: filter,
      remedy: `${label} takes a JavaScript regular expression; use the plain filter for a part of a title.`,
    });
  }
}

/** Splits files so that each command line stays under what the system takes (Windows: 32,767 characters, macOS: 1 MiB). */
export function batches(
  files: readonly string[],
  limit: number = process.platform === 'win32' ? 24_000 : 500_000,
): readonly (readonly string[])[] {
  const result: string[][] = [[]];
  let length = 0;
  for (const file of files) {
    const bytes = Buffer.byteLength(file) + 3;
    if (length + bytes > limit) {
      result.push([]);
      length = 0;
    }
    result.at(-1)?.push(file);
    length += bytes;
  }
  return result;
}

/** As Playwright, pytest-playwright and Cypress all write it. */
export function browserOptions(browser: Selection['browser']): readonly string[] {
  return [
    ...(browser?.headed ? ['--headed'] : []),
    ...(browser?.name === undefined ? [] : [`--browser=${browser.name}`]),
  ];
}
