// Which sources the user wants to hear of: the globs of the setting `testmend.coverage`.
import picomatch from 'picomatch';

/** A check for paths relative to the root, POSIX; `!glob` leaves out, and without any other glob everything else is told. */
export function createReportedCheck(globs: readonly string[]): (file: string) => boolean {
  const without = globs.filter((glob) => glob.startsWith('!')).map((glob) => glob.slice(1));
  const wanted = globs.filter((glob) => !glob.startsWith('!'));
  const isWanted = wanted.length > 0 ? picomatch(wanted, { dot: true }) : () => true;
  const isWithout = without.length > 0 ? picomatch(without, { dot: true }) : () => false;
  return (file) => isWanted(file) && !isWithout(file);
}
