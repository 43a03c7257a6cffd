// Writes a file that is not there yet, with its folders: never over another one.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../base/humanError.ts';
import { hasCode } from './readText.ts';

/** `file` is relative to `root`. Throws a HumanError where one came to be there meanwhile (`bad-input`), or none may be written (`read-only`). */
export async function writeNewFile(root: string, file: string, text: string): Promise<void> {
  const absolute = path.join(root, file);
  try {
    await mkdir(path.dirname(absolute), { recursive: true });
    await writeFile(absolute, text, { flag: 'wx' });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) {
      throw new HumanError('bad-input', `The file ${file} already exists.`, {
        file,
        remedy: 'Look at it first.',
      });
    }
    throw new HumanError(
      'read-only',
      `${file} cannot be written: ${errorMessage(error)}`,
      { file, remedy: 'Make its folder writable, or write the text elsewhere.' },
      { cause: error },
    );
  }
}
