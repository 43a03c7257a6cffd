// The parts of the suite and which test files each has; together they have every one, and no file is in two.
import path from 'node:path';
import glob from 'fast-glob';

const root = path.resolve(import.meta.dirname, '../..');
const long = 'test/**/*.long.test.ts';
const frameworks = 'test/core/{frameworks/*,fixes}/**/*.test.ts';
const globs = {
  unit: {
    files: [
      'test/architecture.test.ts',
      'test/{core,server,cli,mcp,extension,webview,queue,faces}/**/*.test.ts',
    ],
    ignore: [long, frameworks],
  },
  frameworks: { files: [frameworks], ignore: [long] },
  long: { files: ['test/{demo,faults}/*.test.ts', long], ignore: [] },
  host: { files: ['test/host/*.test.ts'], ignore: [] },
  ui: { files: ['test/ui/**/*.test.ts'], ignore: [] },
};

export type Part = keyof typeof globs;
export const partNames: readonly Part[] = ['unit', 'frameworks', 'long', 'host', 'ui'];
export const isPart = (name: string): name is Part => Object.hasOwn(globs, name);

/** Relative to the repository. */
export function filesOf(parts: readonly Part[]): readonly string[] {
  return parts.flatMap((part) => glob.sync(globs[part].files, { cwd: root, ignore: globs[part].ignore }));
}
