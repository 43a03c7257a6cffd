// Names what lies in a sandbox, for caches of what tools compile there.
import { hashText } from '../base/hash.ts';

/** `edited` are files relative to the root with their bytes, undefined for one that is gone; `changes` tells states of the original apart. */
export function stateName(
  changes: number,
  edited: readonly (readonly [string, Uint8Array | undefined])[],
  isAlone: (file: string) => boolean,
): string {
  const laid = edited
    .filter(([file]) => !isAlone(file))
    .map(([file, bytes]) => `${file} ${bytes === undefined ? '' : hashText(bytes)}`);
  return hashText(JSON.stringify([changes, ...laid.sort()])).slice(0, 16);
}
