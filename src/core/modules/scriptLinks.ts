// What a JavaScript or TypeScript file depends on, and what a configuration of its tests names.
import path from 'node:path';
import type ts from 'typescript';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FileView } from './fileView.ts';
import { scanSpecifiers } from './importScan.ts';
import { stemOf, type Language, type Links } from './links.ts';
import { createModuleResolver } from './moduleResolver.ts';
import { noStarts, programStarts } from './programStarts.ts';

const isScript = (file: string): boolean => /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(file);

/** Resolves as TypeScript does; `root` is absolute. */
export function scriptLanguage(typescript: typeof ts, root: string, view: FileView): Language {
  const resolver = createModuleResolver(typescript, root, view);
  return {
    handles: isScript,
    scan(text, file) {
      const starts = programStarts(typescript, path.join(root, file), text);
      return { ...scanSpecifiers(text), ...(starts !== noStarts && { starts }) };
    },
    link(file, { modules, paths, open, starts = noStarts }): Links {
      const from = path.join(root, file);
      const needs = new Set<string>();
      const listens = new Set<string>();
      // A test that was built changes with what it was built from.
      needs.add(toRelativePosix(root, resolver.sourceOf(from)));
      for (const specifier of modules) {
        const resolution = resolver.resolve(specifier, from);
        if (resolution.kind === 'file') needs.add(toRelativePosix(root, resolution.file));
        for (const other of resolver.alternatives(specifier, from)) needs.add(toRelativePosix(root, other));
        listens.add(specifierKey(specifier));
      }
      for (const written of paths) {
        listens.add(stemOf(written));
        for (const target of [path.resolve(path.dirname(from), written), path.join(root, written)]) {
          if (!isInside(root, target)) continue;
          if (view.isFile(target)) needs.add(toRelativePosix(root, target));
          const source = resolver.sourceOf(target);
          if (source !== target) needs.add(toRelativePosix(root, source));
        }
      }
      let startsAny = starts.isUnknown;
      for (const { written, from: folder } of starts.files) {
        listens.add(specifierKey(written));
        const places = startedPlaces(root, path.dirname(from), written, folder);
        const found = places.flatMap((place) => programAt(place, view, resolver.sourceOf));
        for (const one of found) needs.add(toRelativePosix(root, one));
        // Of a build without its source, and of what is no script, nobody knows what it was made from or runs.
        if (!found.some((one) => isProgram(toRelativePosix(root, one)))) startsAny = true;
      }
      needs.delete(file);
      return {
        needs: [...needs],
        listens: [...listens],
        open: open.map((prefix) => openPlace(root, from, prefix, resolver.prefixes(from))),
        ...(startsAny && { startsAny }),
      };
    },
  };
}

const isProgram = (file: string): boolean =>
  (isScript(file) || file.endsWith('.py')) &&
  !file.startsWith('../') &&
  !/(?:^|\/)(?:dist|build|out|node_modules)(?:[-_.]\w+)*\//.test(file);

/** Where a started path can lie: seen from where it is started, else from its file, its package and the root. */
function startedPlaces(
  root: string,
  own: string,
  written: string,
  from: string | undefined,
): readonly string[] {
  if (from !== undefined) return [path.resolve(from, written)];
  const places = new Set([path.resolve(own, written)]);
  // A relative path may have been made absolute from its file, though it is meant from elsewhere.
  const inner = path.isAbsolute(written) && isInside(own, written) ? path.relative(own, written) : written;
  if (path.isAbsolute(inner)) return [...places];
  for (let at = own; isInside(root, at); at = path.dirname(at)) {
    places.add(path.resolve(at, inner));
    if (at === path.dirname(at)) break;
  }
  return [...places];
}

/** The script at a place, or the source of one that is built there; none where there is nothing. */
function programAt(place: string, view: FileView, sourceOf: (file: string) => string): readonly string[] {
  const all = ['', '.js', '.cjs', '.mjs', '.ts'].map((ending) => sourceOf(place + ending));
  return all.filter(view.isFile).slice(0, 1);
}

/** Where files must lie that a specifier of this beginning can stand for; empty text for anywhere. */
function openPlace(
  root: string,
  from: string,
  prefix: string,
  aliases: readonly { readonly prefix: string; readonly folder: string }[],
): string {
  if (prefix.startsWith('.')) {
    // `./plugins/` keeps its slash: what follows is a name in the folder.
    const place = toRelativePosix(root, path.resolve(path.dirname(from), prefix));
    return prefix.endsWith('/') && place !== '' ? place + '/' : place;
  }
  const alias = aliases.find((one) => one.prefix !== '' && prefix.startsWith(one.prefix));
  if (!alias) return '';
  const place = path.join(alias.folder, prefix.slice(alias.prefix.length));
  return toRelativePosix(root, place) + (prefix.endsWith('/') ? '/' : '');
}

function specifierKey(specifier: string): string {
  const last = specifier.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  return /^\.*$/.test(last) ? 'index' : stemOf(last);
}

/** The part of a configuration in which files of the user's are named; package.json also names others. */
export function configText(file: string, text: string): string {
  if (path.posix.basename(file) !== 'package.json') return text;
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null) return '';
    const scripts = 'scripts' in parsed && typeof parsed.scripts === 'object' ? (parsed.scripts ?? {}) : {};
    return JSON.stringify([
      ...Object.entries(parsed).filter(([key]) => /^(?:jest|mocha|ava|vitest)$/.test(key)),
      ...Object.entries(scripts).filter(([key]) => /^(?:pre|post)?test/.test(key)),
    ]);
  } catch {
    return '';
  }
}

/** Words of a configuration that can be paths, as written: `<rootDir>/test/setup.ts`, `./test/setup`, `test/hooks.cjs`. */
export function namedPaths(text: string): readonly string[] {
  const words = text.match(/(?:<rootDir>|\.{1,2})?\/?[\w@][\w@.-]*(?:\/[\w@.-]+)*/g) ?? [];
  return [...new Set(words.map((word) => word.replace(/^<rootDir>\/?/, './')))].filter(
    (word) => word.length < 200 && (word.includes('/') || /\.[mc]?[jt]sx?$/.test(word)),
  );
}

/** Files that the words stand for, seen from the folder of the configuration (relative to the root). */
export function linkConfig(root: string, file: string, written: readonly string[], view: FileView): Links {
  const folder = path.join(root, path.posix.dirname(file));
  const needs = new Set<string>();
  for (const word of written) {
    const place = path.resolve(folder, word);
    if (!isInside(root, place)) continue;
    const found = ['', '.ts', '.js', '.mts', '.mjs', '.cts', '.cjs', '.tsx', '/index.ts', '/index.js']
      .map((ending) => place + ending)
      .find((candidate) => view.isFile(candidate));
    if (found !== undefined) needs.add(toRelativePosix(root, found));
  }
  needs.delete(file);
  return { needs: [...needs], listens: [...new Set(written.map(stemOf))], open: [] };
}
