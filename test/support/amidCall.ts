// Does something once at the very moment before a call of node:fs, as another program might.
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

export interface Deed {
  readonly fits: (from: unknown, to: unknown) => boolean;
  /** What it throws, the call throws. */
  readonly deed: () => void;
}

/** Does the work, and the deed directly before its first call that fits; tells whether there was one. */
export function amidCall(
  name: 'appendFileSync' | 'renameSync' | 'linkSync',
  { fits, deed }: Deed,
  work: () => void,
): boolean {
  const original = fs[name];
  let isDone = false;
  const patched = (...args: unknown[]): unknown => {
    if (!isDone && fits(args[0], args[1])) {
      isDone = true;
      deed();
    }
    return Reflect.apply(original, fs, args);
  };
  Object.assign(fs, { [name]: patched });
  syncBuiltinESMExports();
  try {
    work();
  } finally {
    Object.assign(fs, { [name]: original });
    syncBuiltinESMExports();
  }
  return isDone;
}
