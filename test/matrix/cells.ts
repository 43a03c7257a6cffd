// The cells of the matrix: a version of a framework, what it needs beside it, and the versions of Node that it says it runs on.
import type { SampleName } from './samples.ts';

export interface Cell {
  readonly framework: SampleName;
  /** As the table names it: `vitest 3.2.7, vite 6.4.6`. */
  readonly label: string;
  /** Exact or newest of a range, for npm or pip. */
  readonly packages: readonly string[];
  readonly node: NodeVersion;
}

/** What runs the tests; the tool itself needs 20, and runs on that where the tests run on an older one. */
export const nodeVersions = ['18', '20', '22', '24'] as const;
export type NodeVersion = (typeof nodeVersions)[number];

/** By version of vitest: the versions of vite that its peer range allows. */
const vites: Readonly<Record<string, readonly string[]>> = {
  '1.6.1': ['5.4.21'],
  '2.1.9': ['5.4.21'],
  '3.0.7': ['5.4.21', '6.4.6'],
  '3.2.4': ['6.4.6'],
  '3.2.7': ['5.4.21', '6.4.6', '7.3.8'],
  '4.1.12': ['6.4.6', '7.3.8'],
  '5.1.1': ['6.4.6', '7.3.8'],
};

/** The newest of each major version that the docs say is supported. */
const versions = {
  jest: ['26.6.3', '27.5.1', '28.1.3', '29.7.0', '30.5.2'],
  mocha: ['8.4.0', '9.2.2', '10.8.2', '11.8.0', '12.0.3'],
  ava: ['4.3.3', '5.3.1', '6.4.1', '7.0.0', '8.0.0', '8.1.2'],
  playwright: ['1.40.1', '1.65.1'],
  pytest: ['7.4.4', '8.4.2', '9.2.0'],
} as const;

/** The oldest Node on which a version says it runs, where that is not the oldest of ours. */
const oldestNode: Readonly<Record<string, NodeVersion>> = {
  'vite 7.3.8': '20',
  'vitest 4.1.12': '20',
  'vitest 5.1.1': '22',
  'mocha 12.0.3': '20',
  'ava 7.0.0': '20',
  'ava 8.0.0': '22',
  'ava 8.1.2': '22',
  'playwright 1.65.1': '20',
  // Only the tool runs on Node there; and what node:test tells is enough since 20.
  pytest: '20',
  nodeTest: '20',
};

/** Every cell, a framework after the other, so that a project is installed once for all versions of Node. */
export function allCells(): readonly Cell[] {
  const rows = [
    ...Object.entries(vites).flatMap(([version, own]) =>
      own.map((vite) => ({
        framework: 'vitest' as const,
        version,
        beside: `, vite ${vite}`,
        packages: [`vitest@${version}`, `@vitest/coverage-v8@${version}`, `vite@${vite}`],
      })),
    ),
    ...rowsOf('jest', (version) => [`jest@${version}`]),
    ...rowsOf('mocha', (version) => [`mocha@${version}`]),
    ...rowsOf('ava', (version) => [`ava@${version}`]),
    ...rowsOf('playwright', (version) => [`@playwright/test@${version}`]),
    ...rowsOf('pytest', (version) => [`pytest==${version}`, 'pytest-cov']),
    { framework: 'nodeTest' as const, version: '', beside: '', packages: [] },
  ];
  return rows.flatMap(({ framework, version, beside, packages }) => {
    const label = `${framework} ${version}${beside}`.trimEnd();
    const oldest = Object.entries(oldestNode)
      .filter(([name]) => label.includes(name))
      .map(([, node]) => nodeVersions.indexOf(node));
    return nodeVersions.slice(Math.max(0, ...oldest)).map((node) => ({ framework, label, packages, node }));
  });
}

function rowsOf<Name extends keyof typeof versions>(
  framework: Name,
  packagesOf: (version: string) => readonly string[],
) {
  return versions[framework].map((version) => ({
    framework,
    version,
    beside: '',
    packages: packagesOf(version),
  }));
}
