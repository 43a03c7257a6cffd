// What the sources that were migrated with a change now import in place of what they imported before.
import type ts from 'typescript';
import type { ExportPlace } from './exportMigration.ts';
import { findImportSites } from './importSites.ts';
import type { Revision, Revisions } from './revisions.ts';
import { openTestModule } from './testModule.ts';

/**
 * Answers for an export of before what each changed source, that imported it and no longer does, newly imports instead;
 * sources with none or several new imports say nothing. Distinct places only. `isTestFile` takes absolute paths.
 */
export function createCallerReader(
  typescript: typeof ts,
  revisions: Revisions,
  isTestFile: (file: string) => boolean,
): (module: string, name: string) => Promise<readonly ExportPlace[]> {
  const compare = async (file: string): Promise<Comparison | undefined> => {
    const before = revisions.pathBefore(file);
    if (before === undefined || isTestFile(file)) return undefined;
    const old = await importedNames(typescript, before, revisions.before);
    const now = new Map(
      (await importedNames(typescript, file, revisions.now)).map((one) => [keyOf(one), one]),
    );
    const isKept = (place: ExportPlace): boolean => {
      const module = revisions.pathNow(place.module);
      return module !== undefined && now.has(keyOf({ ...place, module }));
    };
    const lost = old.filter((place) => !isKept(place));
    for (const place of old) {
      const module = revisions.pathNow(place.module);
      if (module !== undefined) now.delete(keyOf({ ...place, module }));
    }
    return { lost: new Set(lost.map(keyOf)), gained: [...now.values()] };
  };
  let comparisons: Promise<readonly (Comparison | undefined)[]> | undefined;
  return async (module, name) => {
    comparisons ??= Promise.all(revisions.changedNow.map(compare));
    const found = new Map<string, ExportPlace>();
    for (const comparison of await comparisons) {
      if (!comparison?.lost.has(keyOf({ module, name }))) continue;
      const [place, ...others] = comparison.gained;
      if (place && others.length === 0) found.set(keyOf(place), place);
    }
    return [...found.values()];
  };
}

interface Comparison {
  readonly lost: ReadonlySet<string>;
  readonly gained: readonly ExportPlace[];
}

const keyOf = ({ module, name }: ExportPlace): string => `${module}\0${name}`;

async function importedNames(
  typescript: typeof ts,
  file: string,
  revision: Revision,
): Promise<readonly ExportPlace[]> {
  const text = /\.[mc]?[jt]sx?$/.test(file) ? await revision.readText(file) : undefined;
  if (text === undefined) return [];
  return findImportSites(openTestModule(typescript, file, text)).flatMap(({ specifier, uses, kind }) => {
    const resolution = revision.resolver.resolve(specifier, file);
    if (resolution.kind !== 'file' || kind === 'mock') return [];
    return uses
      .filter(({ isOfDefault }) => !isOfDefault)
      .map(({ name }) => ({ module: resolution.file, name }));
  });
}
