// Reads sources for the gate, which looks at them to know what an import could still mean.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReadSource } from './repointedImports.ts';

/** Files below the root; what cannot be read is not there. */
export function readSourceIn(root: string): ReadSource {
  return (file) => {
    if (file.split('/').includes('..')) return undefined;
    try {
      return readFileSync(path.join(root, file), 'utf8');
    } catch {
      return undefined;
    }
  };
}
