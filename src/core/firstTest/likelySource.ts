// Where to begin in a workspace without tests: the entry of its package, else the source that most others import.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import type { Workspace } from '../model/settings.ts';
import { diskView } from '../modules/fileView.ts';
import { createImportGraph, loadTypescript } from '../modules/importGraph.ts';
import { createModuleResolver } from '../modules/moduleResolver.ts';
import { readText } from '../workspace/readText.ts';
import { walkTree } from '../workspace/walk.ts';
import { makeFirstTest } from './makeFirstTest.ts';

/** So many sources are asked what they import, and so many are tried. */
const maxAsked = 400;
const maxTried = 6;

const sourceName = /\.(?:[cm]?[jt]sx?|py|go)$/;
const noSource =
  /(?:^|\/)(?:\.|node_modules\/|(?:tests?|__tests__|specs?|docs?|examples?|scripts?|benchmarks?|dist|build|vendor|fixtures)\/|(?:setup|conftest|manage)\.py$)|\.d\.[cm]?ts$|\.(?:config|test|spec|stories)\.\w+$|(?:^|\/)test_[^/]*\.py$|_test\.(?:py|go)$|\.min\.js$/;

/** A source, relative to the root, for which a first test can be made; undefined where there is none. Throws the cancellation error. */
export async function likelySource(workspace: Workspace, signal?: AbortSignal): Promise<string | undefined> {
  const { root } = workspace;
  const { files } = await walkTree(root, signal);
  const sources = files.filter((file) => sourceName.test(file) && !noSource.test(file));
  const known = new Set(sources);
  const entries = (await entriesOf(root)).filter((file) => known.has(file));
  const candidates = [...new Set([...entries, ...(await mostImported(root, sources, signal))])];
  let found: string | undefined;
  for (const candidate of candidates.slice(0, maxTried)) {
    try {
      const { source, hasPlaces } = await makeFirstTest(workspace, candidate, signal);
      if (hasPlaces) return source;
      found ??= source;
    } catch (error) {
      if (!(error instanceof HumanError) || error.code === 'cancelled') throw error;
    }
  }
  return found;
}

/** Sources of what package.json names as `exports`, `module` and `main`, relative to the root. */
async function entriesOf(root: string): Promise<readonly string[]> {
  const text = await readText(path.join(root, 'package.json'));
  if (text === undefined) return [];
  const named = namedFiles(text);
  if (named.length === 0) return [];
  const resolver = createModuleResolver(await loadTypescript(), root, diskView());
  return named.map((file) => toRelativePosix(root, resolver.sourceOf(path.resolve(root, file))));
}

function namedFiles(packageJson: string): readonly string[] {
  let data: unknown;
  try {
    data = JSON.parse(packageJson.replace(/^\uFEFF/, ''));
  } catch {
    return [];
  }
  if (typeof data !== 'object' || data === null) return [];
  const named = ['exports', 'module', 'main'].map(
    (key) => Object.entries(data).find(([own]) => own === key)?.[1],
  );
  return named.flatMap(textsIn).filter((file) => !file.includes('*') && sourceName.test(file));
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** The sources, what most others import first; among equals the shallower, then by name. */
async function mostImported(
  root: string,
  sources: readonly string[],
  signal: AbortSignal | undefined,
): Promise<readonly string[]> {
  const graph = createImportGraph({ root, ...(signal && { signal }) });
  const counts = new Map<string, number>();
  for (const source of sources.slice(0, maxAsked))
    for (const imported of await graph.importsOf(source))
      counts.set(imported, (counts.get(imported) ?? 0) + 1);
  const depth = (file: string): number => file.split('/').length;
  return [...sources].sort(
    (a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || depth(a) - depth(b) || (a < b ? -1 : 1),
  );
}
