// Decides which files a fix may touch (INTERFACES, "Test files"): the tests themselves and what exists for them only.
import path from 'node:path';
import type { ListedTestFile } from './discover.ts';

interface TestFileOptions {
  /** Is the module reached from tests only? Known to the import graph; absent means no module is. */
  readonly reachedOnlyFromTests?: (file: string) => boolean;
}

const forTests =
  /(?:^|\/)(?:(?:__mocks__|fixtures|__fixtures__|testdata|__testdata__)\/|(?:__snapshots__|__file_snapshots__)\/.*(?<!\.snap)$)/;

/** A check for paths relative to the root of the listing, POSIX separators; a path that leaves the root is never a test file. */
export function createTestFileCheck(
  listing: { readonly files: readonly Pick<ListedTestFile, 'file'>[] },
  { reachedOnlyFromTests = () => false }: TestFileOptions = {},
): (file: string) => boolean {
  // A test script stands in the package.json, which is more than a test.
  const files = listing.files.map(({ file }) => file);
  const tests = new Set(files.filter((file) => path.posix.basename(file) !== 'package.json'));
  const names = new Set([...tests].map((file) => path.posix.basename(file)));
  // A resolver of the user's own keeps the name of the test file and puts snapshots somewhere else: `snapshots/src/b.test.ts.snap`.
  const isResolvedSnapshot = (file: string): boolean =>
    file.endsWith('.snap') &&
    !file.includes('__snapshots__/') &&
    names.has(path.posix.basename(file, '.snap'));
  return (file) => {
    if (path.posix.isAbsolute(file) || path.posix.normalize(file) !== file || file.startsWith('../'))
      return false;
    if (/(?:^|\/)node_modules\//.test(file)) return false;
    if (tests.has(file) || tests.has(snapshotOwner(file) ?? '') || isResolvedSnapshot(file)) return true;
    return forTests.test(file) || reachedOnlyFromTests(file);
  };
}

/** `a/__snapshots__/b.test.ts.snap` belongs to `a/b.test.ts`, and so does `a/b.test.ts.snap`. */
export function snapshotOwner(file: string): string | undefined {
  const found = /^(.*\/)?__snapshots__\/([^/]+)\.snap$|^(.+)\.snap$/.exec(file);
  return found ? (found[3] ?? `${found[1] ?? ''}${found[2] ?? ''}`) : undefined;
}
