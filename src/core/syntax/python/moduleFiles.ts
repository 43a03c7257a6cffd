// Where a module that a Python test imports may lie, as far as it is one of the tests.
import path from 'node:path';

/** Relative paths in the order in which they are looked for: beside the importing file first, then in the folders above it. */
export function moduleFiles(specifier: string, from: string): readonly string[] {
  const [, dots = '', name = ''] = /^(\.*)(.*)$/.exec(specifier) ?? [];
  const below = name.replaceAll('.', '/');
  const start = path.posix.dirname(from);
  const folders = dots === '' ? upFrom(start) : upFrom(start).slice(dots.length - 1, dots.length);
  return folders
    .flatMap((folder) => {
      const module = path.posix.join(folder, below);
      return [...(below === '' ? [] : [`${module}.py`]), path.posix.join(module, '__init__.py')];
    })
    .filter(isNamedForTests);
}

/** The folder itself and all above it. */
function upFrom(folder: string): readonly string[] {
  const parent = path.posix.dirname(folder);
  return folder === '.' || parent === folder ? [folder] : [folder, ...upFrom(parent)];
}

/** What lies beside tests among the sources may be the code that they test. */
const isNamedForTests = (file: string): boolean =>
  file.split('/').some((part) => /(?:^|_)tests?(?:_|\.|$)/i.test(part));
