// Which tests some changed files can touch: by name, by what depends on them, and, where that is unsure, all around them.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../base/humanError.ts';
import { snapshotOwner } from '../frameworks/testFiles.ts';
import type { DependencyGraph } from '../modules/dependencyGraph.ts';
import { readOr } from '../modules/liveView.ts';
import { changeKind, languageOfFile, projectMarks, type TestLanguage } from './changeKinds.ts';
import { testsNamedAfter } from './namedTests.ts';

interface ChangedFiles {
  /** Absolute real path. */
  readonly root: string;
  /** In step with the disk. */
  readonly graph: DependencyGraph;
  /** Every test file; this and all others relative to the root. */
  readonly testFiles: readonly string[];
  /** Changed, new and deleted files. */
  readonly changed: readonly string[];
  readonly signal?: AbortSignal;
}

interface AffectedBy {
  /** In the order of `testFiles`. */
  readonly files: readonly string[];
  /** Why more tests than the imports tell, as sentences. */
  readonly notes: readonly string[];
}

/** When unsure, more tests. */
export async function affectedBy(request: ChangedFiles): Promise<AffectedBy> {
  const { graph, testFiles, changed } = request;
  const seeds = new Set<string>();
  const named = testsNamedAfter(changed, testFiles);
  const notes: string[] = [];
  const all = (folder: string, language: TestLanguage | undefined, why: string): void => {
    const fits = (file: string): boolean =>
      isBelow(file, folder) && (language === undefined || languageOfFile(file) === language);
    for (const file of testFiles) if (fits(file)) seeds.add(file);
    // What other packages import from there counts too.
    for (const file of graph.files()) if (fits(file)) seeds.add(file);
    notes.push(
      `${why}: all ${languageNames[language ?? 'all']} ${folder === '' ? 'of the workspace' : `in ${folder}`} run.`,
    );
  };
  for (const file of changed) {
    seeds.add(file);
    const owner = snapshotOwner(file);
    if (owner !== undefined && testFiles.includes(owner)) {
      seeds.add(owner);
      continue;
    }
    const kind = changeKind(file);
    switch (kind.kind) {
      case 'config':
        all(folderOf(file), kind.language, `${file} changed`);
        break;
      case 'source':
        for (const other of relatedSources(file, request)) seeds.add(other);
        break;
      case 'data': {
        const readers = graph.has(file) ? [] : await readersOf(file, request);
        for (const reader of readers) seeds.add(reader);
        if (readers.length === 0 && !graph.has(file))
          all(projectOf(request.root, file), undefined, `${file} changed and may be read by any test`);
        break;
      }
      case 'none':
        // Unless somebody names it after all.
        for (const reader of await namersOf(file, request)) seeds.add(reader);
        break;
    }
  }
  const isOfPrograms = (file: string): boolean =>
    changeKind(file).kind !== 'none' && (!testFiles.includes(file) || ofFixtures.test(file));
  const starters = changed.some(isOfPrograms) ? graph.starters() : [];
  const known = graph.dependents(seeds);
  const reached = graph.dependents([...seeds, ...starters]);
  const added = testFiles.filter((file) => reached.has(file) && !known.has(file) && !named.has(file));
  const [starter] = starters.filter((file) => !known.has(file));
  if (added.length > 0 && starter !== undefined) {
    const others = starters.length > 1 ? ` and ${String(starters.length - 1)} more` : '';
    notes.push(
      `${starter}${others} may start or load any file: ${String(added.length)} test ${added.length === 1 ? 'file that depends' : 'files that depend'} on that run${added.length === 1 ? 's' : ''}.`,
    );
  }
  return { files: testFiles.filter((file) => reached.has(file) || named.has(file)), notes };
}

/** Test files there are input of programs: of runners, builders, linters. */
const ofFixtures = /(?:^|\/)(?:_*fixtures?_*|examples?|samples?|testdata)\//;

const languageNames: Readonly<Record<TestLanguage | 'all', string>> = {
  js: 'JavaScript tests',
  py: 'Python tests',
  go: 'Go tests',
  all: 'tests',
};

/** Files beside the changed source that count as changed with it. */
function relatedSources(file: string, { root, graph, testFiles }: ChangedFiles): readonly string[] {
  const language = languageOfFile(file);
  // A test file is loaded by its runner, not by a name that some source makes up.
  const isLoadedByRunner = testFiles.includes(file) || file.endsWith('conftest.py');
  const related = isLoadedByRunner
    ? []
    : graph.openTo(file).filter((importer) => languageOfFile(importer) === language);
  const isGone = !existsSync(path.join(root, file));
  if (file.endsWith('.go')) related.push(`${folderOf(file) || '.'}/`);
  const mock = /^(.*\/)?__mocks__\/(.+)$/.exec(file);
  if (mock) related.push(...graph.namers(mock[2] ?? ''));
  // Gone, or nobody is known to import it: whoever names something like it may mean it (an alias of a runner, a mapper).
  if (isGone || !graph.has(file)) related.push(...namersLike(file, graph));
  return related;
}

function namersLike(file: string, graph: DependencyGraph): readonly string[] {
  const name = path.posix.basename(file);
  // Too many name an index: it is asked for by its folder.
  return graph.namers(/^(?:index|__init__)\./.test(name) ? `${folderOf(file)}/` : file);
}

/** Who reads a data file: whoever names it, or its folder, in a text; in Go the package around it. */
async function readersOf(file: string, request: ChangedFiles): Promise<readonly string[]> {
  const readers = [...(await namersOf(file, request))];
  for (let folder = folderOf(file); ; folder = folderOf(folder)) {
    const node = `${folder || '.'}/`;
    if (request.graph.has(node)) {
      readers.push(node, ...request.testFiles.filter((test) => folderOf(test) === folder));
      break;
    }
    if (folder === '') break;
  }
  return readers;
}

async function namersOf(file: string, { root, graph, signal }: ChangedFiles): Promise<readonly string[]> {
  const name = path.posix.basename(file);
  const folder = path.posix.basename(folderOf(file));
  const asFolder = generalFolder.test(folder) ? undefined : new RegExp(`['"\`/]${escaped(folder)}['"\`/]`);
  const found: string[] = [];
  let pause = performance.now() + 10;
  for (const candidate of graph.files()) {
    if (languageOfFile(candidate) === undefined) continue;
    const text = readOr(path.join(root, candidate));
    if (text !== undefined && (text.includes(name) || asFolder?.test(text))) found.push(candidate);
    if (performance.now() < pause) continue;
    await setImmediate();
    throwIfCancelled(signal);
    pause = performance.now() + 10;
  }
  return found;
}

/** Names that say nothing about who reads the folder. */
const generalFolder = /^(?:\.|src|lib|app|tests?|__tests__|docs?|public|assets|packages)?$/;

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The nearest folder around that is a project of its own; empty text for the root. */
function projectOf(root: string, file: string): string {
  for (let folder = folderOf(file); folder !== ''; folder = folderOf(folder))
    if (projectMarks.some((mark) => existsSync(path.join(root, folder, mark)))) return folder;
  return '';
}

function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === '.' || folder === '/' ? '' : folder;
}

/** A change above the root concerns all of it. */
function isBelow(file: string, folder: string): boolean {
  return folder === '' || /^(?:\.\.(?:\/|$))+$/.test(folder) || file.startsWith(folder + '/');
}
