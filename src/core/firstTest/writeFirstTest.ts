// Writes a first test into the workspace: a new file, never over one that is there.
import { writeNewFile } from '../workspace/writeNewFile.ts';
import { checkPlace, type FirstTest } from './makeFirstTest.ts';

/** Throws a HumanError where a file came to be there meanwhile, or none may be written. */
export async function writeFirstTest(root: string, { file, text, source }: FirstTest): Promise<void> {
  checkPlace(root, file, source);
  await writeNewFile(root, file, text);
}
