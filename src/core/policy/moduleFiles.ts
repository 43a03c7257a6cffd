// The files that a relative import may mean.
import path from 'node:path';

const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs'];

/** Relative to the root, the likeliest first; `from`: the importing file. */
export function moduleFiles(module: string, from: string): readonly string[] {
  const target = path.posix.join(path.posix.dirname(from), module);
  const bare = target.replace(/\.[cm]?[jt]sx?$/, '');
  const files = [
    target,
    ...endings.map((ending) => bare + ending),
    ...endings.map((ending) => `${bare}/index${ending}`),
  ];
  return [...new Set(files)];
}
