// What a Python file imports, from its text alone, and where the modules lie: roots, src folders, packages, conftest.py.
import path from 'node:path';
import { isInside, toRelativePosix } from '../base/paths.ts';
import type { FileView } from './fileView.ts';
import type { ProgramStarts, ScannedSpecifiers } from './importScan.ts';
import { stemOf, type Language } from './links.ts';
import { harmlessProgram, unsafeShell } from './programStarts.ts';

export const isPython = (file: string): boolean => /\.pyi?$/.test(file);

export function pythonLanguage(root: string, view: FileView): Language {
  const places = createPlaces(root, view);
  return {
    handles: isPython,
    scan: scanPython,
    link(file, { modules, paths, open, starts }) {
      const folder = path.join(root, path.posix.dirname(file));
      const needs = new Set<string>();
      const listens = new Set(['conftest', '__init__']);
      const add = (target: string): void => void needs.add(toRelativePosix(root, target));
      const addModule = (name: string): readonly string[] => {
        const dots = /^\.*/.exec(name)?.[0].length ?? 0;
        const parts = name.slice(dots).split('.');
        for (const part of parts) listens.add(part);
        const bases = dots === 0 ? places.searched(folder) : [path.join(folder, '../'.repeat(dots - 1))];
        for (const base of bases) {
          const found = moduleFiles(base, parts, view, dots > 0);
          found.forEach(add);
          // The first place that has the module wins; a namespace package can lie in several.
          if (found.length > 0) return found;
        }
        return [];
      };
      modules.forEach(addModule);
      places.plugins(folder).forEach(addModule);
      for (const written of paths) {
        listens.add(stemOf(written));
        for (const target of [path.resolve(folder, written), path.join(root, written)])
          if (isInside(root, target) && view.isFile(target)) add(target);
      }
      let startsAny = starts?.isUnknown === true;
      for (const name of starts?.modules ?? []) {
        const found = addModule(name);
        // Of a package, its `__main__` runs.
        const main = found.map((one) => path.join(path.dirname(one), '__main__.py')).filter(view.isFile);
        main.forEach(add);
        if (![...found, ...main].some((one) => isWhole(one, name))) startsAny = true;
      }
      for (const { written } of starts?.files ?? []) {
        const found = [path.resolve(folder, written), path.join(root, written)].filter(
          (one) => isInside(root, one) && view.isFile(one),
        );
        found.forEach(add);
        if (!found.some(isPython)) startsAny = true;
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
      return { needs: [...needs], listens: [...listens], open, ...(startsAny && { startsAny }) };
    },
  };
}

/** Is this the last file on the way to the module, and not a package above it? */
function isWhole(file: string, name: string): boolean {
  const stem = file.replace(/(?:\/__(?:init|main)__)?\.pyi?$/, '');
  return stem.endsWith(`/${name.replaceAll('.', '/')}`);
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
function createPlaces(
  root: string,
  view: FileView,
): {
  searched(folder: string): readonly string[];
  /** Modules that pytest loads before any test, as configurations above the folder name them. */
  plugins(folder: string): readonly string[];
} {
  const known = new Map<string, readonly string[]>();
  const knownPlugins = new Map<string, readonly string[]>();
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
    plugins(folder) {
      const remembered = knownPlugins.get(folder);
      if (remembered) return remembered;
      const names: string[] = [];
      for (let at = folder; isInside(root, at); at = path.dirname(at)) {
        for (const file of projectFiles.map((name) => path.join(at, name)).filter(view.isFile))
          names.push(...pluginsOf(view.read(file) ?? ''));
        if (at === path.dirname(at)) break;
      }
      const all = [...new Set(names)];
      knownPlugins.set(folder, all);
      return all;
    },
  };
}

const projectFiles = ['pyproject.toml', 'setup.py', 'setup.cfg', 'pytest.ini', 'tox.ini'];

/** `-p name`, plugins that the project itself provides (`pytest11`), and the settings of Django. */
function pluginsOf(text: string): readonly string[] {
  const provided = [...text.matchAll(/pytest11["'\]]*([^[]*(?:\[[^\]]*\])?)/g)].map(([, part]) => part ?? '');
  return [
    ...text.matchAll(/(?:^|[\s"',=])-p[\s"',=]*(?!no:)([A-Za-z_][\w.]*)/g),
    ...text.matchAll(/\bDJANGO_SETTINGS_MODULE\s*=\s*["']?([A-Za-z_][\w.]*)/g),
    ...provided.flatMap((part) => [...part.matchAll(/=\s*["']?([A-Za-z_][\w.]*)/g)]),
  ].flatMap(([, name]) => name ?? []);
}

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
  // Of what may start programs, the literals are looked at once more.
  const literals: string[] | undefined = mayStart.test(text) ? [] : undefined;
  let position = 0;
  token.lastIndex = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    code.push(text.slice(position, match.index));
    position = token.lastIndex;
    if (match[0].startsWith('#')) continue;
    const before = code.slice(-4).join('').slice(-200);
    const literal = match[0].replace(/^[a-zA-Z]*(?:"""|'''|["'])|(?:"""|'''|["'])$/g, '');
    if (moduleCall.test(before)) {
      if (!/^\.*[\w.]*$/.test(literal)) {
        if (loadCall.test(before)) open.add('');
      } else if (loadCall.test(before) && !/^\s*[,)]/.test(text.slice(position, position + 80))) open.add('');
      else modules.add(literal);
    } else if (pathLike.test(literal)) paths.add(literal);
    else if (dottedName.test(literal)) modules.add(literal);
    if (literals !== undefined) literals.push(literal);
    code.push(literals === undefined ? "''" : `'${literals.length - 1}'`);
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
  const starts = literals === undefined ? undefined : startsIn(plain, literals, modules);
  return { modules: [...modules], paths: [...paths], open: [...open], ...(starts && { starts }) };
}

/** `plain`: the code, each literal as its number in quotes. What code that is written out imports is added to `imported`. */
function startsIn(plain: string, literals: readonly string[], imported: Set<string>): ProgramStarts {
  if (alwaysUnknown.test(plain)) return { files: [], isUnknown: true };
  const files: { written: string }[] = [];
  const modules: string[] = [];
  let isUnknown = false;
  for (const match of plain.matchAll(startCall)) {
    const call = plain.slice(match.index + match[0].length).slice(0, 400);
    const words = wordsOf(call, literals);
    const [program = ''] = words;
    if (harmlessProgram.test(program.split(/\s/, 1)[0] ?? '') && !unsafeShell.test(program)) continue;
    const [first = '', second = ''] = words.slice(1).filter((word) => !/^-[sSEIuBbOqv]+$/.test(word));
    // Elsewhere, names may stand for others.
    if (!/^(?:sys\.executable|python[\d.]*)$/.test(program) || /\bcwd\s*=/.test(call)) isUnknown = true;
    else if (first === '-m' && /^[\w.]+$/.test(second)) modules.push(second);
    else if (first.endsWith('.py')) files.push({ written: first });
    else if (/^-[sSEIuBbOqv]*c$/.test(first) && second !== '' && !second.includes('{')) {
      const code = scanPython(second);
      for (const name of code.modules) imported.add(name);
      if (code.open.length > 0 || code.starts !== undefined) isUnknown = true;
    } else isUnknown = true;
  }
  // Its functions under other names.
  const rest = plain
    .replace(startCall, '')
    .replace(
      /^[ \t]*import[ \t][^\n]*|\bsubprocess\.(?:[A-Z]\w*Error|TimeoutExpired|PIPE|DEVNULL|STDOUT|CompletedProcess)\b/gm,
      '',
    );
  if (/\bsubprocess\b|\bcreate_subprocess_/.test(rest)) isUnknown = true;
  return { files, modules, isUnknown };
}

/** The literals at the beginning of a call, or of the list that it begins with. */
function wordsOf(call: string, literals: readonly string[]): readonly string[] {
  const words: string[] = [];
  let rest = call.replace(/^(?:args\s*=\s*)?\[?\s*/, '');
  for (;;) {
    const match = /^(?:(sys\.executable)|'(\d+)')\s*(?:,\s*|(?=[\])]))/.exec(rest);
    if (match === null) return words;
    words.push(match[1] ?? literals[Number(match[2])] ?? '');
    rest = rest.slice(match[0].length);
  }
}

const token =
  /#[^\n]*|[a-zA-Z]{0,2}(?:"""(?:\\[\s\S]|[^\\])*?"""|'''(?:\\[\s\S]|[^\\])*?'''|"(?:\\[\s\S]|[^"\\\n])*"|'(?:\\[\s\S]|[^'\\\n])*')/g;
/** Settings, registries and commands name modules so; what is none in the workspace is nothing. */
const dottedName = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/;
const mayStart =
  /\b(?:subprocess|create_subprocess_\w+|runpy|run_path|pexpect|plumbum|sarge|delegator|pytester|testdir|script_runner|os\s*\.\s*(?:system|popen|exec\w+|spawn\w+|posix_spawn\w*)|popen|pty)\b|\bimport\s+sh\b|\bfrom\s+(?:os|sh|invoke)\s+import\b|\b(?:load_source|spec_from_file_location|SourceFileLoader|load_module|exec_module|iter_modules|walk_packages|entry_points|load_entry_point|exec)\b|\b(?:playwright|selenium)\b/;
/** Loads or starts what the text does not name; names of modules that follow are looked at as such. */
const alwaysUnknown =
  /\b(?:run_path|pexpect|plumbum|sarge|delegator|pytester|testdir|script_runner|popen|pty\.spawn|load_source|spec_from_file_location|SourceFileLoader|load_module|exec_module|iter_modules|walk_packages|entry_points|load_entry_point)\b|\bos\s*\.\s*(?:system|exec\w+|spawn\w+|posix_spawn\w*)\b|\b(?:from|import)\s+(?:sh|playwright|selenium|invoke)\b|\bfrom\s+os\s+import\s[^\n]*\b(?:system|popen|exec\w+|spawn\w+)|\bfrom\s+subprocess\s+import\b|\bimport\s+subprocess\s+as\b|(?<![.\w])exec\s*\(/;
const startCall =
  /\b(?:subprocess\s*\.\s*(?:run|call|check_call|check_output|Popen|getoutput|getstatusoutput)|create_subprocess_(?:exec|shell))\s*\(\s*/g;
const pathLike = /^[\w@.-]*(?:\/[\w@.-]+){1,12}\.\w{1,8}$/;
const moduleCall =
  /\b(?:import_module|__import__|importorskip|patch|setattr|delattr|resolve_name|run_module)\s*\(\s*$|\bpytest_plugins\s*=\s*[([]?(?:\s*'\d*'\s*,)*\s*$/;
const loadCall = /\b(?:import_module|__import__)\s*\(\s*$/;
const openCall = /\b(?:import_module|__import__)\s*\(\s*[A-Za-z_]/;
const statement =
  /(?:^|[\n;:])[ \t]*(?:from[ \t]+([.\w][.\w \t]*?)[ \t]+import[ \t]*(\([^)]*\)|[^\n;]*)|import[ \t]+([^\n;(]*))/g;
