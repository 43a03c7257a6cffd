// The files of the workspace that a test file or a source imports, as far as they are read off its text: for what looks through many in a moment.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

/** Larger files are fixtures, bytes. */
const largestFile = 1_000_000;

export function smallText(file: string): string | undefined {
  try {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size <= largestFile ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}

export type LoadBeside = (
  from: string,
  specifier: string,
) => { readonly file: string; readonly text: string } | undefined;

const endings = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mts',
  '.mjs',
  '.cts',
  '.cjs',
  '.json',
  '.py',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/__init__.py',
];

/** Files are relative to `root`; nothing outside of it is read. */
export function loadBeside(root: string): LoadBeside {
  return (from, specifier) => {
    const base = path.posix.join(path.posix.dirname(from.replaceAll('\\', '/')), specifier);
    if (base.startsWith('..') || base.split('/').includes('node_modules')) return undefined;
    // TypeScript's own way to name a file is that of what it becomes.
    const bases = new Set([base, base.replace(/\.([cm]?)js(x?)$/, '.$1ts$2')]);
    for (const one of bases)
      for (const ending of endings) {
        const text = smallText(path.join(root, one + ending));
        if (text !== undefined) return { file: one + ending, text };
      }
    return undefined;
  };
}

/** What the file imports, and what it names with a literal path and may read, relative to the root. */
export function filesBelow(root: string, file: string, text: string, load: LoadBeside): readonly string[] {
  return [...importedFiles(root, file, text, load), ...namedFiles(file, text, load)];
}

const mostNames = 100;
const sign = String.raw`[\p{L}\p{N}_@./ -]`;
const before = String.raw`(?:(["'\x60])${sign}{1,200}\1\s{0,20}[,/+]\s{0,20}){0,6}(["'\x60])(?:\$\{[\w.()]{1,40}\})?${sign}{0,200}`;
const namings = [
  String.raw`${before}\.(?!(?:png|jpe?g|gif|webp|ico|pdf|zip|gz|tgz|tar|woff2?|ttf|mp[34]|wasm|com|org|net|io|dev)\2)[\w-]{1,20}\2`,
  // Its name has no ending: `Dockerfile`.
  String.raw`\b(?:read|open|load|fixture|createReadStream|Path|URL)\w{0,20}\([^"'\x60\n]{0,60}${before}\2`,
].map((source) => new RegExp(source, 'giu'));

/** Each literal that ends like a file of text, or that something reads, behind those that stand beside it: `join(__dirname, 'fixtures', 'x.json')`, `HERE / "x.ini"`. */
function namedFiles(file: string, text: string, load: LoadBeside): readonly string[] {
  const found = new Set<string>();
  if (!/\.(?:[cm]?[jt]sx?|vue|svelte|py|go)$/.test(file)) return [];
  const depth = file.split('/').length - 1;
  const named = namings.flatMap((naming) => [...text.matchAll(naming)].slice(0, mostNames));
  for (const [run] of named) {
    const parts = Array.from(run.matchAll(/["'`](?:\$\{[^{}]*\})?([^"'`]*)["'`]/g), ([, part = '']) => part);
    // Behind it may stand an encoding.
    const ends = /^[\w-]+$/.test(parts.at(-1) ?? '') ? [parts.length, parts.length - 1] : [parts.length];
    const runs = ends.flatMap((end) => parts.slice(0, end).map((_, first) => parts.slice(first, end)));
    for (const some of runs) {
      const name = some.join('/').replace(/^\/+/, '');
      // From the folder of the file, and from those above it, as a runner is started there.
      const places = Array.from({ length: depth + 1 }, (_, up) => `./${'../'.repeat(up)}${name}`);
      const read = places.map((place) => load(file, place)?.file).find((one) => one !== undefined);
      if (read !== undefined) found.add(read);
    }
  }
  return [...found];
}

/** In the order of the text. */
function importedFiles(root: string, file: string, text: string, load: LoadBeside): readonly string[] {
  if (/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(file))
    return Array.from(
      text.matchAll(
        /(?:\bfrom|\bimport|\brequire|\bmock|\bdoMock)\s*\(?\s*(["'`])(\.{1,2}\/[^"'`\n]{1,200})\1/g,
      ),
      ([, , specifier = '']) => load(file, specifier)?.file ?? [],
    ).flat();
  if (file.endsWith('.py'))
    return Array.from(
      text.matchAll(/^\s*(?:from\s+(\.*[\w.]*)\s+import\b|import\s+([\w.]+))/gm),
      ([, from, whole]) => pythonFiles(file, from ?? whole ?? '', load),
    )
      .concat([load(file, './conftest.py')?.file ?? []].flat())
      .flat();
  return file.endsWith('.go') ? filesOfPackage(root, file) : [];
}

/** From the folder of the file and those above it, as the roots of packages lie. */
function pythonFiles(file: string, name: string, load: LoadBeside): readonly string[] {
  const [, dots = '', rest = ''] = /^(\.*)(.*)$/.exec(name) ?? [];
  const inner = rest.replaceAll('.', '/');
  if (inner === '') return [];
  if (dots !== '') return [load(file, `${'../'.repeat(dots.length - 1)}./${inner}`)?.file ?? []].flat();
  const depth = file.split('/').length - 1;
  for (let up = 0; up <= depth; up++)
    for (const folder of ['', 'src/']) {
      const found = load(file, `${'../'.repeat(up)}./${folder}${inner}`);
      if (found !== undefined) return [found.file];
    }
  return [];
}

/** Of a Go package: the other files of its folder. */
function filesOfPackage(root: string, file: string): readonly string[] {
  const folder = path.posix.dirname(file);
  try {
    return readdirSync(path.join(root, folder))
      .filter((name) => name.endsWith('.go'))
      .slice(0, 20)
      .map((name) => path.posix.join(folder, name));
  } catch {
    return [];
  }
}
