// Finds the user's `node`: the one they configured, else the first on their PATH; never our own executable.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';

/** Absolute path of the user's node. Throws a `not-installed` HumanError with a remedy when there is none. */
export async function userNode(workspace: {
  readonly nodePath?: string;
  readonly root: string;
}): Promise<string> {
  const { nodePath } = workspace;
  if (nodePath !== undefined && nodePath !== '') {
    if (path.isAbsolute(nodePath) && (await isExecutable(nodePath))) return nodePath;
    throw new HumanError('not-installed', `The configured node was not found: ${nodePath}`, {
      value: nodePath,
      remedy:
        'Set testmend.nodePath to the absolute path of a node executable, or remove it to use the one on PATH.',
    });
  }
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    // A relative entry would look in whatever folder we were started from.
    if (!path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, name);
    if (await isExecutable(candidate)) return candidate;
  }
  throw new HumanError('not-installed', 'No node executable was found on PATH.', {
    remedy: 'Install Node.js 20.19 or newer, or set testmend.nodePath.',
  });
}

async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
