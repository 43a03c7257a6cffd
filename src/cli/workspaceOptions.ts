// The workspace that a command works on, from the options that every command has.
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import type { Workspace } from '../core/model/settings.ts';
import { cornerOf, userCacheFolder } from '../core/workspace/userFolders.ts';
import type { Options } from './options.ts';

/** Throws a `usage` HumanError when --root is no folder. */
export async function workspaceFrom(options: Options): Promise<Workspace> {
  const typed = options.text('root') ?? '.';
  const folder = path.resolve(typed);
  const stats = await stat(folder).catch(() => undefined);
  if (!stats?.isDirectory()) {
    throw new HumanError('usage', stats ? `${typed} is not a folder.` : `There is no folder ${typed}.`, {
      file: folder,
      value: typed,
      remedy: 'Name the folder of the workspace with --root.',
    });
  }
  const root = realPathOr(folder);
  const ms = (name: string, fallback: number): number => (options.number(name) ?? fallback) * 1000;
  return {
    root,
    limits: {
      timeoutMs: ms('timeout', 300),
      skillTimeoutMs: ms('skill-timeout', 30),
      maxParallel: options.number('max-parallel') ?? Math.max(1, os.availableParallelism()),
    },
    frameworks: options.list('framework'),
    cacheFolder: cornerOf(root, userCacheFolder()),
  };
}
