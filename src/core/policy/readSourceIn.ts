// Reads sources for the gate, which looks at them to know what an import could still mean.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { takenBeside, takenElsewhere } from '../workspace/takenElsewhere.ts';
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
    takenElsewhere: (file: string) =>
      file.endsWith('.go') ? takenBeside(path.join(root, file)) : takenElsewhere(root, file),
  });
}
