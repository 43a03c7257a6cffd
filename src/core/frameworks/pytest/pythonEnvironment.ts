// Finds the Python of a project by the places where tools keep environments, without starting anything.
import { createHash } from 'node:crypto';
import { accessSync, constants, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInside, realPathOr } from '../../base/paths.ts';
import { isFile, namesIn, textOfFile } from '../configFiles.ts';

interface PythonSearch {
  /** Absolute folder of the project. */
  readonly project: string;
  /** Absolute root of the workspace. */
  readonly root: string;
  /** What the user chose; it counts before everything else. */
  readonly pythonPath?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export interface Python {
  /** Absolute path of the program. */
  readonly program: string;
  /** Absolute folder of the virtual environment that it belongs to. */
  readonly environment?: string;
}

const isWindows = process.platform === 'win32';

/**
 * The user's choice, else `.venv`, `venv`, `env` from the project up to the root (and where uv puts one), an active environment,
 * those of poetry, pipenv, conda and pyenv, what `.vscode/settings.json` names, else the first on PATH. A choice that is no
 * program is returned as `missing`; undefined when there is no Python at all.
 */
export function findPython(search: PythonSearch): Python | { readonly missing: string } | undefined {
  const { project, root, pythonPath = '', env = process.env } = search;
  if (pythonPath !== '') {
    const chosen = path.resolve(root, expanded(pythonPath, root));
    return pythonAt(chosen) ?? { missing: chosen };
  }
  for (const find of [
    () => besideProject(project, root, env),
    () => inFolder(env['VIRTUAL_ENV']),
    () => ofPoetry(project, env),
    () => ofPipenv(project, root, env),
    () => inFolder(env['CONDA_PREFIX']),
    () => ofPyenv(project, env),
    () => ofEditor(root),
    () => onPath(env, project),
  ]) {
    const found = find();
    if (found) return found;
  }
  return undefined;
}

/** The program, or the one in the folder of an environment. */
function pythonAt(place: string): Python | undefined {
  if (!isProgram(place)) return inFolder(place);
  const home = path.dirname(path.dirname(place));
  return isFile(path.join(home, 'pyvenv.cfg')) ? { program: place, environment: home } : { program: place };
}

function inFolder(folder: string | undefined): Python | undefined {
  if (folder === undefined || !path.isAbsolute(folder)) return undefined;
  const names = isWindows ? ['Scripts/python.exe', 'python.exe'] : ['bin/python', 'bin/python3'];
  const program = names.map((name) => path.join(folder, name)).find(isProgram);
  return program === undefined ? undefined : { program, environment: folder };
}

function besideProject(project: string, root: string, env: NodeJS.ProcessEnv): Python | undefined {
  const uv = env['UV_PROJECT_ENVIRONMENT'];
  for (let folder = project; ; folder = path.dirname(folder)) {
    const names = [...(uv === undefined || uv === '' ? [] : [uv]), '.venv', 'venv', 'env', '.conda'];
    for (const name of names) {
      const found = inFolder(path.resolve(folder, name));
      if (found) return found;
    }
    if (folder === root || !isInside(root, path.dirname(folder)) || folder === path.dirname(folder))
      return undefined;
  }
}

/** `{cache}/virtualenvs/<name>-<hash>-py3.11`; the newest when there are several. */
function ofPoetry(project: string, env: NodeJS.ProcessEnv): Python | undefined {
  const text = textOfFile(path.join(project, 'pyproject.toml')) ?? '';
  if (!/^\[tool\.poetry\b/m.test(text) && !isFile(path.join(project, 'poetry.lock'))) return undefined;
  const name = /^name\s*=\s*["']([^"'\n]+)["']/m.exec(text)?.[1]?.toLowerCase();
  if (name === undefined) return undefined;
  const caches: Partial<Record<NodeJS.Platform, string>> = {
    darwin: path.join(os.homedir(), 'Library/Caches/pypoetry'),
    win32: path.join(env['LOCALAPPDATA'] ?? os.homedir(), 'pypoetry/Cache'),
  };
  const usual = path.join(env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'pypoetry');
  const cache = env['POETRY_CACHE_DIR'] ?? caches[process.platform] ?? usual;
  const home = env['POETRY_VIRTUALENVS_PATH'] ?? path.join(cache, 'virtualenvs');
  const hash = createHash('sha256').update(realPathOr(project)).digest('base64url').slice(0, 8);
  const prefix = `${name.replaceAll(/[ $`!*@"\\\r\n\t]/g, '_').slice(0, 42)}-${hash}-py`;
  const names = namesIn(home)
    .filter((one) => one.startsWith(prefix))
    .sort(byVersion);
  return inFolder(names.length > 0 ? path.join(home, names.at(-1) ?? '') : undefined);
}

/** `<name>-<hash>` by the path of the Pipfile. */
function ofPipenv(project: string, root: string, env: NodeJS.ProcessEnv): Python | undefined {
  for (let folder = project; isInside(root, folder); folder = path.dirname(folder)) {
    const pipfile = path.join(folder, 'Pipfile');
    if (isFile(pipfile)) {
      const name = path
        .basename(folder)
        .replaceAll(/[ &$`!*@"()[\]\\\r\n\t]/g, '_')
        .slice(0, 42);
      const hash = createHash('sha256')
        .update(realPathOr(pipfile))
        .digest()
        .subarray(0, 6)
        .toString('base64url');
      const home = env['WORKON_HOME'] ?? path.join(os.homedir(), '.local/share/virtualenvs');
      return inFolder(path.join(home, `${name}-${hash}`));
    }
    if (folder === path.dirname(folder)) break;
  }
  return undefined;
}

/** What `.python-version`, PYENV_VERSION or pyenv's own setting names. */
function ofPyenv(project: string, env: NodeJS.ProcessEnv, withGlobal = false): Python | undefined {
  const home = env['PYENV_ROOT'] ?? path.join(os.homedir(), '.pyenv');
  const named = [env['PYENV_VERSION'] ?? ''];
  for (let folder = project; ; folder = path.dirname(folder)) {
    named.push(textOfFile(path.join(folder, '.python-version')) ?? '');
    if (folder === path.dirname(folder)) break;
  }
  if (withGlobal) named.push(textOfFile(path.join(home, 'version')) ?? '');
  const wanted = named
    .map((text) => text.split(/[\s:]+/).find((word) => word !== ''))
    .find((word) => word !== undefined);
  if (wanted === undefined || !/^[\w.+-]+$/.test(wanted)) return undefined;
  const versions = path.join(home, 'versions');
  const fitting = namesIn(versions).filter((name) => name === wanted || name.startsWith(`${wanted}.`));
  const name = fitting.includes(wanted) ? wanted : fitting.sort(byVersion).at(-1);
  const found = inFolder(name === undefined ? undefined : path.join(versions, name));
  return found && !isFile(path.join(found.environment ?? '', 'pyvenv.cfg'))
    ? { program: found.program }
    : found;
}

/** `python.defaultInterpreterPath` in the settings of the workspace. */
function ofEditor(root: string): Python | undefined {
  const text = textOfFile(path.join(root, '.vscode/settings.json')) ?? '';
  const value = /^[^\n]*?"python\.defaultInterpreterPath"\s*:\s*"((?:[^"\\\n]|\\.)*)"/m.exec(text);
  if (value?.[1] === undefined || /^\s*\/\//.test(value[0])) return undefined;
  const place = expanded(value[1].replaceAll(/\\(.)/g, '$1'), root);
  // A mere name stands for what PATH has.
  return /[\\/]/.test(place) ? pythonAt(path.resolve(root, place)) : undefined;
}

function onPath(env: NodeJS.ProcessEnv, project: string): Python | undefined {
  const names = isWindows ? ['python.exe', 'python3.exe'] : ['python3', 'python'];
  for (const folder of (env['PATH'] ?? '').split(path.delimiter)) {
    // A relative entry would look in whatever folder we were started from; the stubs of Windows only open a shop.
    if (!path.isAbsolute(folder) || /[\\/]WindowsApps$/i.test(folder)) continue;
    const program = names.map((name) => path.join(folder, name)).find(isProgram);
    if (program === undefined) continue;
    // pyenv's own stand-ins need longer to start than Python does.
    const isStandIn = /[\\/]\.?pyenv[\\/]shims$/.test(folder);
    return (isStandIn ? ofPyenv(project, env, true) : undefined) ?? pythonAt(program);
  }
  return undefined;
}

/** `${workspaceFolder}`, `${env:NAME}` and `~`, as editors write them. */
function expanded(text: string, root: string): string {
  return text
    .replaceAll(/\$\{workspaceFolder(?:[^}]*)\}/g, root)
    .replaceAll(/\$\{env:(\w+)\}/g, (_all, name: string) => process.env[name] ?? '')
    .replace(/^~(?=[\\/]|$)/, os.homedir());
}

function byVersion(a: string, b: string): number {
  return a.localeCompare(b, 'en', { numeric: true });
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
