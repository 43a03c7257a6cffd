// Finds the files that a test file imports its base classes and tests from.
import path from 'node:path';
import { textOfFile } from '../configFiles.ts';
import { isInside } from '../../base/paths.ts';
import type { ReadModule } from '../../syntax/python/pythonModule.ts';

/** Modules beside the file and below the folders above it, up to `root`; without a root only those in its own folder. */
export function moduleReader(file: string, root = path.dirname(file)): ReadModule {
  return (specifier) => {
    const [, dots = '', name = ''] = /^(\.*)(.*)$/.exec(specifier) ?? [];
    const parts = name.split('.').filter((part) => part !== '');
    const start = dots
      .split('')
      .reduce((folder, _dot, index) => (index === 0 ? folder : path.dirname(folder)), path.dirname(file));
    for (let folder = start; isInside(root, folder); folder = path.dirname(folder)) {
      const place = path.join(folder, ...parts);
      for (const candidate of parts.length === 0
        ? [path.join(place, '__init__.py')]
        : [`${place}.py`, path.join(place, '__init__.py')]) {
        const text = candidate === file ? undefined : textOfFile(candidate);
        if (text !== undefined) return { text, read: moduleReader(candidate, root) };
      }
      // A relative name has one place.
      if (dots !== '' || folder === path.dirname(folder)) return undefined;
    }
    return undefined;
  };
}
