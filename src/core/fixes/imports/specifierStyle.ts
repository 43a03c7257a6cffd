// Writes the specifier of a module as the one it replaces was written: extension, alias, `./`, index file, query.
import path from 'node:path';
import { isInside, toPosix } from '../../base/paths.ts';
import { resolvePattern, specifierBy, type PathPattern } from '../../modules/pathPatterns.ts';
import type { Revision } from './revisions.ts';

interface SpecifierRequest {
  /** As written in the test file, with the file it stood for. */
  readonly specifier: string;
  readonly oldTarget: string;
  /** Absolute file that holds the specifier. */
  readonly from: string;
  /** Absolute file it is to stand for. */
  readonly target: string;
  readonly root: string;
  readonly revision: Revision;
  /** The other specifiers of the file, which tell how it names modules. */
  readonly beside: readonly string[];
}

/** The specifier for `target`, or undefined when none in the old one's style resolves to it. */
export async function specifierFor(request: SpecifierRequest): Promise<string | undefined> {
  const { specifier, from, target, revision } = request;
  const query = /\?.*$/.exec(specifier)?.[0] ?? '';
  const written = specifier.slice(0, specifier.length - query.length);
  const stands = (candidate: string): boolean => {
    const resolution = revision.resolver.resolve(candidate, from);
    return resolution.kind === 'file' && resolution.file === target;
  };
  if (stands(written)) return specifier;
  for (const candidate of await candidatesFor(written, request)) {
    if (stands(candidate)) return candidate + query;
  }
  return undefined;
}

async function candidatesFor(written: string, request: SpecifierRequest): Promise<readonly string[]> {
  const { from, target, root, revision, beside } = request;
  const forms = targetForms(written, request);
  const relativeTo = (folder: string, form: string): string => toPosix(path.relative(folder, form));
  const relative = relativeForms(forms, written, request).map((form) => {
    const to = relativeTo(path.dirname(from), form);
    return to === '' ? '.' : /^\.\.?(?:\/|$)/.test(to) ? to : `./${to}`;
  });
  if (isRelative(written)) return relative;
  if (written.startsWith('/')) return forms.map((form) => `/${relativeTo(root, form)}`);
  const patterns = revision.resolver.patterns(from);
  const own = patterns.filter((one) => resolvePattern(one, written) !== undefined);
  const isKept = (one: PathPattern): boolean => own.some(({ prefix }) => prefix === one.prefix);
  const isUsed = (one: PathPattern): boolean =>
    isKept(one) || beside.some((other) => resolvePattern(one, other) !== undefined);
  // What one resolver knows another need not: only what the same settings say, or the file uses already.
  const meant = patterns
    .filter((one) => isUsed(one) || own.some(({ source }) => source === one.source))
    .sort(
      (a, b) =>
        Number(isKept(b)) - Number(isKept(a)) ||
        Number(isUsed(b)) - Number(isUsed(a)) ||
        b.target.length - a.target.length,
    );
  const aliased = meant.flatMap((one) => [...forms, target].flatMap((form) => specifierBy(one, form) ?? []));
  const bare = revision.resolver
    .prefixes(from)
    .filter(({ prefix, folder }) => prefix === '' && isInside(folder, target));
  const byFolder = bare.flatMap(({ folder }) => forms.map((form) => relativeTo(folder, form)));
  const owner = await packageOf(target, request);
  const byPackage = owner ? ['', ...forms].map((form) => packageForm(owner, form)).flat() : [];
  const samePackage = owner?.folder === (await packageOf(from, request))?.folder;
  const isBare = own.length === 0 && packageNameOf(written) !== owner?.name;
  return [
    ...aliased,
    ...(isBare && samePackage ? byFolder : []),
    ...(samePackage ? relative : [...byPackage, ...(isBare ? byFolder : [])]),
    ...(own.length > 0 ? relative : []),
  ];
}

const isRelative = (specifier: string): boolean => /^\.\.?(?:\/|$)/.test(specifier);

const packageNameOf = (specifier: string): string =>
  specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');

/** With an extension first where the relative imports of the file have one, or where Node itself reads them. */
function relativeForms(
  forms: readonly string[],
  written: string,
  request: SpecifierRequest,
): readonly string[] {
  if (isRelative(written)) return forms;
  const extensions = new Set(
    request.beside.flatMap((other) => (isRelative(other) ? [extensionOf(other)] : [])),
  );
  const [only, ...others] = extensions;
  if (only === undefined || others.length > 0) return forms;
  const stem = withoutExtension(request.target);
  if (only === '') return [...forms.filter((form) => form === stem || path.extname(form) === ''), ...forms];
  const own = path.extname(request.target);
  const fits = only === own || compiledExtensions[own]?.includes(only) === true;
  return fits ? [stem + only, ...forms] : forms;
}

const extensionOf = (specifier: string): string =>
  /\.(?:[mc]?[jt]sx?|json|vue|svelte|astro|css)$/.exec(specifier)?.[0] ?? '';

const withoutExtension = (file: string): string => file.slice(0, file.length - path.extname(file).length);

/** The target's path with the extension, or without it, as the old specifier had it; the likeliest first. */
function targetForms(written: string, { oldTarget, target }: SpecifierRequest): readonly string[] {
  const extension = path.extname(target);
  const stem = withoutExtension(target);
  const oldExtension = path.extname(oldTarget);
  const writtenExtension = extensionOf(written);
  const isIndex = path.basename(stem) === 'index';
  const folderForm = isIndex ? [path.dirname(stem)] : [];
  if (writtenExtension === '') {
    const spellsIndex = path.posix.basename(written) === 'index';
    return spellsIndex && isIndex ? [stem, target] : [...folderForm, stem, target];
  }
  if (writtenExtension === oldExtension) return [target];
  const compiled = compiledExtensions[extension] ?? [extension];
  const preferred = compiled.includes(writtenExtension) ? [writtenExtension, ...compiled] : compiled;
  return [...preferred.map((one) => stem + one), target];
}

/** How a TypeScript file is named in imports that name the compiled file. */
const compiledExtensions: Readonly<Record<string, readonly string[]>> = {
  '.ts': ['.js'],
  '.tsx': ['.js', '.jsx'],
  '.mts': ['.mjs'],
  '.cts': ['.cjs'],
};

interface OwnPackage {
  readonly name: string;
  readonly folder: string;
}

async function packageOf(file: string, request: SpecifierRequest): Promise<OwnPackage | undefined> {
  for (let at = path.dirname(file); isInside(request.root, at); at = path.dirname(at)) {
    const text = await request.revision.readText(path.join(at, 'package.json'));
    if (text === undefined) continue;
    const name = /"name"\s*:\s*"([^"]+)"/.exec(text)?.[1];
    return name === undefined ? undefined : { name, folder: at };
  }
  return undefined;
}

function packageForm({ name, folder }: OwnPackage, form: string): readonly string[] {
  if (form === '') return [name];
  const inner = toPosix(path.relative(folder, form));
  return [`${name}/${inner}`, `${name}/${inner.replace(/^(?:src|lib|dist)\//, '')}`];
}
