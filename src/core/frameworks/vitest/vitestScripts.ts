// What the scripts of a package.json say about how its vitest is started.
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { PackageJson } from '../framework.ts';
import { optionsAmong, testCommands, type FrameworkStart } from '../testScripts.ts';

const vitestStart: FrameworkStart = {
  isStart: (word) =>
    /^vitest$|(?:^|[\\/])\.bin[\\/]vitest$|[\\/]vitest[\\/](?:vitest|dist[\\/]cli)\.m?js$/.test(word),
};

const keptOptions = {
  values: ['environment', 'pool', 'mode', 'testTimeout', 'hookTimeout', 'retry', 'maxConcurrency'],
  flags: [
    'globals',
    'dom',
    'isolate',
    'no-isolate',
    'fileParallelism',
    'no-file-parallelism',
    'allowOnly',
    'no-allowOnly',
    'expect.requireAssertions',
    'typecheck',
    'typecheck.enabled',
    'typecheck.only',
  ],
};

interface VitestOptions {
  /** Absolute; it exists. */
  readonly config?: string;
  /** Options that say what the tests run in, as written. */
  readonly kept: readonly string[];
  readonly nodeFlags: readonly string[];
  /** Variables set for it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Of the first command that starts vitest; `folder` is that of the package.json. */
export function vitestScript(packageJson: PackageJson | undefined, folder: string): VitestOptions {
  const [command] = testCommands(packageJson?.scripts ?? {}, vitestStart);
  if (!command) return { kept: [], nodeFlags: [], env: {} };
  const { words, nodeFlags, env } = command;
  const long = words.map((word) => (word.text === '-c' ? { ...word, text: '--config' } : word));
  const named = optionsAmong(long, { values: ['config'], flags: [] })[0]?.slice('--config='.length);
  const config = named === undefined ? undefined : path.resolve(folder, named);
  return {
    ...(config !== undefined && existsSync(config) ? { config } : {}),
    kept: optionsAmong(words, keptOptions),
    nodeFlags,
    env,
  };
}
