// Where the journals of edits lie, in the corner of a root: apart from what reads them, which hardly any start needs.
import path from 'node:path';

export const journalFolder = (cacheFolder: string): string => path.join(cacheFolder, 'journal');
