// Writes a file that somebody asked for: whole or not at all, and over another one only when told.
import { link, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../base/humanError.ts';
import { hasCode } from '../workspace/readText.ts';

/** `file` is absolute. Throws a HumanError where it exists (`bad-input`), or cannot be written (`read-only`). */
export async function writeScenarioFile(file: string, text: string, force: boolean): Promise<void> {
  const partial = `${file}.${process.pid}.partial`;
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(partial, text, { flag: 'wx' });
    // Of both only the link fails where the file came to be there meanwhile.
    await (force ? rename(partial, file) : link(partial, file));
  } catch (error) {
    if (hasCode(error, 'EEXIST')) throw alreadyThere(file);
    throw new HumanError(
      'read-only',
      `${file} cannot be written: ${errorMessage(error)}`,
      { file, value: file, remedy: 'Name a file that can be written with --out F.' },
      { cause: error },
    );
  } finally {
    await rm(partial, { force: true }).catch(() => undefined);
  }
}

export function alreadyThere(file: string): HumanError {
  return new HumanError('bad-input', `The file ${file} already exists.`, {
    file,
    value: file,
    remedy: 'Name another one with --out F, or write over it with --force.',
  });
}
