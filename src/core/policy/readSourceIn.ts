// Reads sources for the gate, which looks at them to know what an import could still mean.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { committedText } from '../workspace/git.ts';
import { mayBeTakenInPackage, mayBeTakenByOthers } from '../modules/namesTakenByOthers.ts';
import type { ReadSource } from './repointedImports.ts';

/** Files below the root; what cannot be read is not there. */
export function readSourceIn(root: string): ReadSource {
  const read = (file: string): string | undefined => {
    if (file.split('/').includes('..')) return undefined;
    try {
      return readFileSync(path.join(root, file), 'utf8');
    } catch {
      return undefined;
    }
  };
  return Object.assign(read, {
    former: formerIn(root),
    mayBeTakenByOthers: (file: string) =>
      file.endsWith('.go') ? mayBeTakenInPackage(path.join(root, file)) : mayBeTakenByOthers(root, file),
  });
}

/** Asks git once for each file. */
function formerIn(root: string): NonNullable<ReadSource['former']> {
  const known = new Map<string, string | undefined>();
  return (file) => {
    if (file.split('/').includes('..')) return undefined;
    if (!known.has(file)) {
      const last = committedText(root, 'HEAD', file);
      let now: string | undefined;
      try {
        now = readFileSync(path.join(root, file), 'utf8');
      } catch {
        // It is gone.
      }
      known.set(file, last === now ? committedText(root, 'HEAD~1', file) : last);
    }
    return known.get(file);
  };
}
