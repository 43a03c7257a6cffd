// Which jails work on this machine? With CI=true there must be one.
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { bubblewrap } from '../../src/core/process/bubblewrap.ts';
import { works, type Jail } from '../../src/core/process/jail.ts';
import { userNamespaces } from '../../src/core/process/userNamespaces.ts';

/** Throws where CI=true and there is none. */
export async function jailsHere(): Promise<readonly Jail[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'testmend-jail-'));
  try {
    const found: Jail[] = [];
    for (const [name, jail] of [
      ['bubblewrap', bubblewrap()],
      ['user namespaces', userNamespaces()],
    ] as const)
      if (jail !== undefined && (await works(jail, folder))) found.push(jail);
      else console.warn(`    (skipped: there is no jail by ${name} here)`);
    if (found.length === 0 && process.env['CI'] === 'true') throw new Error('there is no jail here');
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
