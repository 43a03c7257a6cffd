// Which environment of a browser a project has and names already: in its tests, or in its configuration.
import path from 'node:path';
import type { FixContext } from '../fixProvider.ts';

export type Runner = 'vitest' | 'jest';

export interface NamedEnvironment {
  readonly name: string;
  /** The comment with which another test file of the same package names it; absent where only others or the configuration do. */
  readonly example?: { readonly comment: string };
  /** Where it is named. */
  readonly where: string;
}

/** What is to be installed for an environment. */
const packages: Readonly<Record<Runner, ReadonlyMap<string, string>>> = {
  vitest: new Map([
    ['jsdom', 'jsdom'],
    ['happy-dom', 'happy-dom'],
  ]),
  jest: new Map([
    ['jsdom', 'jest-environment-jsdom'],
    ['jest-environment-jsdom', 'jest-environment-jsdom'],
    ['@happy-dom/jest-environment', '@happy-dom/jest-environment'],
  ]),
};

/** A comment at the head of a file that says nothing else than this; vitest reads the mark of jest, too. */
const marks: Readonly<Record<Runner, RegExp>> = {
  vitest:
    /(?:\/\/[ \t]*@(?:vitest|jest)-environment[ \t]+([\w-]+)[ \t\r]*$|\/\*\*?\s*(?:\*\s*)?@(?:vitest|jest)-environment[ \t]+([\w-]+)\s*\*\/)/m,
  jest: /^\s*(\/\*\*?\s*(?:\*\s*)?@jest-environment[ \t]+([\w@/-]+)\s*\*\/)/,
};

/**
 * The one environment that the project uses for a browser; undefined where it has none or several, or where it is not installed for
 * this file.
 */
export async function namedEnvironment(
  testFile: string,
  runner: Runner,
  context: FixContext,
): Promise<NamedEnvironment | undefined> {
  const found =
    (await namedByTests(testFile, runner, context)) ??
    (await namedByConfiguration(testFile, runner, context));
  const installed = found && packages[runner].get(found.name);
  if (found === undefined || installed === undefined) return undefined;
  for (const folder of foldersAround(testFile))
    if (
      (await context.readText(path.posix.join(folder, 'node_modules', installed, 'package.json'))) !==
      undefined
    )
      return found;
  return undefined;
}

async function namedByTests(
  testFile: string,
  runner: Runner,
  context: FixContext,
): Promise<NamedEnvironment | undefined> {
  const { testFiles = [], signal } = context;
  const home = await packageOf(testFile, context);
  const found = new Map<string, NamedEnvironment>();
  for (const file of testFiles) {
    if (signal.aborted) return undefined;
    if (file === testFile || !/\.[cm]?[jt]sx?$/.test(file)) continue;
    const head = headOf((await readable(file, context)) ?? '');
    const match = marks[runner].exec(head);
    const name = match?.[2] ?? match?.[1];
    if (match === null || name === undefined || !packages[runner].has(name)) continue;
    if (found.get(name)?.example !== undefined) continue;
    const isNear = (await packageOf(file, context)) === home;
    found.set(name, { name, where: file, ...(isNear && { example: { comment: match[0].trim() } }) });
  }
  const [only] = found.values();
  return found.size === 1 ? only : undefined;
}

const configurations: Readonly<Record<Runner, readonly string[]>> = {
  vitest: ['vitest.config', 'vite.config', 'vitest.workspace'],
  jest: ['jest.config'],
};

/** As a text somewhere in the configuration: for other files than this one, since this one has no browser. */
async function namedByConfiguration(
  testFile: string,
  runner: Runner,
  context: FixContext,
): Promise<NamedEnvironment | undefined> {
  const found = new Map<string, NamedEnvironment>();
  for (const folder of foldersAround(testFile)) {
    const files = configurations[runner].flatMap((name) =>
      ['ts', 'js', 'mts', 'mjs', 'cts', 'cjs', 'json'].map((end) =>
        path.posix.join(folder, `${name}.${end}`),
      ),
    );
    for (const file of files) {
      const text = (await readable(file, context)) ?? '';
      for (const [, name = ''] of text.matchAll(/[eE]nvironment['"]?\s*:\s*(?:['"])([\w@/-]+)['"]/g))
        if (packages[runner].has(name)) found.set(name, { name, where: file });
    }
  }
  const [only] = found.values();
  return found.size === 1 ? only : undefined;
}

/** What is no text says nothing. */
function readable(file: string, context: FixContext): Promise<string | undefined> {
  return context.readText(file).catch(() => undefined);
}

/** The nearest folder with a package.json. */
async function packageOf(file: string, context: FixContext): Promise<string> {
  for (const folder of foldersAround(file))
    if ((await readable(path.posix.join(folder, 'package.json'), context)) !== undefined) return folder;
  return '.';
}

/** From the folder of the file up to the root, as `.`. */
function foldersAround(file: string): readonly string[] {
  const folders: string[] = [];
  for (let folder = path.posix.dirname(file); folder !== '.'; folder = path.posix.dirname(folder))
    folders.push(folder);
  return [...folders, '.'];
}

/** Comments and blanks before the first token. */
export function headOf(text: string): string {
  return /^\uFEFF?(?:#![^\n]*\n)?(?:\s+|\/\/[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*/.exec(text)?.[0] ?? '';
}
