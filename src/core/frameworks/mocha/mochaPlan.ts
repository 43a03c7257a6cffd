// How the tests of a mocha project are run: each command of its scripts with its arguments, and the files that mocha would load.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import type { FileTree } from '../../workspace/walk.ts';
import { readPackageJson } from '../packageJson.ts';
import type { ShellWord } from '../shellWords.ts';
import { testCommands, type FrameworkStart, type TestCommand } from '../testScripts.ts';
import { canonicalName, takeValue } from './mochaArguments.ts';
import { treeReader, type FilesBelow } from '../treeReader.ts';
import { lookUpFiles } from './mochaLookup.ts';
import { resolveOptions, type MochaOptions } from './mochaOptions.ts';

export interface MochaPlan {
  /** The arguments of mocha, patterns of the script replaced as a shell does it. */
  readonly args: readonly string[];
  readonly nodeFlags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly options: MochaOptions;
  /** Absolute, in the order in which mocha finds them. */
  readonly files: readonly string[];
  /** Sentences for the user on what could not be read. */
  readonly notes: readonly string[];
}

/** How scripts start mocha. */
export const mochaStart: FrameworkStart = {
  isStart: (word) =>
    /^_?mocha$|(?:^|[\\/])\.bin[\\/]_?mocha$|[\\/]mocha[\\/]bin[\\/]_?mocha(?:\.c?js)?$/.test(word),
  anyScript: true,
};

/** One for each command that starts mocha; a plain `mocha` where no script does. `tree` is a walk to share. */
export async function mochaPlans(
  project: FrameworkProject,
  tree?: FileTree,
  signal?: AbortSignal,
): Promise<readonly MochaPlan[]> {
  const filesBelow = treeReader(tree, signal);
  const { packageJson } = readPackageJson(project.root, project.root);
  const found = testCommands(packageJson?.scripts ?? {}, mochaStart);
  const plain: TestCommand = { words: [], nodeFlags: [], env: {}, notUnderstood: [] };
  const plans: MochaPlan[] = [];
  for (const command of found.length > 0 ? found : [plain]) {
    const args = await expandedWords(understoodWords(command.words), project.root, filesBelow);
    const options = await resolveOptions(project.root, args, majorOf(project));
    const { files, notes } = await lookUpFiles(project.root, options, majorOf(project), filesBelow);
    const isInner = (file: string): boolean =>
      project.innerRoots?.some((folder) => isInside(folder, file)) ?? false;
    const own = new Set(plans.flatMap((plan) => plan.files));
    plans.push({
      args,
      nodeFlags: command.nodeFlags,
      env: command.env,
      options,
      files: files.filter((file) => !isInner(file) && !own.has(file)),
      notes: [...options.notes, ...notes, ...notUnderstood(command)],
    });
  }
  return plans;
}

/** Does the package.json of the folder configure mocha? */
export function hasMochaKey(folder: string): boolean {
  try {
    const data: unknown = JSON.parse(
      readFileSync(path.join(folder, 'package.json'), 'utf8').replace(/^\uFEFF/, ''),
    );
    return typeof data === 'object' && data !== null && 'mocha' in data && typeof data.mocha === 'object';
  } catch {
    return false;
  }
}

function majorOf({ version = '' }: Pick<FrameworkProject, 'version'>): number {
  return Number.parseInt(version, 10) || 12;
}

function notUnderstood({ script, notUnderstood: words }: TestCommand): readonly string[] {
  if (words.length === 0) return [];
  return [`${words.join(', ')} in the script "${script ?? ''}" is only filled in by a shell: left out.`];
}

/** Without words that only a shell could fill in, and without the options they are values of. */
function understoodWords(words: readonly ShellWord[]): readonly ShellWord[] {
  return words.filter((word, index) => {
    const next = words[index + 1];
    const name = /^--?([^=]+)$/.exec(word.text)?.[1];
    const takesNext = name !== undefined && takeValue.has(canonicalName(name));
    return !word.computed && !(takesNext && next?.computed === true);
  });
}

/** A shell knows no `**`: there it is one star. What matches nothing stays as it is, and mocha takes it for a pattern. */
async function expandedWords(
  words: readonly ShellWord[],
  folder: string,
  filesBelow: FilesBelow,
): Promise<readonly string[]> {
  const result: string[] = [];
  for (const { text, glob } of words) {
    if (!glob || process.platform === 'win32' || /[{}]|^\/|^-|\.\.\//.test(text)) {
      result.push(text);
      continue;
    }
    const pattern = text.replace(/^\.\//, '').replaceAll(/\*{2,}/g, '*');
    const isMatch = picomatch(pattern, { dot: false, noextglob: true, nobrace: true });
    const files = await filesBelow(folder);
    const matched = [...files, ...foldersOf(files)].filter((name) => isMatch(name)).sort();
    result.push(...(matched.length > 0 ? matched : [text]));
  }
  return result;
}

function foldersOf(files: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = path.posix.dirname(file); at !== '.' && !folders.has(at); at = path.posix.dirname(at))
      folders.add(at);
  return folders;
}
