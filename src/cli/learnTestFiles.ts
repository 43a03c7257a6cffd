// Lets the frameworks say once which files are their tests, where a configuration that computes them keeps `fix` from knowing.
import path from 'node:path';
import { holdsTests, rememberRanFiles } from '../core/frameworks/rememberRanFiles.ts';
import { plainLine } from '../core/reports/paint.ts';
import { runTests } from '../core/run/runTests.ts';
import type { CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import { runProgress } from './runProgress.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';
import { openedFrom } from './workspaceOptions.ts';

/**
 * The workspace of the command. Where no test file is listed, or one that was named holds tests and is not, everything runs once
 * before, and what the frameworks ran is listed.
 */
export async function openForFix(context: CommandContext): Promise<OpenedWorkspace> {
  const opened = await openedFrom(context);
  if (!(await isInDoubt(context.files, opened))) return opened;
  const { terminal, signal } = context;
  const { workspace, projects, frameworks, listing } = opened;
  await terminal.err(`! ${plainLine('All tests run once before, to see which files they are in.')}\n`);
  const live = new LiveLine(terminal);
  const progress = runProgress(live, '');
  const summary = await runTests({
    workspace,
    projects,
    frameworks,
    selection: {},
    signal,
    onEvent: (event) => progress.onEvent?.(event),
  }).finally(() => live.clear());
  return (await rememberRanFiles(workspace, listing, summary)) ? openedFrom(context) : opened;
}

async function isInDoubt(typed: readonly string[], opened: OpenedWorkspace): Promise<boolean> {
  const { testFiles, projects, workspace } = opened;
  if (testFiles.length === 0) return true;
  const known = new Set(testFiles);
  const named = typed
    .flatMap((name) => [path.resolve(name), path.resolve(workspace.root, name)])
    .filter((file) => !known.has(file));
  for (const file of named)
    for (const project of projects)
      if (file.startsWith(workspace.root + path.sep) && (await holdsTests(project, file))) return true;
  return false;
}
