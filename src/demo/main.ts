// `npm run demo`: a sample shop breaks and is mended before your eyes; ends with 1 when anything went otherwise than it should.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { HumanError } from '../core/base/humanError.ts';
import { cornerOf, userCacheFolder, userStateFolder } from '../core/base/userFolders.ts';
import { errorText } from '../cli/errors.ts';
import { withInterruption } from '../cli/interruption.ts';
import { processTerminal } from '../cli/terminal.ts';
import type { Terminal } from '../cli/terminal.ts';
import { shopWords } from './shopWords.ts';
import { tellStory } from './story.ts';

const usage = `npm run demo [-- --seed N] [--keep] [--dir D] [--no-color]

  --seed N    names and values of the shop; the same seed makes the same shop
  --keep      leave the shop on disk
  --dir D     make it in this new or empty folder and leave it there
`;

const terminal = processTerminal({ json: false, noColor: process.argv.includes('--no-color') });
try {
  process.exit(await main(terminal));
} catch (error) {
  if (!(error instanceof HumanError))
    await terminal.err(`${error instanceof Error ? error.stack : String(error)}\n`);
  await terminal.err(errorText(error, terminal));
  process.exit(2);
}

async function main(terminal: Terminal): Promise<number> {
  const { seed, keep, dir, help } = readOptions();
  if (help) {
    await terminal.out(usage);
    return 0;
  }
  const words = shopWords(seed);
  const parent =
    dir === undefined ? await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-demo-'))) : undefined;
  const folder =
    parent === undefined
      ? path.resolve(dir ?? '')
      : path.join(parent, words.shop.toLowerCase().replaceAll(' ', '-'));
  try {
    const good = await withInterruption(undefined, (signal) =>
      tellStory({ seed, words, folder, terminal, signal }),
    );
    if (keep || dir !== undefined) await terminal.out(`\nThe shop is in ${folder}\n`);
    return good ? 0 : 1;
  } finally {
    const made = parent === undefined ? [] : [parent];
    if (!keep) await Promise.all([...made, ...corners(folder)].map(removeFolder));
  }
}

/** What commands keep about the folder elsewhere. */
function corners(folder: string): string[] {
  return [userCacheFolder(), userStateFolder()].map((place) => cornerOf(folder, place));
}

function removeFolder(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
}

interface DemoOptions {
  readonly seed: number;
  readonly keep: boolean;
  readonly dir: string | undefined;
  readonly help: boolean;
}

function readOptions(): DemoOptions {
  const remedy = usage.split('\n')[0] ?? '';
  let values: { seed?: string; keep?: boolean; dir?: string; help?: boolean };
  try {
    ({ values } = parseArgs({
      options: {
        seed: { type: 'string' },
        keep: { type: 'boolean' },
        dir: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
        'no-color': { type: 'boolean' },
      },
    }));
  } catch (error) {
    throw new HumanError(
      'usage',
      error instanceof Error ? error.message : 'Wrong options.',
      { remedy },
      { cause: error },
    );
  }
  const seed = values.seed ?? String(1000 + (Date.now() % 9000));
  if (!/^\d{1,9}$/.test(seed))
    throw new HumanError('usage', `--seed must be a whole number, not "${seed}".`, { value: seed, remedy });
  return { seed: Number(seed), keep: values.keep ?? false, dir: values.dir, help: values.help ?? false };
}
