// What a Python file imports, from its text alone, and where the modules lie: roots, src folders, packages, conftest.py.
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FileView } from './fileView.ts';
import type { ScannedSpecifiers } from './importScan.ts';
import { stemOf, type Language } from './links.ts';

export const isPython = (file: string): boolean => /\.pyi?$/.test(file);

export function pythonLanguage(root: string, view: FileView): Language {
  const places = createPlaces(root, view);
  return {
    handles: isPython,
    scan: scanPython,
    link(file, { modules, paths, open }) {
      const folder = path.join(root, path.posix.dirname(file));
      const needs = new Set<string>();
      const listens = new Set(['conftest', '__init__']);
      const add = (target: string): void => void needs.add(toRelativePosix(root, target));
      for (const name of modules) {
        const dots = /^\.*/.exec(name)?.[0].length ?? 0;
        const parts = name.slice(dots).split('.');
        for (const part of parts) listens.add(part);
        const bases = dots === 0 ? places.searched(folder) : [path.join(folder, '../'.repeat(dots - 1))];
        for (const base of bases) {
          const found = moduleFiles(base, parts, view, dots > 0);
          found.forEach(add);
          // The first place that has the module wins; a namespace package can lie in several.
          if (found.length > 0) break;
        }
      }
      for (const written of paths) {
        listens.add(stemOf(written));
        for (const target of [path.resolve(folder, written), path.join(root, written)])
          if (isInside(root, target) && view.isFile(target)) add(target);
      }
      // Its own packages are imported before it, and pytest loads every conftest.py above a test.
      for (let at = folder; isInside(root, at); at = path.dirname(at)) {
        const around = ['conftest.py', '__init__.py'].map((one) => path.join(at, one));
        around
          .filter((one) => one.endsWith('conftest.py') || at === folder)
          .filter(view.isFile)
          .forEach(add);
        if (at === path.dirname(at)) break;
      }
      needs.delete(file);
      return { needs: [...needs], listens: [...listens], open };
    },
  };
}

/** The files that importing `a.b.c` runs: packages on the way, and as much of the way as there is (the rest are names in it). */
function moduleFiles(
  base: string,
  parts: readonly string[],
  view: FileView,
  isRelative: boolean,
): readonly string[] {
  const found: string[] = [];
  const own = path.join(base, '__init__.py');
  if (isRelative && view.isFile(own)) found.push(own);
  let place = base;
  for (const part of parts) {
    if (part === '' || part === '*') break;
    place = path.join(place, part);
    const files = [`${place}.py`, path.join(place, '__init__.py'), `${place}.pyi`].filter(view.isFile);
    found.push(...files);
    if (files.some((file) => file === `${place}.py`)) break;
  }
  return found;
}

/** Where absolute imports are looked for, as pytest's import modes and the common layouts have it. */
function createPlaces(root: string, view: FileView): { searched(folder: string): readonly string[] } {
  const known = new Map<string, readonly string[]>();
  const isProject = (folder: string): boolean =>
    projectFiles.some((name) => view.isFile(path.join(folder, name)));
  return {
    searched(folder) {
      const remembered = known.get(folder);
      if (remembered) return remembered;
      const places: string[] = [];
      // The folder above the outermost package of the file: what pytest puts into sys.path.
      let top = folder;
      while (view.isFile(path.join(top, '__init__.py')) && isInside(root, path.dirname(top)))
        top = path.dirname(top);
      places.push(top);
      for (let at = folder; isInside(root, at); at = path.dirname(at)) {
        if (isProject(at) || at === root) {
          places.push(at, path.join(at, 'src'), path.join(at, 'lib'), ...pythonPath(at, view));
        } else if (view.isFile(path.join(at, 'conftest.py'))) places.push(at);
        if (at === path.dirname(at)) break;
      }
      const all = [...new Set(places)];
      known.set(folder, all);
      return all;
    },
  };
}

const projectFiles = ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini'];

/** `pythonpath` of pytest's configuration, where it is written with literals. */
function pythonPath(folder: string, view: FileView): readonly string[] {
  for (const name of ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg']) {
    const file = path.join(folder, name);
    const text = view.isFile(file) ? (view.read(file) ?? '') : '';
    const value = /^\s*(?:pythonpath|python_paths)\s*=\s*(\[[^\]]*\]|.*)$/m.exec(text)?.[1];
    if (value !== undefined) return (value.match(/[\w./-]+/g) ?? []).map((one) => path.resolve(folder, one));
  }
  return [];
}

/**
 * Every module that the text imports: `import a.b as c`, `from .a import (b, c)` (as `.a.b`, `.a.c`), `import_module('a.b')`,
 * `__import__`, `importorskip`, `pytest_plugins`, and dotted names that `patch` replaces. Comments and strings are skipped.
 */
function scanPython(text: string): ScannedSpecifiers {
  const modules = new Set<string>();
  const paths = new Set<string>();
  const open = new Set<string>();
  const code: string[] = [];
  let position = 0;
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    code.push(text.slice(position, match.index));
    position = token.lastIndex;
    if (match[0].startsWith('#')) continue;
    const before = code.slice(-4).join('').slice(-200);
    const literal = match[0].replace(/^[a-zA-Z]*(?:"""|'''|["'])|(?:"""|'''|["'])$/g, '');
    if (moduleCall.test(before)) {
      if (/^\.*[\w.]*$/.test(literal)) modules.add(literal);
      else if (loadCall.test(before)) open.add('');
    } else if (pathLike.test(literal)) paths.add(literal);
    code.push("''");
  }
  code.push(text.slice(position));
  // Lines that go on: in brackets and after a backslash.
  const plain = code.join('').replace(/\\\r?\n/g, ' ');
  for (const [, from, names, imported] of plain.matchAll(statement)) {
    if (from !== undefined) {
      const list = (names ?? '').replace(/[()\s]+/g, ' ').split(',');
      for (const one of list) {
        const name = one.trim().split(/\s+/)[0] ?? '';
        if (name !== '') modules.add(/[^.]$/.test(from) ? `${from}.${name}` : from + name);
      }
    } else
      for (const one of (imported ?? '').split(',')) {
        const name = one.trim().split(/\s+/)[0] ?? '';
        if (name !== '') modules.add(name);
      }
  }
  if (openCall.test(plain)) open.add('');
  return { modules: [...modules], paths: [...paths], open: [...open] };
}

const token =
  /#[^\n]*|[a-zA-Z]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/g;
const pathLike = /^[\w@.-]*(?:\/[\w@.-]+){1,12}\.\w{1,8}$/;
const moduleCall =
  /\b(?:import_module|__import__|importorskip|patch|setattr|delattr|resolve_name|run_module)\s*\(\s*$|\bpytest_plugins\s*=\s*[([]?(?:\s*''\s*,)*\s*$/;
const loadCall = /\b(?:import_module|__import__)\s*\(\s*$/;
const openCall = /\b(?:import_module|__import__)\s*\(\s*[A-Za-z_]/;
const statement =
  /(?:^|[\n;:])[ \t]*(?:from[ \t]+([.\w][.\w \t]*?)[ \t]+import[ \t]*(\([^)]*\)|[^\n;]*)|import[ \t]+([^\n;(]*))/g;
