// `testmend scenario run`: runs scenarios as tests of their framework, with what only they know.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { scenariosCalled } from '../core/engine/scenarioFiles.ts';
import type { Command } from './command.ts';
import { runCommand } from './run.ts';

export const scenarioRunCommand: Command = async (context) => {
  const { files: names, options } = context;
  const root = options.text('root') ?? '.';
  const files: string[] = [];
  const filters: string[] = [];
  for (const name of names) {
    const isThere = await stat(path.resolve(root, name)).then(
      () => true,
      () => false,
    );
    const isFile = isThere || /\.scenario\.(?:ya?ml|json)(?::\d+)?$/.test(name);
    const called = isFile ? [name] : await scenariosCalled(path.resolve(root), name);
    if (called.length > 0) files.push(...called);
    else filters.push(name);
  }
  const chosen = options.with('framework', 'scenario');
  return runCommand({
    ...context,
    files,
    options: filters.length === 0 ? chosen : chosen.with('filter', filters.join(' ')),
  });
};
