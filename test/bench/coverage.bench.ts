// What counting costs: a run with coverage of 20 sources with 20 test files, beside the same runner's own coverage.
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { medians, program, type BenchRow } from './measure.ts';

const root = path.resolve(import.meta.dirname, '../..');
const count = 20;
const rounds = 3;

interface Covered {
  readonly name: string;
  readonly packages: readonly string[];
  readonly packageJson: object;
  /** The bare command, with and without its own coverage; none counts in mocha. */
  readonly bare: readonly string[];
  readonly own?: readonly string[];
  readonly source: (body: string) => string;
  readonly test: (index: number) => string;
}

const modules = path.join(root, 'node_modules');
const commonJs = {
  source: (body: string) => `${body}module.exports = { work };\n`,
  test: (index: number) =>
    `const { work } = require('../src/s${index}.js');\nit('works', () => { if (work(7) < 0) throw new Error(); });\n`,
};
const runners: readonly Covered[] = [
  {
    name: 'vitest',
    packages: ['vitest', 'vite', '@vitest/coverage-v8'],
    packageJson: { type: 'module', devDependencies: { vitest: '*' } },
    bare: [path.join(modules, 'vitest/vitest.mjs'), 'run'],
    own: ['--coverage.enabled', '--coverage.reporter=json', '--coverage.reportsDirectory=../own'],
    source: (body) => `${body}export { work };\n`,
    test: (index) =>
      `import { it } from 'vitest';\nimport { work } from '../src/s${index}.js';\nit('works', () => { if (work(7) < 0) throw new Error(); });\n`,
  },
  {
    name: 'jest',
    packages: ['jest'],
    packageJson: { jest: {} },
    bare: [path.join(modules, 'jest/bin/jest.js')],
    own: ['--coverage', '--coverageReporters=json', '--coverageDirectory=../own'],
    ...commonJs,
  },
  {
    name: 'mocha',
    packages: ['mocha'],
    packageJson: { scripts: { test: 'mocha tests' } },
    bare: [path.join(modules, 'mocha/bin/mocha.js'), 'tests'],
    ...commonJs,
  },
];

const body = `function work(value) {\n${Array.from({ length: 120 }, (_, at) => `  if (value > ${at}) {\n    value = value * 2 % ${at + 3};\n  } else if (value === ${at}) value = value ? value + 1 : 0;`).join('\n')}\n  return value;\n}\n`;

/** Against the own coverage of a framework at most 1.05 times and 150 ms, as for a run without; mocha has none of its own. */
export async function bench(): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const one of runners) rows.push(...(await compare(one)));
  return rows;
}

async function compare(one: Covered): Promise<readonly BenchRow[]> {
  const files: Record<string, string> = { 'package.json': JSON.stringify(one.packageJson) };
  for (let index = 0; index < count; index++) {
    files[`src/s${index}.js`] = one.source(body);
    files[`tests/s${index}.test.js`] = one.test(index);
  }
  const workspace = await temporaryWorkspace(files, { packages: one.packages });
  const cli = path.join(root, 'dist/cli.js');
  const node = (args: readonly string[]) => program(process.execPath, args, workspace.root);
  try {
    const time = await medians(
      {
        own: () => node([...one.bare, ...(one.own ?? [])]),
        plain: () => node([cli, 'run']),
        counted: () => node([cli, 'run', '--coverage']),
      },
      rounds,
    );
    const ratio = time('counted') / time('own');
    const against = one.own ? `${one.name}, its own coverage` : `${one.name} alone`;
    return [
      { name: against, value: time('own'), unit: 'ms' },
      { name: `testmend run, ${one.name}`, value: time('plain'), unit: 'ms' },
      {
        name: `testmend run --coverage, ${one.name}`,
        value: time('counted'),
        unit: 'ms',
        ...(one.own && { limit: time('own') * 1.05 + 150 }),
        note: `${ratio.toFixed(2)} × ${against}`,
      },
    ];
  } finally {
    await workspace.dispose();
  }
}
