// The secrets that the text of a file gives away, by the language that it is written in.
import path from 'node:path';
import { Sureness, surenessWithin } from '../base/secretNames.ts';
import { isCarried } from '../base/secretValues.ts';
import { scriptSecrets } from './javascript/scriptSecrets.ts';
import { plainSecrets } from './plainSecrets.ts';
import type { LoadBeside } from './ownImports.ts';

export function fileSecrets(file: string, text: string, load: LoadBeside): ReadonlySet<string> {
  const base = path.posix.basename(file).replace(/\..*$/, '');
  if (!/\.(?:[cm]?[jt]sx?|py|go|vue|svelte)$/.test(file) && surenessWithin(base) >= Sureness.worded)
    return new Set(text.split(/[\s:=,;|"'`]+/).filter(isCarried));
  if (!/\.(?:[cm]?[jt]sx?|json)$/.test(file)) return plainSecrets(text);
  try {
    return scriptSecrets(file, text, load);
  } catch {
    // Nested too deeply to be read as a tree.
    return plainSecrets(text);
  }
}
