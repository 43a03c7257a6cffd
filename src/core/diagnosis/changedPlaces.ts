// Whether things are the same as before but for their order: what two exchanged names, columns or arguments give.

/** Of as many as before, each of which is still there. */
export function haveChangedPlaces(was: readonly string[], is: readonly string[]): boolean {
  if (was.length !== is.length || was.every((one, index) => one === is[index])) return false;
  const [before, after] = [was, is].map((all) => [...all].sort());
  return before?.every((one, index) => one === after?.[index]) === true;
}
