// The files that a command is to write besides what it shows: checked before anything runs, written at its end.
import { mkdir, open, realpath, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../core/base/humanError.ts';
import { fileReports, reportFolder } from '../core/reports/fileReporter.ts';
import { plural } from '../core/reports/paint.ts';
import type { Options } from './options.ts';

interface OutputFile {
  readonly what: 'patch' | 'hand-over' | 'report' | 'events' | 'page' | 'summary';
  /** How it is named on the command line: "--patch F". */
  readonly option: string;
  /** As typed. */
  readonly file: string;
}

const reportsWithFile: ReadonlySet<string> = new Set([...Object.keys(fileReports), 'terminal']);
const ownOptions = [
  { what: 'patch', name: 'patch', option: '--patch F' },
  { what: 'hand-over', name: 'hand-over', option: '--hand-over F' },
  { what: 'page', name: 'html', option: '--html FILE' },
  { what: 'report', name: 'out', option: '--out F' },
] as const;

/**
 * Makes the folders of all files that the options of `fix`, `run` or `replay` name. Throws a HumanError for the first that is a folder
 * or a file of the project (`usage`), or lies where nothing can be written (`read-only`).
 */
export async function readyOutputs(options: Options): Promise<void> {
  const outputs = outputsOf(options);
  for (const output of outputs) await refuseTaken(output);
  if (options.list('reporter').some((spec) => reportsWithFile.has(spec) && spec !== 'terminal'))
    await readyReportFolder(options.text('root') ?? '.');
  for (const output of outputs) await readyPlace(output);
  // The folder of one may be the file of another.
  for (const output of outputs) await refuseFolder(output);
}

/** Throws a `read-only` HumanError that names the file and the option. */
export async function writeOutput(output: OutputFile, text: string): Promise<void> {
  try {
    await mkdir(path.dirname(output.file), { recursive: true });
    await writeFile(output.file, text);
  } catch (error) {
    throw unwritable(output, error);
  }
}

export function unwritable({ what, file, option }: OutputFile, error: unknown): HumanError {
  return new HumanError(
    'read-only',
    `The ${what} cannot be written to ${file}: ${errorMessage(error)}`,
    { file, value: file, remedy: `Name a file that can be written with ${option}.` },
    { cause: error },
  );
}

/** All that could not be written at the end of a cycle as one error, which tells what happened to the workspace. */
export function endError(troubles: readonly unknown[], applied: number): HumanError | undefined {
  const [first] = troubles;
  if (first === undefined) return undefined;
  const messages = [...troubles.map(sentence), `${plural(applied, 'fix was', 'fixes were')} applied.`];
  const { code, details } =
    first instanceof HumanError
      ? first
      : { code: 'read-only' as const, details: { remedy: 'Name files that can be written.' } };
  return new HumanError(code, messages.join(' '), details, { cause: first });
}

const sentence = (error: unknown): string => errorMessage(error).replace(/[^.]$/, '$&.');

function outputsOf(options: Options): readonly OutputFile[] {
  const own = ownOptions.flatMap(({ name, ...output }) =>
    options.list(name).map((file) => ({ ...output, file })),
  );
  const reports = options.list('reporter').flatMap((spec) => {
    const [name, file] = split(spec);
    return !reportsWithFile.has(name) || file === ''
      ? []
      : [{ what: 'report' as const, option: `--reporter ${name}=FILE`, file }];
  });
  const events = options.list('events').flatMap((spec) => {
    const [name, file] = split(spec);
    return name !== 'ndjson' || file === ''
      ? []
      : [{ what: 'events' as const, option: '--events ndjson=FILE', file }];
  });
  return [...own, ...reports, ...events];
}

function split(spec: string): readonly [name: string, file: string] {
  const [name = '', ...rest] = spec.split('=');
  return [name, rest.join('=')];
}

async function refuseTaken(output: OutputFile): Promise<void> {
  await refuseFolder(output);
  if (!(await isTaken(output))) return;
  const { what, file, option } = output;
  throw new HumanError('usage', `The ${what} cannot be written to ${file}: it is a file of the project.`, {
    file,
    value: file,
    remedy: `Name a file that git does not track with ${option}.`,
  });
}

async function refuseFolder({ what, file, option }: OutputFile): Promise<void> {
  const stats = await stat(file).catch(() => undefined);
  if (stats?.isDirectory() !== true && !/[\\/]$/.test(file)) return;
  throw new HumanError('usage', `The ${what} cannot be written to ${file}: it is a folder.`, {
    file,
    value: file,
    remedy: `Name a file in it with ${option}.`,
  });
}

/** Tracked by git, and no former report. */
async function isTaken({ file }: OutputFile): Promise<boolean> {
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined || (await stat(real)).size === 0) return false;
  const { isOfProject } = await import('../core/engine/fileOfProject.ts');
  return isOfProject(real);
}

/** A root that is none is refused by what opens the workspace. */
async function readyReportFolder(root: string): Promise<void> {
  const stats = await stat(root).catch(() => undefined);
  if (stats?.isDirectory() !== true) return;
  try {
    await probe(await reportFolder(root));
  } catch (error) {
    const output = {
      what: 'report',
      option: '--reporter NAME=FILE',
      file: path.join(root, '.testmend'),
    } as const;
    throw unwritable(output, error);
  }
}

async function readyPlace(output: OutputFile): Promise<void> {
  try {
    const folder = path.dirname(output.file);
    await mkdir(folder, { recursive: true });
    const stats = await stat(output.file).catch(() => undefined);
    if (stats === undefined) await probe(folder);
    // A pipe or a device waits for somebody who reads it: only files are opened.
    else if (stats.isFile()) await (await open(output.file, 'r+')).close();
  } catch (error) {
    throw unwritable(output, error);
  }
}

/** Only a try tells whether a file can be made: rights are not all that keeps it from being made. */
async function probe(folder: string): Promise<void> {
  const file = path.join(folder, `.testmend-${process.pid}.partial`);
  await (await open(file, 'wx')).close();
  await rm(file);
}
