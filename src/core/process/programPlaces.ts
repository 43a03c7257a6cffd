// Where the files lie that a program needs to run: its own, its packages, and the interpreter that its first line names.
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isInside } from '../base/paths.ts';
import { isExecutable } from './programOnPath.ts';

/** Absolute files and folders, for each step of the links that lead to the program (absolute) and to its interpreter. */
export function programPlaces(program: string): readonly string[] {
  const places = new Set<string>();
  const queue = [program];
  for (let next = queue.pop(); next !== undefined && places.size < 100; next = queue.pop()) {
    const steps = stepsOf(next);
    for (const place of steps.flatMap(placesOf)) places.add(place);
    const interpreter = interpreterOf(steps.at(-1) ?? next);
    if (interpreter !== undefined && !steps.includes(interpreter)) queue.push(interpreter);
  }
  return [...places];
}

/** The folders of PATH, each with what belongs to it. */
export function pathPlaces(): readonly string[] {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  // Drives of Windows: their programs would run outside of any jail.
  return folders
    .filter((folder) => path.isAbsolute(folder) && existsSync(folder) && !/^\/mnt\/[a-z]\//.test(folder))
    .flatMap((folder) => [...programsIn(folder), ...installationAround(folder), ...linkedAround(folder)]);
}

/** The folder itself; of one such as `~/.tool`, which holds the user's settings and logins as well, the programs only. */
function programsIn(folder: string): readonly string[] {
  const isOfUser = path.dirname(folder) === os.homedir() && path.basename(folder).startsWith('.');
  return isOfUser ? filesIn(folder).filter(isExecutable) : [folder];
}

/** What links of this `bin` lead to within the installation around it, beside its parts. */
function linkedAround(folder: string): readonly string[] {
  const prefix = prefixOf(folder);
  if (prefix === undefined) return [];
  const shown = installationAround(folder);
  return filesIn(folder)
    .flatMap((file) => (linkAt(file) === undefined ? [] : stepsOf(file).slice(1)))
    .filter((target) => isInside(prefix, target) && !shown.some((part) => isInside(part, target)))
    .filter((target) => existsSync(target))
    .flatMap(placesOf);
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

/** The file itself, and what the links on the way to it name. */
function stepsOf(file: string): readonly string[] {
  const steps = [file];
  for (let next = file; steps.length < 20;) {
    const target = linkAt(next);
    if (target === undefined) break;
    next = path.resolve(path.dirname(next), target);
    steps.push(next);
  }
  const real = existsSync(file) ? realpathSync(file) : file;
  return steps.includes(real) ? steps : [...steps, real];
}

function linkAt(file: string): string | undefined {
  try {
    return readlinkSync(file);
  } catch {
    return undefined;
  }
}

/** The folder of packages or the installation that the file is part of; the file alone where there is none. */
function placesOf(file: string): readonly string[] {
  const parts = file.split('/');
  const modules = parts.indexOf('node_modules');
  if (modules > 0) return [parts.slice(0, modules + 1).join('/')];
  const installation = installationAround(path.dirname(file));
  return installation.length > 0 ? installation : [file];
}

/** What an installation is made of; what else lies beside its `bin` may be the user's: `~/.cargo/credentials.toml`. */
const parts = 'bin lib lib32 lib64 libexec share include opt Cellar pkg pyvenv.cfg'.split(' ');

/** Of a folder `X/bin` the parts of an installation that X has. */
function installationAround(folder: string): readonly string[] {
  const prefix = prefixOf(folder);
  if (prefix === undefined) return [];
  // Go compiles its library from the sources.
  const all = existsSync(path.join(prefix, 'pkg', 'tool')) ? [...parts, 'src'] : parts;
  return all.map((name) => path.join(prefix, name)).filter((place) => existsSync(place));
}

/** `X` of a folder `X/bin`, unless X holds more than an installation. */
function prefixOf(folder: string): string | undefined {
  const prefix = path.dirname(folder);
  const home = os.homedir();
  const isShared = prefix === home || prefix === path.join(home, '.local') || prefix === '/';
  return path.basename(folder) === 'bin' && !isShared && !existsSync(path.join(prefix, '.git'))
    ? prefix
    : undefined;
}

/** Of a script with `#!/an/interpreter`. */
function interpreterOf(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return undefined;
    const bytes = Buffer.alloc(512);
    const opened = openSync(file, 'r');
    try {
      readSync(opened, bytes, 0, bytes.length, 0);
    } finally {
      closeSync(opened);
    }
    return /^#!\s*(\/\S+)/.exec(bytes.toString('latin1'))?.[1];
  } catch {
    return undefined;
  }
}
