// The workspace now and as of the last commit, side by side: what a specifier stood for, and where that file went.
import path from 'node:path';
import type ts from 'typescript';
import type { ChangedSource, SourceChanges } from '../../diagnosis/sourceChanges.ts';
import { diskView, overlayView, type FileView } from '../../modules/fileView.ts';
import { createModuleResolver, type ModuleResolver } from '../../modules/moduleResolver.ts';

/** One state of the workspace; all paths absolute. */
export interface Revision {
  readonly resolver: ModuleResolver;
  readonly readText: (file: string) => Promise<string | undefined>;
}

export interface Revisions {
  readonly root: string;
  readonly now: Revision;
  readonly before: Revision;
  /** Changed files that exist now and may hold an export that went away elsewhere. */
  readonly changedNow: readonly string[];
  /** Those that were there before, as they were called then. */
  readonly changedBefore: readonly string[];
  /** Files that exist now and did not before, under no name. */
  readonly added: readonly string[];
  /** The file's path before, undefined when it is new. */
  readonly pathBefore: (file: string) => string | undefined;
  /** Where a file of before is now, undefined when it is gone. */
  readonly pathNow: (file: string) => string | undefined;
  /** "since the last commit" or "in the last commit", for sentences. */
  readonly when: string;
}

/** Reads nothing but the changed configuration files yet; texts come when asked for. */
export async function createRevisions(
  typescript: typeof ts,
  root: string,
  changes: SourceChanges,
  when: string,
): Promise<Revisions> {
  const all: readonly ChangedSource[] = [...changes.files, ...(changes.testFiles ?? [])];
  const absolute = (file: string): string => path.join(root, file);
  const movedTo = new Map<string, string | undefined>();
  const cameFrom = new Map<string, string | undefined>();
  for (const change of all) {
    if (change.status === 'deleted') movedTo.set(absolute(change.file), undefined);
    if (change.status === 'added') cameFrom.set(absolute(change.file), undefined);
    if (change.status === 'renamed' && change.from !== undefined) {
      movedTo.set(absolute(change.from), absolute(change.file));
      cameFrom.set(absolute(change.file), absolute(change.from));
    }
  }
  const disk = diskView();
  const touched = new Set(all.map((change) => absolute(change.from ?? change.file)));
  const textBefore = (file: string): Promise<string | undefined> =>
    changes.baseText(path.relative(root, file).split(path.sep).join('/'));
  const back = new Map<string, string>();
  for (const file of touched) {
    const configures = /^(?:package|[tj]sconfig[\w.-]*)\.json$|^(?:vite(?:st)?|jest)\.config\./.test(
      path.basename(file),
    );
    if (movedTo.has(file)) back.set(file, '');
    if (configures) back.set(file, (await textBefore(file)) ?? '');
  }
  const view: FileView = overlayView(disk, { gone: new Set(cameFrom.keys()), back });
  return {
    root,
    when,
    now: {
      resolver: createModuleResolver(typescript, root, disk),
      readText: (file) => Promise.resolve(disk.read(file)),
    },
    before: {
      resolver: createModuleResolver(typescript, root, view),
      readText: (file) =>
        touched.has(file) || cameFrom.has(file) ? textBefore(file) : Promise.resolve(disk.read(file)),
    },
    changedNow: all.filter((change) => change.status !== 'deleted').map((change) => absolute(change.file)),
    changedBefore: all
      .filter((change) => change.status !== 'added')
      .map((change) => absolute(change.from ?? change.file)),
    added: all.filter((change) => change.status === 'added').map((change) => absolute(change.file)),
    pathBefore: (file) => (cameFrom.has(file) ? cameFrom.get(file) : file),
    pathNow: (file) => (movedTo.has(file) ? movedTo.get(file) : file),
  };
}
