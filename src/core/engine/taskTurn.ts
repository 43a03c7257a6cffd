// One tester at a time works on the tasks of a folder.
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import { takeLock, type OwnedLock } from '../sandbox/ownedLock.ts';
import { cacheFolderOf } from './workspaceOf.ts';

/** `root`: absolute real path. Undefined while another tester works there. */
export function takeTurn(root: string): Promise<OwnedLock | undefined> {
  return takeLock(path.join(cacheFolderOf(root), `tasks-${hashText(root).slice(0, 16)}.lock`));
}

export type { OwnedLock } from '../sandbox/ownedLock.ts';
