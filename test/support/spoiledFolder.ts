// Somebody who puts a file in the place of a folder while a command runs.
import { existsSync, rmSync, writeFileSync } from 'node:fs';

/** Asked again and again (`interruptWhen`); does it once, as soon as the file `begun` is there, and interrupts nothing. */
export function spoiling(folder: string, begun: string): () => Promise<boolean> {
  let isDone = false;
  return () => {
    if (!isDone && existsSync(begun)) {
      isDone = true;
      rmSync(folder, { recursive: true });
      writeFileSync(folder, '');
    }
    return Promise.resolve(false);
  };
}
