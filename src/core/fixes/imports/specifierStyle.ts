// Writes the specifier of a module as the one it replaces was written: extension, alias, `./`, index file, query.
import path from 'node:path';
import { isInside, toPosix } from '../../base/paths.ts';
import type { Revision } from './revisions.ts';

export interface SpecifierRequest {
  /** As written in the test file, with the file it stood for. */
  readonly specifier: string;
  readonly oldTarget: string;
  /** Absolute file that holds the specifier. */
  readonly from: string;
  /** Absolute file it is to stand for. */
  readonly target: string;
  readonly root: string;
  readonly revision: Revision;
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
  const { from, target, root, revision } = request;
  const forms = targetForms(written, request);
  const relativeTo = (folder: string, form: string): string => toPosix(path.relative(folder, form));
  const relative = forms.map((form) => {
    const to = relativeTo(path.dirname(from), form);
    return to === '' ? '.' : /^\.\.?(?:\/|$)/.test(to) ? to : `./${to}`;
  });
  if (/^\.\.?(?:\/|$)/.test(written)) return relative;
  if (written.startsWith('/')) return forms.map((form) => `/${relativeTo(root, form)}`);
  const prefixes = revision.resolver
    .prefixes(from)
    .filter(({ folder }) => isInside(folder, target))
    .map((one) => ({ ...one, matches: written.startsWith(one.prefix) && one.prefix !== '' }))
    .sort((a, b) => Number(b.matches) - Number(a.matches) || b.folder.length - a.folder.length);
  const aliased = prefixes.flatMap(({ prefix, folder }) =>
    forms.map((form) => prefix + relativeTo(folder, form)),
  );
  const owner = await packageOf(target, request);
  const byPackage = owner ? ['', ...forms].map((form) => packageForm(owner, form)).flat() : [];
  const samePackage = owner?.folder === (await packageOf(from, request))?.folder;
  const isAlias = revision.resolver
    .prefixes(from)
    .some(({ prefix }) => prefix !== '' && written.startsWith(prefix));
  return isAlias || samePackage ? [...aliased, ...relative] : [...byPackage, ...aliased];
}

/** The target's path with the extension, or without it, as the old specifier had it; the likeliest first. */
function targetForms(written: string, { oldTarget, target }: SpecifierRequest): readonly string[] {
  const extension = path.extname(target);
  const stem = target.slice(0, target.length - extension.length);
  const oldExtension = path.extname(oldTarget);
  const writtenExtension = /\.(?:[mc]?[jt]sx?|json|vue|svelte|astro|css)$/.exec(written)?.[0];
  const isIndex = path.basename(stem) === 'index';
  const folderForm = isIndex ? [path.dirname(stem)] : [];
  if (writtenExtension === undefined) {
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
