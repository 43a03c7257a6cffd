// Which folders packages that are installed in place (`pip install -e`) are imported from.
import path from 'node:path';
import { namesIn, textOfFile } from '../configFiles.ts';
import type { Python } from './pythonEnvironment.ts';
import { packageFolders } from './sitePackages.ts';

/**
 * Absolute folders that the packages of this Python add to its import path, in its order: plain lines of `.pth` files, and the
 * folders that hold what the finders of setuptools and of `editables` lead to.
 */
export function foldersInPlace(python: Python): readonly string[] {
  return [...new Set(packageFolders(python).flatMap(foldersNamedIn))];
}

function foldersNamedIn(packages: string): readonly string[] {
  const names = namesIn(packages);
  return names.flatMap((name) => {
    if (name.endsWith('.pth')) {
      const lines = (textOfFile(path.join(packages, name)) ?? '').split(/\r?\n/);
      return lines
        .filter((line) => !/^(?:#|import[ \t])/.test(line) && path.isAbsolute(line))
        .map((line) => line.trim());
    }
    if (!/^(?:__editable__.*_finder|_editable_impl_.*)\.py$/.test(name)) return [];
    return [...(textOfFile(path.join(packages, name)) ?? '').matchAll(mapping)].flatMap((found) => {
      const module = (found[1] ?? '').split('.');
      const place = (found[2] ?? '').replace(/[\\/]__init__\.py$/, '').replace(/\.py$/, '');
      const parts = place.split(/[\\/]/);
      // The folder above the package; a package under another name than its folder cannot be reached that way.
      const isAtHome = module.every((part, index) => parts[parts.length - module.length + index] === part);
      return path.isAbsolute(place) && isAtHome ? [parts.slice(0, -module.length).join(path.sep)] : [];
    });
  });
}

/** `'package': '/folder/package'` of setuptools, `map_module('package', '/folder/package/__init__.py')` of editables. */
const mapping = /['"]([\w.]+)['"]\s*[:,]\s*['"]([^'"\n]+)['"]/g;
