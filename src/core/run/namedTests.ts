// Which tests carry the name of a source file (CONTRACTS T2).
import path from 'node:path';

/**
 * Test files named after a changed file: `src/a/x.ts` → `tests/a/x.test.ts`, `tests/x.spec.ts`, `src/a/__tests__/x.test.js`;
 * `x.py` → `test_x.py`, `x_test.py`; `x.go` → `x_test.go`; an `index` or `__init__` also counts by its folder. All relative, POSIX.
 */
export function testsNamedAfter(
  changed: readonly string[],
  testFiles: readonly string[],
): ReadonlySet<string> {
  const byStem = new Map<string, { file: string; folders: readonly string[] }[]>();
  for (const file of testFiles) {
    const stem = testedStem(file);
    if (stem === undefined) continue;
    const entry = { file, folders: meaningfulFolders(path.posix.dirname(file)) };
    const known = byStem.get(stem);
    if (known) known.push(entry);
    else byStem.set(stem, [entry]);
  }
  const found = new Set<string>();
  for (const file of changed) {
    for (const { stem, folder } of subjectsOf(file)) {
      const folders = meaningfulFolders(folder);
      for (const test of byStem.get(stem) ?? []) {
        // One folder path must end with the other: a flat tests folder serves all, two sibling packages do not mix.
        const length = Math.min(folders.length, test.folders.length);
        const same =
          length === 0 || folders.slice(-length).join('/') === test.folders.slice(-length).join('/');
        if (same) found.add(test.file);
      }
    }
  }
  return found;
}

/** What a test could be named after when it tests the file. */
function subjectsOf(file: string): readonly { readonly stem: string; readonly folder: string }[] {
  const name = path.posix.basename(file);
  const folder = path.posix.dirname(file);
  const language = languageOf(name);
  if (language === undefined) return [];
  const stem = name.replace(/\.\w+$/, '');
  const own = { stem: `${language}:${stem}`, folder };
  if (stem !== 'index' && stem !== '__init__') return [own];
  const parent = { stem: `${language}:${path.posix.basename(folder)}`, folder: path.posix.dirname(folder) };
  return [own, parent];
}

function testedStem(file: string): string | undefined {
  const name = path.posix.basename(file);
  const match =
    /^(.+?)[._-](?:tests?|spec|cy|e2e)(?:[._-](?:tests?|spec))?\.[mc]?[jt]sx?$/.exec(name) ??
    /^tests?[._-](.+)\.[mc]?[jt]sx?$/.exec(name) ??
    (/(?:^|\/)__tests__\//.test(file) ? /^(.+)\.[mc]?[jt]sx?$/.exec(name) : null) ??
    /^test_(.+)\.py$/.exec(name) ??
    /^(.+)_test\.(?:py|go)$/.exec(name);
  return match ? `${languageOf(name)}:${match[1]}` : undefined;
}

function languageOf(name: string): 'js' | 'py' | 'go' | undefined {
  if (/\.(?:[mc]?[jt]sx?|vue|svelte|astro)$/.test(name)) return 'js';
  return name.endsWith('.py') ? 'py' : name.endsWith('.go') ? 'go' : undefined;
}

/** The folders of a path without those that only say "source here" or "tests here". */
function meaningfulFolders(folder: string): readonly string[] {
  return folder
    .split('/')
    .filter(
      (one) =>
        !/^(?:\.|src|lib|app|source|tests?|__tests__|specs?|unit|integration|e2e|cypress|testing)?$/.test(
          one,
        ),
    );
}
