// The public projects that docs/benchmarks.md names: which runner each has, and what its script gives to the runner.
export interface Project {
  /** Folder below that of the clones. */
  readonly folder: string;
  readonly framework: string;
  /** Words that the project's own script gives to the runner. */
  readonly words?: readonly string[];
}

export const projects: readonly Project[] = [
  { folder: 'unjs/ufo', framework: 'vitest' },
  { folder: 'fb55/htmlparser2', framework: 'vitest' },
  { folder: 'gvergnaud/ts-pattern', framework: 'jest' },
  { folder: 'tj/commander.js-jest', framework: 'jest' },
  {
    folder: 'expressjs/express',
    framework: 'mocha',
    words: ['--require', 'test/support/env', '--check-leaks', 'test/', 'test/acceptance/'],
  },
  {
    folder: 'chaijs/chai',
    framework: 'mocha',
    words: ['--require', './test/bootstrap/index.js', 'test/*.js'],
  },
  { folder: 'tj/commander.js', framework: 'nodeTest' },
  {
    folder: 'sindresorhus/p-queue',
    framework: 'nodeTest',
    words: ['--enable-source-maps', '--import=tsx/esm', 'test/*.ts'],
  },
  { folder: 'pallets/click', framework: 'pytest' },
  { folder: 'python-attrs/attrs', framework: 'pytest' },
  { folder: 'encode/httpx', framework: 'pytest' },
  { folder: 'pallets/itsdangerous', framework: 'pytest' },
  { folder: 'psf/requests', framework: 'pytest' },
  { folder: 'gorilla/mux', framework: 'goTest' },
];
