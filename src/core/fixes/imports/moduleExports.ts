// What a module exports, each export followed to its declaration, so that two revisions can be compared.
import type ts from 'typescript';
import {
  readEsModule,
  type ExportEntry,
  type ModuleSyntax,
  type Star,
  type Surface,
} from './moduleSyntax.ts';
import type { Revision } from './revisions.ts';

export interface Declaration {
  /** Absolute file of the declaration; the specifier for what comes from an installed package. */
  readonly file: string;
  /** Its own name there; empty for an anonymous default. */
  readonly name: string;
  /** Only a type: nothing of it exists at run time. */
  readonly typeOnly: boolean;
  /** The declaration as tokens without comments and layout, its own name blotted out. */
  readonly shape: readonly string[];
  /** What else has the name, where a run decides: in another branch, or given later. */
  readonly also?: readonly Declaration[];
}

interface VisibleNames {
  readonly names: ReadonlyMap<string, Declaration>;
  /** Those of the names that only one of several modules has, of which a run takes one. */
  readonly partial: ReadonlySet<string>;
  /** It may export more than could be seen: computed CommonJS exports, `export *` from a package, another language. */
  readonly open: boolean;
}

export interface ModuleExports extends VisibleNames {
  /** It is a value with members, which is also its default export. */
  readonly isCommonJs: boolean;
}

const nothing: ModuleExports = { names: new Map(), partial: new Set(), open: true, isCommonJs: false };

export type ExportReader = (file: string) => Promise<ModuleExports>;

/** Reads exports of one revision; every file is parsed at most once, cycles of `export *` end. */
export function createExportReader(typescript: typeof ts, revision: Revision): ExportReader {
  const parsed = new Map<string, Promise<ModuleSyntax | undefined>>();
  const complete = new Map<string, ModuleExports>();
  const syntaxOf = (file: string): Promise<ModuleSyntax | undefined> => {
    const known = parsed.get(file);
    const syntax = known ?? revision.readText(file).then((text) => readSyntax(typescript, file, text));
    parsed.set(file, syntax);
    return syntax;
  };
  const fileOf = (specifier: string, from: string): string | undefined => {
    const resolution = revision.resolver.resolve(specifier, from);
    return resolution.kind === 'file' ? resolution.file : undefined;
  };
  const follow = async (
    specifier: string,
    name: string,
    from: string,
    trail: readonly string[],
  ): Promise<Declaration | undefined> => {
    const target = fileOf(specifier, from);
    if (target === undefined || name === '*') {
      const shape = ['from', target ?? specifier, name];
      return { file: target ?? specifier, name, typeOnly: false, shape };
    }
    return (await read(target, trail)).names.get(name);
  };
  const declared = async (
    entries: readonly ExportEntry[],
    file: string,
    trail: readonly string[],
  ): Promise<Declaration | undefined> => {
    const found: Declaration[] = [];
    for (const entry of entries) {
      const one =
        'specifier' in entry ? await follow(entry.specifier, entry.name, file, trail) : { ...entry, file };
      if (one) found.push(one);
    }
    return joined(found);
  };
  const passedOn = async (
    { specifier, isCalled }: Star,
    from: string,
    trail: readonly string[],
  ): Promise<VisibleNames> => {
    const target = fileOf(specifier, from);
    if (target === undefined) return nothing;
    if (!isCalled) return read(target, trail);
    const result = (await syntaxOf(target))?.result;
    return result === undefined ? nothing : expand(result, target, trail);
  };
  const expand = async (surface: Surface, file: string, trail: readonly string[]): Promise<VisibleNames> => {
    const names = new Map<string, Declaration>();
    let { open } = surface;
    for (const [name, entries] of surface.exports) {
      const declaration = await declared(entries, file, trail);
      if (declaration) names.set(name, declaration);
    }
    const own = new Set(names.keys());
    const alternatives: ReadonlyMap<string, Declaration>[] = [];
    const partial = new Set<string>();
    for (const star of surface.stars) {
      const passed = await passedOn(star, file, trail);
      if (passed.open) open = true;
      if (star.isAlternative) alternatives.push(passed.names);
      for (const name of passed.partial) partial.add(name);
      for (const [name, declaration] of passed.names) {
        const known = names.get(name);
        if (name === 'default' || (known && !star.isAlternative)) continue;
        names.set(name, (known && joined([known, declaration])) ?? declaration);
      }
    }
    for (const name of names.keys())
      if (!own.has(name) && alternatives.length > 1 && !alternatives.every((one) => one.has(name)))
        partial.add(name);
    return { names, partial, open };
  };
  const read = async (file: string, trail: readonly string[]): Promise<ModuleExports> => {
    const known = complete.get(file);
    if (known) return known;
    if (trail.includes(file)) return { ...nothing, open: false };
    const syntax = await syntaxOf(file);
    if (!syntax) return nothing;
    const { isCommonJs } = syntax;
    const { names, partial, open } = await expand(syntax, file, [...trail, file]);
    const whole = { file, name: '', typeOnly: false, shape: ['module', file] };
    const result = {
      names: isCommonJs && !names.has('default') ? new Map([...names, ['default', whole]]) : names,
      partial,
      open,
      isCommonJs,
    };
    // Inside a cycle the answer is partial: only the outermost one is kept.
    if (trail.length === 0) complete.set(file, result);
    return result;
  };
  return (file) => read(file, []);
}

/** One declaration for all that may have the name; the same one counts once. */
function joined(found: readonly Declaration[]): Declaration | undefined {
  const all = found.flatMap(({ also = [], ...one }): Declaration[] => [one, ...also]);
  const [first, ...also] = all.filter(
    (one, index) => all.findIndex((other) => isSameDeclaration(one, other)) === index,
  );
  return first && (also.length === 0 ? first : { ...first, also });
}

export const isSameDeclaration = (a: Declaration, b: Declaration): boolean =>
  a.file === b.file && a.name === b.name;

async function readSyntax(
  typescript: typeof ts,
  file: string,
  text: string | undefined,
): Promise<ModuleSyntax | undefined> {
  if (text === undefined || !/\.[mc]?[jt]sx?$/.test(file)) return undefined;
  const source = typescript.createSourceFile(file, text, typescript.ScriptTarget.Latest, true);
  const syntax = readEsModule(typescript, source);
  if (syntax !== undefined) return syntax;
  // Loaded late: it brings the TypeScript parser along.
  const { readCommonJs } = await import('./commonJsExports.ts');
  return readCommonJs(source);
}
