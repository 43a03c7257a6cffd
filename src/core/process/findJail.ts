// Finds the jail of this machine, if it has one.
import { bubblewrap } from './bubblewrap.ts';
import { works, type Jail } from './jail.ts';
import { userNamespaces } from './userNamespaces.ts';

/** The first jail that works here; undefined where there is none. `folder`: as in `JailView`, of this question only. */
export async function findJail(folder: string): Promise<Jail | undefined> {
  if (process.platform !== 'linux') return undefined;
  for (const jail of [bubblewrap(), userNamespaces()])
    if (jail !== undefined && (await works(jail, folder))) return jail;
  return undefined;
}
