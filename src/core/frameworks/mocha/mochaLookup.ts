// Finds the files that mocha loads for its specs, with the rules of mocha's own lookup, without mocha.
import { statSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { toPosix } from '../../base/paths.ts';
import type { FilesBelow } from '../treeReader.ts';
import type { MochaOptions } from './mochaOptions.ts';

/** Absolute files, in the order of the specs; `notes` names specs that match nothing. */
export async function lookUpFiles(
  folder: string,
  options: Pick<MochaOptions, 'spec' | 'ignore' | 'extension' | 'file' | 'recursive'>,
  major: number,
  filesBelow: FilesBelow,
): Promise<{ readonly files: readonly string[]; readonly notes: readonly string[] }> {
  const isIgnored = ignoreCheck(options.ignore);
  const found = new Set<string>();
  const notes: string[] = [];
  for (const spec of options.spec) {
    const names = await namesOf(spec, folder, options, major, filesBelow);
    if (names === undefined) notes.push(`mocha finds no file for "${spec}".`);
    for (const name of names ?? []) if (!isIgnored(name)) found.add(path.resolve(folder, name));
  }
  return { files: [...found], notes };
}

/** The names as mocha writes them: patterns of `ignore` are matched against these. Undefined when nothing matches. */
async function namesOf(
  spec: string,
  folder: string,
  { extension, recursive }: Pick<MochaOptions, 'extension' | 'recursive'>,
  major: number,
  filesBelow: FilesBelow,
): Promise<readonly string[] | undefined> {
  const endings = extension.map((one) => (one.startsWith('.') ? one : `.${one}`));
  const place = path.resolve(folder, spec);
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats?.isFile()) return [spec];
  if (stats?.isDirectory()) {
    const files = await filesBelow(place);
    return files
      .filter((file) => recursive || !file.includes('/'))
      .filter(
        (file) =>
          endings.some((ending) => file.endsWith(ending)) && !path.posix.basename(file).startsWith('.'),
      )
      .map((file) => path.join(spec, file));
  }
  const pattern = hasMagic(spec, major) ? spec : `${spec}+(${endings.join('|')})`;
  const names = await matching(pattern, folder, major, filesBelow);
  return names.length > 0 ? names : undefined;
}

/** Is it a pattern? Since mocha 11 braces alone make none. */
function hasMagic(spec: string, major: number): boolean {
  return /[*?]|\[[^\]]*\]|[+@!]\(/.test(spec) || (major < 11 && /\{[^}]*(?:,|\.\.)[^}]*\}/.test(spec));
}

async function matching(
  pattern: string,
  folder: string,
  major: number,
  filesBelow: FilesBelow,
): Promise<readonly string[]> {
  const posix = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
  const here = posix.startsWith('./') ? posix.replace(/^(?:\.\/)+/, '') : posix;
  const climb = /^(?:\.\.\/)+/.exec(here)?.[0] ?? '';
  const prefix = toPosix(folder) + '/';
  const isAbsolute = path.isAbsolute(here);
  // A pattern elsewhere on the disk is none of this workspace.
  if (isAbsolute && !here.startsWith(prefix)) return [];
  const home = path.resolve(folder, climb);
  const isMatch = picomatch(isAbsolute ? here.slice(prefix.length) : here.slice(climb.length), {
    dot: false,
  });
  const files = (await filesBelow(home)).filter((file) => isMatch(file));
  const before = isAbsolute ? prefix : posix.startsWith('./') && major < 11 ? './' : climb;
  return files.map((file) => before + file);
}

function ignoreCheck(patterns: readonly string[]): (name: string) => boolean {
  const checks = patterns.map((pattern) => {
    const posix = process.platform === 'win32' ? pattern.replaceAll('\\', '/') : pattern;
    const isHere = posix.startsWith('./');
    const isMatch = picomatch(posix, { dot: false });
    return (name: string) => name.startsWith('./') === isHere && isMatch(name);
  });
  return (name) => checks.some((check) => check(toPosix(name)));
}
