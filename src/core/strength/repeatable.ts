// Which test files hold tests that can be repeated, and how these are loaded.
import type { ListedTestFile } from '../frameworks/discover.ts';
import { frameworkOf } from '../frameworks/registry.ts';

/** Declared in JavaScript by calls that can be made again. */
export function isRepeatable({
  framework,
  inSource,
}: Pick<ListedTestFile, 'framework' | 'inSource'>): boolean {
  const { vocabulary } = frameworkOf({ framework });
  return vocabulary !== undefined && 'roots' in vocabulary && framework !== 'cypress' && inSource !== true;
}

/** Is what is loaded before the tests an ES module, however they are written? */
export function loadsModules({ framework }: Pick<ListedTestFile, 'framework'>): boolean {
  const { capture } = frameworkOf({ framework });
  return capture !== undefined && 'module' in capture && capture.module === 'esm';
}
