// Files that an installation writes among the sources and git ignores, as a generated _version.py: each layout of the scratch sweeps them away.
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { gitIn } from '../workspace/git.ts';

/** Contents in base64 by path relative to the top. */
export type GeneratedFiles = Readonly<Record<string, string>>;

const largest = 1_000_000;

/** Ignored files beside tracked ones; a folder that is ignored as a whole holds packages or a build, and stays away. */
export async function generatedFiles(top: string, signal: AbortSignal): Promise<GeneratedFiles> {
  const args = ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'];
  const { stdout } = await gitIn(top, signal)(args);
  const found: Record<string, string> = {};
  for (const file of stdout.split('\0')) {
    if (file === '' || file.endsWith('/')) continue;
    const place = path.join(top, file);
    const stats = await stat(place).catch(() => undefined);
    if (stats?.isFile() === true && stats.size <= largest)
      found[file] = (await readFile(place)).toString('base64');
  }
  return found;
}

export async function writeGenerated(top: string, files: GeneratedFiles): Promise<void> {
  for (const [file, content] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(top, file)), { recursive: true });
    await writeFile(path.join(top, file), Buffer.from(content, 'base64'));
  }
}

/** Empty where the file is not there or cannot be read. */
export async function readGenerated(file: string): Promise<GeneratedFiles> {
  try {
    return z.record(z.string(), z.string()).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return {};
  }
}
