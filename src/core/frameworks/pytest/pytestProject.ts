// A project of pytest in a folder: its Python, the version of pytest there, and what is missing in words with a remedy.
import path from 'node:path';
import { existsSync } from 'node:fs';
import { isInside, toRelativePosix } from '../../base/paths.ts';
import type { FolderFacts, FrameworkProject } from '../framework.ts';
import { defaultNaming } from '../../syntax/python/findTests.ts';
import { pytestFolderAt, pytestMarks } from './pytestFolders.ts';
import { findPython, type Python } from './pythonEnvironment.ts';
import { installedPytest, packageFolders } from './sitePackages.ts';

type Problem = NonNullable<FrameworkProject['problem']>;

export function detectPytest({ folder, tree, pythonPath, found }: FolderFacts): FrameworkProject | undefined {
  const place = pytestFolderAt(tree, folder);
  if (place === undefined) return undefined;
  const { config, isConfigured } = place;
  const { naming } = config;
  const python = findPython({
    project: folder,
    root: tree.root,
    ...(pythonPath !== undefined && { pythonPath }),
  });
  const configFile = config.file ?? markOf(folder);
  const project: FrameworkProject = {
    framework: 'pytest',
    root: folder,
    sign: isConfigured ? 'config' : 'script',
    ...(configFile !== undefined && { configFile }),
    ...(naming !== defaultNaming && { testNames: naming }),
  };
  const installation = installationOf(python, folder, tree.root);
  // Tests that stand beside those of another framework, and nobody could run: no fault of the workspace.
  const isAside = installation.problem !== undefined && !isConfigured && found.length > 0;
  return { ...project, ...installation, ...(isAside && { aside: true as const }) };
}

/** What shows the folder to be a Python project. */
function markOf(folder: string): string | undefined {
  return pytestMarks.map((name) => path.join(folder, name)).find((file) => existsSync(file));
}

function installationOf(
  python: ReturnType<typeof findPython>,
  folder: string,
  root: string,
): Partial<FrameworkProject> {
  if (python === undefined) return { problem: pytestProblem(folder, root, undefined) };
  if ('missing' in python) {
    return {
      problem: {
        message: `The configured Python was not found: ${python.missing}.`,
        file: markOf(folder) ?? folder,
        remedy:
          'Set testmend.pythonPath to a Python executable or to the folder of an environment, or remove it to use the one of the project.',
      },
    };
  }
  const installed = installedPytest(python);
  if (installed === 'unknown') return { entry: python.program };
  if (installed === 'none') return { entry: python.program, problem: pytestProblem(folder, root, python) };
  const { version } = installed;
  const isTooOld = Number.parseInt(version, 10) < 7;
  return {
    entry: python.program,
    version,
    ...(isTooOld && { problem: pytestProblem(folder, root, python, version) }),
  };
}

/** No Python, one without pytest, or with a version of it that is too old. */
export function pytestProblem(
  folder: string,
  root: string,
  python: Python | undefined,
  version?: string,
): Problem {
  if (python === undefined) {
    return {
      message: 'No Python was found: neither an environment in the project nor one on PATH.',
      file: markOf(folder) ?? folder,
      remedy: 'Install Python 3.8 or newer, or set testmend.pythonPath.',
    };
  }
  const shown = (file: string): string => (isInside(root, file) ? toRelativePosix(root, file) : file);
  const { program, environment } = python;
  const hasPip =
    environment === undefined || packageFolders(python).some((home) => existsSync(path.join(home, 'pip')));
  const install = hasPip ? `${shown(program)} -m pip install` : `uv pip install --python ${shown(program)}`;
  const where = environment === undefined ? shown(program) : `the environment ${shown(environment)}`;
  return version === undefined
    ? {
        message: `pytest is not installed in ${where}.`,
        file: markOf(folder) ?? folder,
        remedy: `Run \`${install} pytest\`.`,
      }
    : {
        message: `pytest ${version} in ${where} is too old: version 7 or newer is needed.`,
        file: markOf(folder) ?? folder,
        remedy: `Run \`${install} --upgrade pytest\`.`,
      };
}

/** The environment of a program, as its folder tells. */
export function pythonOf(program: string): Python {
  const home = path.dirname(path.dirname(program));
  return existsSync(path.join(home, 'pyvenv.cfg')) ? { program, environment: home } : { program };
}
