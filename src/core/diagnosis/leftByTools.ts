// Knows the reports that test tools and we ourselves leave in a workspace: new files, but no change that a test could notice.
import { open } from 'node:fs/promises';
import path from 'node:path';

/** Where these kinds of reports show what they are, in their first lines. */
const beginnings: ReadonlyMap<string, RegExp> = new Map([
  ['.patch', /^/],
  ['.diff', /^/],
  ['.log', /^/],
  ['.info', /^(?:TN|SF):/m],
  ['.xml', /<(?:testsuites?|coverage)[\s>]/],
  ['.md', /^# (?:Testmend: |.*\bTestmend did not mend$)/m],
  ['.json', /^\{\s*"status":\s*"(?:passed|needs-attention|nothing-to-do)",[^]{0,200}"passRate/],
]);

/** Of a file that is new since the commit; `file` is absolute. What cannot be read is none. */
export async function isLeftByTools(file: string): Promise<boolean> {
  const known = beginnings.get(path.extname(file).toLowerCase());
  return known !== undefined && known.test(await beginningOf(file));
}

async function beginningOf(file: string): Promise<string> {
  const handle = await open(file).catch(() => undefined);
  if (handle === undefined) return '';
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(1024) });
    return buffer.toString('utf8', 0, bytesRead);
  } catch {
    return '';
  } finally {
    await handle.close();
  }
}
