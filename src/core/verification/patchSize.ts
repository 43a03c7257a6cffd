// How much a patch may change to be judged: the fix policy compares what it replaces with all that stands there now.
import { HumanError } from '../base/humanError.ts';

/** Lines that go and lines that come, together; stored snapshots are compared by their names, and are not counted. */
const mostChangedLines = 5_000;
/** Characters, snapshots included. */
const longestPatch = 64 * 1024 * 1024;

/** Throws a `bad-input` HumanError for a patch of which nobody would wait for the verdict. */
export function refuseTooMuch(patch: string): void {
  if (patch.length > longestPatch) throw tooMuch(`its size is ${Math.round(patch.length / 1024 / 1024)} MB`);
  let [changed, isCounted] = [0, true];
  for (const [line] of patch.matchAll(/^(?:[-+]|diff --git ).*/gm)) {
    if (line.startsWith('diff --git ') || line.startsWith('+++ ')) isCounted = !/\.snap"?\s*$/.test(line);
    else if (isCounted && !line.startsWith('--- ')) changed++;
  }
  if (changed > mostChangedLines)
    throw tooMuch(
      `it changes ${changed.toLocaleString('en')} lines, and the limit is ${mostChangedLines.toLocaleString('en')}`,
    );
}

const tooMuch = (reason: string): HumanError =>
  new HumanError('bad-input', `The patch is too large to be judged: ${reason}.`, {
    remedy: 'Split it into smaller patches, for example one per file.',
  });
