// The workspace that a command works on, by the options that every command has.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import { openWorkspace, type OpenedWorkspace } from '../core/engine/openWorkspace.ts';
import { recoverRoot } from '../core/engine/recoverRoot.ts';
import { workspaceOf } from '../core/engine/workspaceOf.ts';
import type { Workspace } from '../core/model/settings.ts';
import { plainLine } from '../core/reports/paint.ts';
import type { CommandContext } from './command.ts';
import { namedHistoryRuns } from './namedHistoryRuns.ts';

/** What of a command's context opens its workspace. */
type Opening = Pick<CommandContext, 'options' | 'terminal'>;

/** The workspace of a command with its test files. Throws what `workspaceFrom` and the engine throw. */
export async function openedFrom(
  context: Opening & Pick<CommandContext, 'signal'>,
): Promise<OpenedWorkspace> {
  return openWorkspace(await workspaceFrom(context), context.signal);
}

/**
 * The workspace, after a command that was killed while it wrote has been made good, which stderr tells. Throws a `usage`
 * HumanError when --root is no folder.
 */
export async function workspaceFrom({ options, terminal }: Opening): Promise<Workspace> {
  const typed = options.text('root');
  const folder = resolved(typed ?? '.');
  const stats = folder === undefined ? undefined : await stat(folder).catch(() => undefined);
  if (folder === undefined || (typed === undefined && !stats)) {
    throw new HumanError('usage', 'The current folder no longer exists.', {
      remedy: 'Change to the folder of the workspace, or name it with --root as an absolute path.',
    });
  }
  if (!stats?.isDirectory()) {
    throw new HumanError('usage', stats ? `${typed} is not a folder.` : `There is no folder ${typed}.`, {
      file: folder,
      ...(typed !== undefined && { value: typed }),
      remedy: 'Name the folder of the workspace with --root.',
    });
  }
  const root = realPathOr(folder);
  for (const note of await recoverRoot(root)) await terminal.err(`! ${plainLine(note)}\n`);
  return workspaceOf({
    root,
    frameworks: options.list('framework'),
    timeoutSeconds: options.number('timeout'),
    skillTimeoutSeconds: options.number('skill-timeout'),
    maxParallel: options.number('max-parallel'),
    pythonPath: process.env['TESTMEND_PYTHON'] ?? '',
    historyRuns: namedHistoryRuns(),
  });
}

/** Undefined where the current folder is gone. */
function resolved(typed: string): string | undefined {
  try {
    return path.resolve(typed);
  } catch {
    return undefined;
  }
}
