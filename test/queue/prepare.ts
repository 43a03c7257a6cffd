// Makes what the test files of a queue start, once and before all of them: none may build, since it would take the bundles from the others.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { isCurrent } from '../support/programs.ts';
import type { Part } from './parts.ts';

const root = path.resolve(import.meta.dirname, '../..');

export function prepare(parts: readonly Part[]): void {
  if (parts.includes('ui')) execFileSync('npm', ['run', '-s', 'package'], { cwd: root, stdio: 'inherit' });
  // The package leaves bundles without the command line.
  if (!isBuilt()) execFileSync(process.execPath, ['src/build.mjs'], { cwd: root, stdio: 'inherit' });
}

/** Whether `dist` is what `npm run build` makes of the sources as they are. */
export function isBuilt(): boolean {
  return ['cli.js', 'server.js', 'extension.cjs'].every((file) => {
    const bundle = path.join(root, 'dist', file);
    return existsSync(bundle) && isCurrent(bundle);
  });
}
