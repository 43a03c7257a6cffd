// What a JavaScript or TypeScript file depends on, and what a configuration of its tests names.
import path from 'node:path';
import type ts from 'typescript';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FileView } from './fileView.ts';
import { scanSpecifiers } from './importScan.ts';
import { stemOf, type Language, type Links } from './links.ts';
import { createModuleResolver } from './moduleResolver.ts';

const isScript = (file: string): boolean => /\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(file);

/** Resolves as TypeScript does; `root` is absolute. */
export function scriptLanguage(typescript: typeof ts, root: string, view: FileView): Language {
  const resolver = createModuleResolver(typescript, root, view);
  return {
    handles: isScript,
    scan: scanSpecifiers,
    link(file, { modules, paths, open }): Links {
      const from = path.join(root, file);
      const needs = new Set<string>();
      const listens = new Set<string>();
      // A test that was built changes with what it was built from.
      needs.add(toRelativePosix(root, resolver.sourceOf(from)));
      for (const specifier of modules) {
        const resolution = resolver.resolve(specifier, from);
        if (resolution.kind === 'file') needs.add(toRelativePosix(root, resolution.file));
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
      needs.delete(file);
      return {
        needs: [...needs],
        listens: [...listens],
        open: open.map((prefix) => openPlace(root, from, prefix, resolver.prefixes(from))),
      };
    },
  };
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
