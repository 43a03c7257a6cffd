// Finds the user's `node`: the one they configured, else the first on their PATH; never our own executable.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { isExecutable, programOnPath } from './programOnPath.ts';

/** Absolute path of the user's node. Throws a `not-installed` HumanError with a remedy when there is none. */
export async function userNode(workspace: {
  readonly nodePath?: string;
  readonly root: string;
}): Promise<string> {
  const { nodePath } = workspace;
  if (nodePath !== undefined && nodePath !== '') {
    if (path.isAbsolute(nodePath) && isExecutable(nodePath)) return nodePath;
    throw new HumanError('not-installed', `The configured node was not found: ${nodePath}`, {
      value: nodePath,
      remedy:
        'Set testmend.nodePath to the absolute path of a node executable, or remove it to use the one on PATH.',
    });
  }
  const found = programOnPath([process.platform === 'win32' ? 'node.exe' : 'node']);
  if (found !== undefined) return found;
  throw new HumanError('not-installed', 'No node executable was found on PATH.', {
    remedy:
      'Install Node.js 20.19 or newer and put it on PATH; in VS Code, testmend.nodePath names another one.',
  });
}
