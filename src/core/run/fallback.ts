// What runs in place of a framework that is not installed (CONTRACTS F9, T10): `npm test`, then vitest, jest, pytest.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { frameworkOf } from '../frameworks/registry.ts';
import type { FrameworkProject, Launch, Selection } from '../frameworks/framework.ts';
import { readPackageJson } from '../frameworks/packageJson.ts';
import { findManager } from '../frameworks/script/packageManager.ts';
import { commandsOf, runsElsewhere } from '../frameworks/script/testScript.ts';
import { packageBins } from '../process/packagePrograms.ts';
import { programOnPath } from '../process/programOnPath.ts';
import type { Workspace } from '../model/settings.ts';

interface Fallback {
  readonly launches: readonly Launch[];
  /** What is run instead and why, one sentence. */
  readonly note: string;
}

/**
 * Other launches for a project that cannot run for want of its framework; undefined when there is none that could work: then the
 * error about the framework is the better message. Only for whole projects: one test is not worth all of them.
 */
export async function fallbackFor(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
): Promise<Fallback | undefined> {
  const { files, tests, filter, nativeFilter } = selection;
  if ([files, tests, filter, nativeFilter].some((one) => one !== undefined)) return undefined;
  const other = mayFallBack(project, workspace.root)
    ? scriptOf(project, workspace.root)
    : await installedOther(project);
  if (!other) return undefined;
  const framework = frameworkOf(other);
  const launches = await framework.launches(other, {}, workspace);
  const name =
    framework.id === 'script'
      ? `\`${findManager(project.root, workspace.root).name} test\``
      : framework.label;
  const reason = (project.problem?.message ?? `${frameworkOf(project).label} is not installed.`).replace(
    /\.$/,
    '',
  );
  return { launches, note: `${reason}: ran ${name} instead.` };
}

/** Is there a script `test` that could work although the framework is not installed as a package? */
export function mayFallBack({ root, framework, entry }: FrameworkProject, workspaceRoot: string): boolean {
  const scripts = readPackageJson(root, root).packageJson?.scripts ?? {};
  if (entry !== undefined || framework === 'script' || runsElsewhere(scripts)) return false;
  if (findManager(root, workspaceRoot).program === undefined) return false;
  // A script that starts a program which is nowhere ends at once.
  const programs = commandsOf('test', scripts, new Set()).map(([command = '']) => command);
  return programs.every((program) => isFound(program, root)) || hasPlugAndPlay(root);
}

/** What every shell does by itself. */
const builtins = new Set([
  '',
  '.',
  ':',
  'cd',
  'echo',
  'eval',
  'exec',
  'exit',
  'export',
  'false',
  'set',
  'true',
]);

/** Would a package manager find the program: on PATH, or among the packages of the folder and those above it? */
function isFound(program: string, folder: string): boolean {
  if (builtins.has(program) || /[\\/]/.test(program) || process.platform === 'win32') return true;
  return programOnPath([program], packageBins(folder)) !== undefined;
}

function scriptOf({ root }: FrameworkProject, workspaceRoot: string): FrameworkProject | undefined {
  const { program } = findManager(root, workspaceRoot);
  return program === undefined ? undefined : { framework: 'script', root, entry: program };
}

/** Another framework of the chain that is installed in the same folder, though nothing else says that it is used. */
async function installedOther({ root, framework }: FrameworkProject): Promise<FrameworkProject | undefined> {
  const { detectProjects } = await import('../frameworks/detect.ts');
  for (const id of ['vitest', 'jest', 'pytest']) {
    if (id === framework) continue;
    const { projects } = await detectProjects(root, { frameworks: [id] });
    const found = projects.find((project) => project.root === root && project.problem === undefined);
    const files = found && (await frameworkOf(found).listTestFiles(found));
    if (files && files.length > 0) return found;
  }
  return undefined;
}

/** Yarn may keep packages where no node_modules shows them. */
function hasPlugAndPlay(folder: string): boolean {
  if (['.pnp.cjs', '.pnp.js'].some((name) => existsSync(path.join(folder, name)))) return true;
  return path.dirname(folder) !== folder && hasPlugAndPlay(path.dirname(folder));
}
