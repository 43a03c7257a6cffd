// The workspace that a command works on: from the options that every command has to its projects and test files.
import { stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import { listTestFiles } from '../core/frameworks/discover.ts';
import type { TestListing } from '../core/frameworks/discover.ts';
import type { TestFramework } from '../core/frameworks/framework.ts';
import { frameworkOf } from '../core/frameworks/registry.ts';
import type { FrameworkProject } from '../core/model/frameworkProject.ts';
import type { Workspace } from '../core/model/settings.ts';
import type { FrameworkId } from '../core/model/testNode.ts';
import { mayFallBack } from '../core/run/fallback.ts';
import { plainLine } from '../core/reports/paint.ts';
import { recoverAndTell } from '../core/sandbox/recoveryNotes.ts';
import { cornerOf, userCacheFolder } from '../core/base/userFolders.ts';
import type { CommandContext } from './command.ts';
import { firstTestOffer } from './firstTestOffer.ts';

export interface OpenedWorkspace {
  readonly workspace: Workspace;
  readonly listing: TestListing;
  readonly projects: readonly FrameworkProject[];
  /** Absolute test files of all projects. */
  readonly testFiles: readonly string[];
  /** For the user's information: what was left out, what is wrong in parts of the workspace. */
  readonly notes: readonly string[];
  readonly frameworks: (id: FrameworkId) => TestFramework;
}

/** What of a command's context opens its workspace. */
type Opening = Pick<CommandContext, 'options' | 'terminal'>;

/**
 * Lists the test files of the workspace. Throws a HumanError: `usage` for a wrong --root, `no-tests` when there is no framework,
 * and the problem of the project when nothing of it can run.
 */
export async function openWorkspace(
  context: Opening & Pick<CommandContext, 'signal'>,
): Promise<OpenedWorkspace> {
  const workspace = await workspaceFrom(context);
  const listing = await listTestFiles(workspace, context.signal);
  const { projects, problems, notes, files } = listing;
  const [problem] = problems;
  const cannotRun = (project: FrameworkProject): boolean =>
    project.problem !== undefined && !mayFallBack(project, workspace.root);
  if (problem && projects.every(cannotRun)) {
    const { message, ...details } = problem;
    throw new HumanError(projects.length > 0 ? 'not-installed' : 'broken-project', message, details);
  }
  const offer = files.length === 0 ? await firstTestOffer(workspace, context.signal) : [];
  if (projects.length === 0) {
    const { noTestsError } = await import('./noTestsError.ts');
    throw await noTestsError(workspace, [...notes, ...offer], context.signal);
  }
  return {
    workspace,
    listing,
    projects,
    testFiles: [...new Set(files.map(({ absolute }) => absolute))],
    notes: [...notes, ...problems.map(({ message, remedy }) => `${message} ${remedy}`), ...offer],
    frameworks: (framework) => frameworkOf({ framework }),
  };
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
    throw new HumanError('usage', 'The current folder does not exist any more.', {
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
  const cacheFolder = cornerOf(root, userCacheFolder());
  for (const note of await recoverAndTell(cacheFolder, root)) await terminal.err(`! ${plainLine(note)}\n`);
  const pythonPath = process.env['TESTMEND_PYTHON'] ?? '';
  const ms = (name: string, fallback: number): number => (options.number(name) ?? fallback) * 1000;
  return {
    root,
    limits: {
      timeoutMs: ms('timeout', 300),
      skillTimeoutMs: ms('skill-timeout', 30),
      maxParallel: options.number('max-parallel') ?? Math.max(1, os.availableParallelism()),
    },
    ...(pythonPath === '' ? {} : { pythonPath }),
    frameworks: options.list('framework'),
    cacheFolder,
  };
}

/** Undefined where the current folder is gone. */
function resolved(typed: string): string | undefined {
  try {
    return path.resolve(typed);
  } catch {
    return undefined;
  }
}
