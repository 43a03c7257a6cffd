// How the tests of a node:test project are run: each command of its scripts with its flags, and the files that it would run.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import picomatch from 'picomatch';
import { isInside, toPosix } from '../../base/paths.ts';
import type { FrameworkProject } from '../../model/frameworkProject.ts';
import type { FileTree } from '../../workspace/walk.ts';
import type { PackageJson } from '../framework.ts';
import { treeReader, type FilesBelow } from '../treeReader.ts';
import { findInstalled, readPackageJson } from '../packageJson.ts';
import type { ShellWord } from '../shellWords.ts';
import { borpTargets } from './borpCommand.ts';
import { nodeTestCommands } from './nodeTestCommand.ts';
import type { NodeTestCommand } from './nodeTestStart.ts';
import { nodeTestUse, usesNodeTest } from './nodeTestUse.ts';

export interface NodeTestPlan extends Pick<NodeTestCommand, 'flags' | 'env' | 'isSerial' | 'notes'> {
  /** Absolute. */
  readonly files: readonly string[];
}

/** What `node --test` takes for a test file by its name alone; TypeScript since version 22. */
const namedAsTest = /(?:^|\/)(?:test(?:-[^/]+)?|[^/]+[.\-_]test)\.[cm]?[jt]s$/;
const inTestFolder = /(?:^|\/)test\/(?:.*\/)?[^/]+\.[cm]?[jt]s$/;
const typescript = /\.[cm]?ts$/;
const declarations = /\.d\.[cm]?ts$/;
const loader = /^--(?:import|require|loader|experimental-loader|experimental-(?:strip|transform)-types)\b/;

/** One for each command that starts the runner; a plain `node --test` where no script does. `tree` is a walk to share. */
export async function nodeTestPlans(
  project: FrameworkProject,
  tree?: FileTree,
  signal?: AbortSignal,
): Promise<readonly NodeTestPlan[]> {
  const filesBelow = treeReader(tree, signal);
  const { packageJson } = readPackageJson(project.root, project.root);
  const commands = nodeTestCommands(packageJson);
  const plans: NodeTestPlan[] = [];
  for (const command of commands ?? [plainCommand(project.root, packageJson)]) {
    const found = await filesOf(command, project.root, filesBelow, commands !== undefined);
    const isInner = (file: string): boolean =>
      project.innerRoots?.some((folder) => isInside(folder, file)) ?? false;
    const own = new Set(plans.flatMap((plan) => plan.files));
    const files = found.map((file) => path.join(project.root, file));
    const missed = commands === undefined ? [] : notThere(command, project.root, found.length > 0);
    const notes = [...command.notes, ...missed];
    plans.push({ ...command, notes, files: files.filter((file) => !isInner(file) && !own.has(file)) });
  }
  return plans;
}

/** Without a word of it nobody would know that none of these tests ran. */
function notThere({ targets }: NodeTestCommand, folder: string, hasOthers: boolean): readonly string[] {
  const isGone = (name: string): boolean =>
    !hasOthers || (!/[*?[{(]/.test(name) && !existsSync(path.resolve(folder, name)));
  const named = targets.map(({ text }) => text).filter((text) => !text.startsWith('!') && isGone(text));
  return named.length === 0
    ? []
    : [
        `No file is ${named.join(' or ')}, which a script starts as tests: where a build writes it, build first.`,
      ];
}

/** Nobody says how they are started: TypeScript as the project itself would run it. */
function plainCommand(folder: string, packageJson: PackageJson | undefined): NodeTestCommand {
  const { dependencies = {}, devDependencies = {} } = packageJson ?? {};
  const usesTsx = ('tsx' in dependencies || 'tsx' in devDependencies) && findInstalled(folder, 'tsx');
  return { flags: usesTsx ? ['--import=tsx'] : [], env: {}, targets: [], isSerial: false, notes: [] };
}

async function filesOf(
  { targets: written, flags, runner }: NodeTestCommand,
  folder: string,
  filesBelow: FilesBelow,
  isScript: boolean,
): Promise<readonly string[]> {
  const found = new Set<string>();
  const isTest = nodeTestUse(isScript && runner === undefined);
  const excluded = written.flatMap(({ text }) => (text.startsWith('!') ? [text.slice(1)] : []));
  const isExcluded = picomatch(excluded);
  const named = written.filter(({ text }) => !text.startsWith('!'));
  const targets = named.length === 0 && runner === 'borp' ? borpTargets(folder) : named;
  for (const target of targets.length > 0 ? targets : [undefined]) {
    const files = target ? await filesNamed(target, folder, filesBelow) : undefined;
    for (const file of files ?? (await below(target?.text ?? '.', folder, filesBelow, isScript, isTest)))
      found.add(file);
  }
  const all = [...found].filter((file) => !declarations.test(file) && !isExcluded(file));
  // Without a loader the tests of a compiled project are what the compiler wrote.
  const plain = all.filter((file) => !typescript.test(file));
  if (plain.length === all.length || !isScript || targets.length > 0) return all;
  const isCompiled =
    !flags.some((flag) => loader.test(flag)) &&
    plain.some((file) => namedAsTest.test(file) || usesNodeTest(path.join(folder, file)));
  return isCompiled ? plain : all;
}

/** What a word of the script names: a file, or a pattern. Undefined for a folder. */
async function filesNamed(
  { text, glob }: ShellWord,
  folder: string,
  filesBelow: FilesBelow,
): Promise<readonly string[] | undefined> {
  const stats = statSync(path.resolve(folder, text), { throwIfNoEntry: false });
  if (stats?.isDirectory()) return undefined;
  if (stats) return [toPosix(path.relative(folder, path.resolve(folder, text)))];
  const pattern = toPosix(text).replace(/^(?:\.\/)+/, '');
  // A shell knows no `**`: there it is one star. What matches nothing is left to node.
  const shell = picomatch(pattern.replaceAll(/\*{2,}/g, '*'), { noextglob: true });
  const files = await filesBelow(folder);
  const byShell = glob && process.platform !== 'win32' ? files.filter((file) => shell(file)) : [];
  if (byShell.length > 0) return byShell;
  const isMatch = picomatch(pattern);
  return files.filter((file) => isMatch(file));
}

/** What node finds in a folder: by name, or, where the folder is called `test`, everything; that only as far as `isTest` says. */
async function below(
  target: string,
  folder: string,
  filesBelow: FilesBelow,
  isScript: boolean,
  isTest: (file: string) => boolean,
): Promise<readonly string[]> {
  const home = path.resolve(folder, target);
  const prefix = toPosix(path.relative(folder, home));
  const files = await filesBelow(home);
  const found = files.map((file) => (prefix === '' ? file : `${prefix}/${file}`));
  return found.filter((file) => {
    const isNamed = namedAsTest.test(file);
    if (!isNamed && !inTestFolder.test(file)) return false;
    return (isScript && isNamed) || isTest(path.join(folder, file));
  });
}

/** Is there, among the files that node would take for tests, one that names the module? Looks at the first few hundred. */
export function hasNodeTests(root: string, files: readonly string[]): boolean {
  const candidates = files.filter((file) => namedAsTest.test(file) || inTestFolder.test(file));
  return candidates.slice(0, 300).some((file) => usesNodeTest(path.join(root, file)));
}
