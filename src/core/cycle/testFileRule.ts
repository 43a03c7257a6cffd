// Which files a fix may touch (INTERFACES "Test files"): helpers that only tests import too, but no link to somebody else's file.
import { leadsOutside, toRelativePosix } from '../base/paths.ts';
import { createTestFileCheck } from '../frameworks/testFiles.ts';
import { createImportGraph } from '../modules/importGraph.ts';
import { walkTree } from '../workspace/walk.ts';

interface TestFileRuleRequest {
  /** Absolute real path. */
  readonly root: string;
  /** Absolute files that the frameworks list as tests. */
  readonly testFiles: readonly string[];
  readonly signal?: AbortSignal;
}

/** They decide how the tests of a folder run. */
const setsUp = /(?:^|\/)(?:conftest|__init__)\.py$/;

/** Reads the imports of the workspace once; the answer takes paths relative to the root, also of files that do not exist yet. */
export async function testFileRule({
  root,
  testFiles,
  signal,
}: TestFileRuleRequest): Promise<(file: string) => boolean> {
  const listing = { files: testFiles.map((file) => ({ file: toRelativePosix(root, file) })) };
  const { files, links } = await walkTree(root, signal);
  const outside = new Set([...links].filter((file) => leadsOutside(root, file)));
  const scripts = files.filter((file) => /\.(?:[mc]?[jt]sx?|vue|svelte|astro|py)$/.test(file));
  const graph = createImportGraph({ root, ...(signal === undefined ? {} : { signal }) });
  const helpers = await graph.onlyFromTests(scripts, createTestFileCheck(listing));
  const isTestFile = createTestFileCheck(listing, {
    reachedOnlyFromTests: (file) => helpers.has(file) && !setsUp.test(file),
  });
  return (file) => isTestFile(file) && !outside.has(file);
}
