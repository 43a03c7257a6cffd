// What Go files depend on: a package is a folder, and its tests belong to it.
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FileView } from './fileView.ts';
import type { ScannedSpecifiers } from './importScan.ts';
import { goKey, type Language } from './links.ts';

export const isGo = (file: string): boolean => file.endsWith('.go');

/** A node of the graph that stands for the package in a folder. */
export const isPackage = (node: string): boolean => node.endsWith('/');

export function goLanguage(root: string, view: FileView): Language {
  const modules = createModules(root, view);
  return {
    handles: isGo,
    scan: scanGo,
    link(file, scanned) {
      const folder = path.posix.dirname(file);
      const imported = scanned.modules.flatMap((name) => modules.folderOf(name, path.join(root, folder)));
      const folders = imported.map((place) => toRelativePosix(root, place));
      // A test is compiled with its package and with the other tests of the folder.
      const own = file.endsWith('_test.go')
        ? [`${folder}/`, ...goFiles(view, root, folder).filter((one) => one.endsWith('_test.go'))]
        : [`${folder}/`];
      return {
        needs: [...new Set([...own, ...folders.map((one) => `${one === '' ? '.' : one}/`)])].filter(
          (one) => one !== file,
        ),
        listens: [folder, ...folders].map(goKey),
        open: [],
      };
    },
  };
}

/** Files of a package without its tests. */
export function packageFiles(view: FileView, root: string, node: string): readonly string[] {
  return goFiles(view, root, node.slice(0, -1)).filter((file) => !file.endsWith('_test.go'));
}

function goFiles(view: FileView, root: string, folder: string): readonly string[] {
  return view
    .filesIn(path.join(root, folder))
    .filter(isGo)
    .map((name) => path.posix.join(folder, name));
}

/** Import paths of a Go file; nothing else in its text matters. */
function scanGo(text: string): ScannedSpecifiers {
  const plain = text.replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, ' ');
  const modules = new Set<string>();
  for (const [, block, single] of plain.matchAll(
    /^[ \t]*import\b[ \t]*(?:\(([^)]*)\)|(?:[\w.]+[ \t]+)?["`]([^"`\n]+)["`])/gm,
  )) {
    if (single !== undefined) modules.add(single);
    for (const [, name] of (block ?? '').matchAll(/["`]([^"`\n]+)["`]/g)) if (name) modules.add(name);
  }
  return { modules: [...modules], paths: [], open: [] };
}

/** The modules of the workspace: by go.mod, `replace` with a folder, and the folders that go.work uses. */
function createModules(
  root: string,
  view: FileView,
): { folderOf(importPath: string, from: string): readonly string[] } {
  const around = new Map<string, ReadonlyMap<string, string>>();
  const nameOf = (folder: string): string | undefined => {
    const file = path.join(folder, 'go.mod');
    return view.isFile(file) ? /^\s*module\s+"?([^\s"]+)/m.exec(view.read(file) ?? '')?.[1] : undefined;
  };
  const modulesAt = (folder: string): ReadonlyMap<string, string> => {
    const known = around.get(folder);
    if (known) return known;
    const found = new Map<string, string>();
    for (let at = folder; isInside(root, at); at = path.dirname(at)) {
      const own = nameOf(at);
      if (own !== undefined) {
        if (!found.has(own)) found.set(own, at);
        for (const [, name, place] of (view.read(path.join(at, 'go.mod')) ?? '').matchAll(
          /^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s*=>\s*(\.{1,2}\/\S*)/gm,
        ))
          if (name && place) found.set(name, path.resolve(at, place));
      }
      const work = path.join(at, 'go.work');
      if (view.isFile(work)) {
        for (const [place] of (view.read(work) ?? '')
          .replace(/\/\/.*/g, '')
          .matchAll(/\.{1,2}(?:\/[\w./@-]*)?/g)) {
          const used = path.resolve(at, place);
          const name = nameOf(used);
          if (name !== undefined && !found.has(name)) found.set(name, used);
        }
      }
      if (at === path.dirname(at)) break;
    }
    around.set(folder, found);
    return found;
  };
  return {
    folderOf(importPath, from) {
      for (const [name, folder] of modulesAt(from)) {
        if (importPath === name) return [folder];
        if (importPath.startsWith(name + '/')) return [path.join(folder, importPath.slice(name.length + 1))];
      }
      return [];
    },
  };
}
