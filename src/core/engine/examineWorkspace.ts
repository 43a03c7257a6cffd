// Checks what Testmend finds and misses in a workspace, each with its remedy. Runs none of the workspace's code.
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { listTestFiles } from '../frameworks/discover.ts';
import type { Workspace } from '../model/settings.ts';
import { openRepository } from '../workspace/git.ts';
import { readHistory } from './runHistory.ts';

export interface Check {
  readonly name: string;
  /** warn: Testmend works, with less. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** A command or a sentence; of what is not ok. */
  readonly remedy?: string;
}

/** Frameworks, test files, git, and the folder of reports. Throws the cancellation error. */
export async function examineWorkspace(workspace: Workspace, signal: AbortSignal): Promise<readonly Check[]> {
  const { root } = workspace;
  return [
    ...(await frameworkChecks(workspace, signal)),
    await gitCheck(root, signal),
    await writeCheck(root),
    await historyCheck(root),
  ];
}

async function frameworkChecks(workspace: Workspace, signal: AbortSignal): Promise<readonly Check[]> {
  const { root } = workspace;
  try {
    const { projects, problems, files } = await listTestFiles(workspace, signal);
    const known = projects.map(({ framework, root: place, version = '', problem, aside, about }): Check => {
      const at = toRelativePosix(root, place) || '.';
      if (problem === undefined)
        return {
          name: framework,
          status: 'ok',
          message: `${framework} ${version} in ${at}${about === undefined ? '' : ` (${about})`}`.replace(
            '  ',
            ' ',
          ),
        };
      return {
        name: framework,
        status: aside ? 'warn' : 'fail',
        message: problem.message,
        remedy: problem.remedy,
      };
    });
    const told = new Set(known.map(({ message }) => message));
    const others = problems
      .filter(({ message }) => !told.has(message))
      .map(({ message, remedy }): Check => ({ name: 'project', status: 'fail', message, remedy }));
    const count = new Set(files.map(({ absolute }) => absolute)).size;
    const remedy =
      projects.length === 0
        ? 'Install a test framework, such as with `npm install -D vitest`.'
        : 'Make a first test with `testmend generate SOURCE`.';
    const tests: Check =
      count > 0
        ? { name: 'tests', status: 'ok', message: `${count} test ${count === 1 ? 'file' : 'files'}` }
        : { name: 'tests', status: 'fail', message: 'There is no test file.', remedy };
    return [...known, ...others, tests];
  } catch (error) {
    if (!(error instanceof HumanError) || signal.aborted) throw error;
    return [{ name: 'project', status: 'fail', message: error.message, remedy: error.details.remedy ?? '' }];
  }
}

async function gitCheck(root: string, signal: AbortSignal): Promise<Check> {
  const repository = await openRepository(root, { signal }).catch(() => undefined);
  if (repository !== undefined)
    return { name: 'git', status: 'ok', message: 'The folder is in a repository.' };
  return {
    name: 'git',
    status: 'warn',
    message: 'Without a git repository nothing tells what changed: affected tests and causes are unknown.',
    remedy: '`git init`, then commit the files.',
  };
}

async function writeCheck(root: string): Promise<Check> {
  const name = 'reports';
  try {
    const own = path.join(root, '.testmend');
    const isThere = await access(own).then(
      () => true,
      () => false,
    );
    await access(isThere ? own : root, constants.W_OK);
    return { name, status: 'ok', message: 'Reports and history can be written to .testmend/.' };
  } catch (error) {
    return {
      name,
      status: 'warn',
      message: `Reports and history cannot be written: ${errorMessage(error)}`,
      remedy: 'Give yourself the right to write in the folder: `chmod u+w .`.',
    };
  }
}

async function historyCheck(root: string): Promise<Check> {
  const name = 'history';
  try {
    const { runs, warnings } = await readHistory(root);
    const [warning] = warnings;
    if (warning === undefined) return { name, status: 'ok', message: `Runs in the history: ${runs.length}.` };
    return { name, status: 'warn', message: warning, remedy: 'Nothing to do: it is not read again.' };
  } catch (error) {
    return { name, status: 'warn', message: errorMessage(error), remedy: '`rm .testmend/history`' };
  }
}
