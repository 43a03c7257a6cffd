// What the sources that were migrated with a change now import in place of what they imported before.
import type ts from 'typescript';
import type { ExportPlace } from './exportMigration.ts';
import type { Revision, Revisions } from './revisions.ts';

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
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest);
  const places: ExportPlace[] = [];
  for (const statement of source.statements) {
    if (!typescript.isImportDeclaration(statement) || !typescript.isStringLiteral(statement.moduleSpecifier))
      continue;
    const resolution = revision.resolver.resolve(statement.moduleSpecifier.text, file);
    if (resolution.kind !== 'file') continue;
    const module = resolution.file;
    const clause = statement.importClause;
    if (clause?.name) places.push({ module, name: 'default' });
    const bindings = clause?.namedBindings;
    if (bindings && typescript.isNamedImports(bindings))
      for (const element of bindings.elements)
        places.push({ module, name: (element.propertyName ?? element.name).text });
  }
  return places;
}
