// The places of a recorded stack that lie in the workspace, innermost first.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { realPathOr } from '../../base/paths.ts';
import type { Location } from '../../model/position.ts';

export type StackPlace = Location;

/** Files are told relative to the root; frames in node_modules are left out. */
export function stackPlaces(stack: string, root: string): StackPlace[] {
  const folders = [...new Set([root, realPathOr(root)])].flatMap((folder) => [
    { prefix: pathToFileURL(folder).href + '/', encoded: true },
    { prefix: folder + path.sep, encoded: false },
  ]);
  return stack.split('\n').flatMap((line) => {
    for (const { prefix, encoded } of folders) {
      const start = line.indexOf(prefix);
      const match =
        start < 0 ? null : /^(.*?)(?:\?[^:]*)?:(\d+):(\d+)\)?\s*$/.exec(line.slice(start + prefix.length));
      if (match === null) continue;
      const file = (encoded ? decodeURIComponent(match[1] ?? '') : (match[1] ?? ''))
        .split(path.sep)
        .join('/');
      if (/(?:^|\/)(?:node_modules|testmend-capture-\w+\.[cm]js)(?:\/|$)/.test(file)) return [];
      return [{ file, line: Number(match[2]), column: Number(match[3]) }];
    }
    return [];
  });
}
