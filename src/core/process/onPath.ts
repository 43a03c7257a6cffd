// Finds a program of the user's on their PATH, as a shell would, but never in the folder we were started from.
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';

/** Absolute path of the first executable of the name; undefined when there is none. `name` is without the ending of Windows. */
export async function programOnPath(name: string): Promise<string | undefined> {
  const file = process.platform === 'win32' ? `${name}.exe` : name;
  for (const folder of (process.env['PATH'] ?? '').split(path.delimiter)) {
    // A relative entry would look in whatever folder we were started from.
    if (!path.isAbsolute(folder)) continue;
    const candidate = path.join(folder, file);
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}
