// How tests start our programs: from the bundles, as users do, while these are newer than every source; else from the sources.
import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** Arguments for `node`: options, then the script. */
export interface Program {
  readonly options: readonly string[];
  readonly script: string;
}

export const cli = program('dist/cli.js', 'src/cli/main.ts');
export const engine = program('dist/server.js', 'src/server/main.ts');

function program(bundle: string, source: string): Program {
  if (isCurrent(path.join(root, bundle))) return { options: [], script: path.join(root, bundle) };
  // By its full address: the workspaces of the tests have no tsx.
  return { options: ['--import', import.meta.resolve('tsx')], script: path.join(root, source) };
}

/** Whether the bundle is newer than every source. */
export function isCurrent(bundle: string): boolean {
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' });
  return sources.every((file) => statSync(path.join(root, 'src', file)).mtimeMs < made);
}
