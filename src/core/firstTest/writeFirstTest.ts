// Writes a first test into the workspace: a new file, never over one that is there.
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../base/humanError.ts';
import { hasCode } from '../workspace/readText.ts';
import { checkPlace, type FirstTest } from './makeFirstTest.ts';

/** Throws a HumanError where a file came to be there meanwhile, or none may be written. */
export async function writeFirstTest(root: string, { file, text, source }: FirstTest): Promise<void> {
  checkPlace(root, file, source);
  const absolute = path.join(root, file);
  try {
    await mkdir(path.dirname(absolute), { recursive: true });
    await writeFile(absolute, text, { flag: 'wx' });
  } catch (error) {
    if (hasCode(error, 'EEXIST')) checkPlace(root, file, source);
    throw new HumanError(
      'read-only',
      `${file} cannot be written: ${errorMessage(error)}`,
      { file, remedy: 'Make its folder writable, or write the text elsewhere.' },
      { cause: error },
    );
  }
}
