// What the matrix installs into its folder, once: the packed tool away from every project, versions of Node, the packages of a cell.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Cell, NodeVersion } from './cells.ts';

const repository = path.resolve(import.meta.dirname, '../..');

export interface Tool {
  /** Absolute, of the command line. */
  readonly cli: string;
  /** Of everything in it: results of another tool do not count. */
  readonly hash: string;
}

/** The tool as it is published, in a folder that no `node_modules` leads to: its path has a blank, as an extension's may. */
export async function installTool(folder: string): Promise<Tool> {
  await mkdir(folder, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const archive = path.join(folder, run('npm', pack, repository).trim().split('\n').at(-1) ?? '');
  const place = path.join(folder, 'the tool');
  await rm(place, { recursive: true, force: true });
  await mkdir(place);
  run('tar', ['-xzf', archive, '-C', place], folder);
  await rm(archive);
  const dist = path.join(place, 'package/dist');
  const hash = createHash('sha256');
  for (const name of (await readdir(dist, { recursive: true })).toSorted()) {
    const text = await readFile(path.join(dist, name)).catch(() => undefined);
    if (text) hash.update(name).update(text);
  }
  return { cli: path.join(dist, 'cli.js'), hash: hash.digest('hex') };
}

/** Folder with the newest `node` of a major version, from the package of this platform. */
export async function installNode(folder: string, version: NodeVersion): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  const place = path.join(folder, `node-${version}`);
  await once(place, async (made) => {
    await writeFile(path.join(made, 'package.json'), '{}\n');
    npmInstall(made, [`${name}@${version}`]);
  });
  return path.join(place, 'node_modules', name, 'bin');
}

/** A folder with the packages of the cell, shared by the versions of Node; its name says what is in it. */
export async function installPackages(folder: string, { framework, packages }: Cell): Promise<string> {
  const place = path.join(folder, [framework, ...packages].join('_').replaceAll(/[^\w.-]+/g, '-'));
  await once(place, async (made) => {
    if (framework === 'pytest') {
      // A virtual environment knows its own place: made where it stays.
      run('python3', ['-m', 'venv', path.join(place, '.venv')], folder);
      run(path.join(place, '.venv/bin/python'), ['-m', 'pip', 'install', '-q', ...packages], folder);
      await rename(path.join(place, '.venv'), path.join(made, '.venv'));
    } else if (packages.length > 0) {
      await writeFile(path.join(made, 'package.json'), '{}\n');
      npmInstall(made, packages);
    }
  });
  return place;
}

/** Fills a folder beside and renames it at the end, so that one that was broken off is not taken for whole. */
async function once(place: string, fill: (made: string) => Promise<void>): Promise<void> {
  if (existsSync(path.join(place, '.installed'))) return;
  await rm(place, { recursive: true, force: true });
  const made = `${place}.part`;
  await rm(made, { recursive: true, force: true });
  await mkdir(made, { recursive: true });
  await fill(made);
  await rm(place, { recursive: true, force: true });
  await writeFile(path.join(made, '.installed'), '');
  await rename(made, place);
}

/** The scripts of packages fetch browsers and the like, which no cell needs. */
function npmInstall(folder: string, packages: readonly string[]): void {
  run(
    'npm',
    ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', ...packages],
    folder,
  );
}

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}
