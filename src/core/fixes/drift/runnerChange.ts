// What a failure says about a runner that is another one now, and whether the project's configuration says so, too.
import path from 'node:path';
import { z } from 'zod';
import type { SourceChanges } from '../../diagnosis/sourceChanges.ts';
import type { TestResult } from '../../model/testResult.ts';
import { anyRunnerName, matcherAliases, type Runner } from './runnerTable.ts';

export interface Drift {
  readonly runner: Runner;
  /** The name, module or matcher that the failure names, or `done()`. */
  readonly missing: string;
  readonly kind: 'name' | 'module' | 'matcher' | 'done';
}

/** What of another runner, or of an older version of this one, the failure says is not there. */
export function driftOf({ id, failure, moreFailures = [] }: TestResult): Drift | undefined {
  const runner = /^(?<runner>jest|vitest|mocha)[/:]/.exec(id)?.groups?.['runner'];
  if (runner !== 'jest' && runner !== 'vitest' && runner !== 'mocha') return undefined;
  for (const one of failure === undefined ? [] : [failure, ...moreFailures]) {
    const found = missingIn(one.message);
    if (found !== undefined && !(found.kind === 'module' && isModuleOf(found.missing, runner)))
      return { runner, ...found };
  }
  return undefined;
}

function missingIn(message: string): Pick<Drift, 'missing' | 'kind'> | undefined {
  const name = /(?<![\w$.])(?<name>[\w$]+) is not defined\b/.exec(message)?.groups?.['name'];
  if (name !== undefined && anyRunnerName.has(name)) return { missing: name, kind: 'name' };
  if (/\bdone\(\) callback is deprecated, use promise instead/.test(message))
    return { missing: 'done()', kind: 'done' };
  const module =
    /(?:Cannot find (?:module|package)|Failed to resolve import|Failed to load url|Do not import) ['"`]?(?<module>@jest\/globals|vitest|mocha)\b/.exec(
      message,
    )?.groups?.['module'] ??
    (/^(?:Error: )?Vitest cannot be imported in a CommonJS module/.test(message) ? 'vitest' : undefined);
  if (module !== undefined) return { missing: module, kind: 'module' };
  const matcher = /\.(?<matcher>\w+) is not a function\b/.exec(message)?.groups?.['matcher'];
  return matcher !== undefined && matcherAliases.has(matcher)
    ? { missing: matcher, kind: 'matcher' }
    : undefined;
}

const isModuleOf = (module: string, runner: Runner): boolean =>
  module === runner || (module === '@jest/globals' && runner === 'jest');

export interface RunnerChange {
  /** The file that says it, relative to the root. */
  readonly file: string;
  readonly when: string;
}

const configuration =
  /^(?:(?:vitest|vite|jest)(?:\.[\w-]+)*\.(?:config|workspace)\.\w+|(?:vitest|jest)\.config\.\w+|\.mocharc(?:\.\w+)?|jest\.json)$/;

/** The changed configuration above a test file: one of a runner, or a package.json with another runner or version of it. */
export async function runnerChange(
  testFile: string,
  changes: SourceChanges,
  readText: (file: string) => Promise<string | undefined>,
): Promise<RunnerChange | undefined> {
  const rounds: readonly (readonly [string, () => Promise<SourceChanges | undefined>])[] = [
    ['since the last commit', () => Promise.resolve(changes)],
    ['since the commit before the last', async () => changes.sincePreviousCommit?.()],
  ];
  for (const [when, changesOf] of rounds) {
    const known = await changesOf();
    for (const { file, from } of [...(known?.files ?? []), ...(known?.testFiles ?? [])]) {
      const name = path.posix.basename(file);
      const folder = path.posix.dirname(file);
      if (folder !== '.' && !testFile.startsWith(`${folder}/`)) continue;
      if (configuration.test(name)) return { file, when };
      if (name !== 'package.json' || known === undefined) continue;
      const [before, now] = await Promise.all([known.baseText(from ?? file), readText(file)]);
      if (runnersIn(before) !== runnersIn(now)) return { file, when };
    }
  }
  return undefined;
}

const words = z.record(z.string(), z.unknown()).catch({});
const manifest = z.object({
  dependencies: words,
  devDependencies: words,
  scripts: words,
  jest: z.unknown(),
  mocha: z.unknown(),
});

/** All that a package.json says about test runners, as one text. */
function runnersIn(text: string | undefined): string {
  let json: unknown;
  try {
    json = JSON.parse(text ?? '{}');
  } catch {
    return '';
  }
  const { data } = manifest.safeParse({ jest: null, mocha: null, ...words.parse(json) });
  if (data === undefined) return '';
  const { dependencies, devDependencies, scripts, jest, mocha } = data;
  const isRunner = ([name]: readonly [string, unknown]): boolean =>
    /^(?:vitest|jest|mocha|jasmine|@jest\/\w+|@vitest\/\w+|jest-\w+|ts-jest|karma)$/.test(name);
  const isScript = ([, command]: readonly [string, unknown]): boolean =>
    typeof command === 'string' && /\b(?:vitest|jest|mocha|jasmine|karma)\b/.test(command);
  const versions = { ...dependencies, ...devDependencies };
  return JSON.stringify([
    Object.entries(versions).filter(isRunner).map(String).sort(),
    Object.entries(scripts).filter(isScript).map(String).sort(),
    jest,
    mocha,
  ]);
}

/** Does a configuration above the test file say that names need no import? What is computed says nothing. */
export async function saysGlobals(
  testFile: string,
  readText: (file: string) => Promise<string | undefined>,
): Promise<boolean> {
  const endings = ['ts', 'mts', 'js', 'mjs', 'cts', 'cjs'];
  for (let folder = path.posix.dirname(testFile); ; folder = path.posix.dirname(folder)) {
    for (const base of ['vitest.config', 'vite.config'])
      for (const ending of endings) {
        const text = await readText(path.posix.join(folder, `${base}.${ending}`));
        if (text !== undefined) return /^[^\n/]*\bglobals\s*:\s*true\b/m.test(text);
      }
    if (folder === '.' || folder === '/') return false;
  }
}
