// The exports that went and came with a change, each declaration once, as what names are followed by.
import path from 'node:path';
import type { Declared, Succession } from '../renameDoubts/successor.ts';
import type { Declaration, ExportReader } from './moduleExports.ts';
import type { Revisions } from './revisions.ts';

export interface ExportSuccession extends Succession {
  /** The same object for the same declaration, also where it was not seen as one that went or came. */
  declared(declaration: Declaration, exported: string): Declared;
}

interface Readers {
  readonly revisions: Revisions;
  readonly exportsNow: ExportReader;
  readonly exportsBefore: ExportReader;
  readonly isTestFile: (file: string) => boolean;
}

const isModule = (file: string): boolean => path.isAbsolute(file) && /\.[mc]?[jt]sx?$/.test(file);

/** `typeOnly`: types take no place of values. `of`: where tests are moved, tests are looked at as well. */
export type SuccessionReader = (asked: {
  readonly typeOnly: boolean;
  readonly of: string;
}) => Promise<ExportSuccession>;

/** Reads what went and came once, whatever number of names is asked for. */
export function createSuccessionReader(readers: Readers): SuccessionReader {
  const known = new Map<string, Promise<ExportSuccession>>();
  return ({ typeOnly, of }) => {
    const key = `${typeOnly} ${readers.isTestFile(of)}`;
    const succession = known.get(key) ?? readSuccession(readers, { typeOnly, of });
    known.set(key, succession);
    return succession;
  };
}

async function readSuccession(
  readers: Readers,
  { typeOnly, of }: { readonly typeOnly: boolean; readonly of: string },
): Promise<ExportSuccession> {
  const { revisions, exportsNow, exportsBefore, isTestFile } = readers;
  const isMeant = (file: string): boolean => isModule(file) && (isTestFile(of) || !isTestFile(file));
  const known = new Map<string, Declared>();
  const declared = (one: Declaration, exported: string, when: string): Declared => {
    const key = [when, one.file, one.name].join('\0');
    const order = known.size;
    const found = known.get(key) ?? { name: exported, place: one.file, shape: one.shape, order };
    known.set(key, found);
    return found;
  };
  const read = async (
    files: readonly string[],
    [own, other]: readonly [own: ExportReader, other: ExportReader],
    pathIn: (file: string) => string | undefined,
    when: string,
  ): Promise<readonly Declared[]> => {
    const found = new Set<Declared>();
    for (const file of files.filter(isMeant)) {
      const there = pathIn(file);
      const names = there === undefined ? undefined : (await other(there)).names;
      for (const [exported, { also = [], ...first }] of (await own(file)).names)
        for (const one of [first, ...also])
          if (one.typeOnly === typeOnly && names?.has(exported) !== true)
            found.add(declared(one, exported, when));
    }
    return [...found];
  };
  const { pathNow, pathBefore } = revisions;
  return {
    gone: await read(revisions.changedBefore, [exportsBefore, exportsNow], pathNow, 'before'),
    come: await read(revisions.changedNow, [exportsNow, exportsBefore], pathBefore, 'now'),
    placeNow: pathNow,
    declared: (one, exported) =>
      known.get(['now', one.file, one.name].join('\0')) ?? declared(one, exported, 'now'),
  };
}
