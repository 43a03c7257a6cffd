// A workspace with TypeScript tests of each JavaScript framework, for tests of the Debug profile.
import { temporaryWorkspace, type TemporaryWorkspace } from './temporaryWorkspace.ts';

const sum = `interface Item {
  readonly price: number;
}

export function sum(items: readonly Item[]): number {
  let total = 0;
  for (const { price } of items) total += price;
  return total;
}
`;

/** Its tests run out of time while somebody looks at a breakpoint, if nobody sees to it. */
const test = (head: string, title: string, suffix = ''): string => `${head}
import { sum } from './sum${suffix}';

interface Item {
  readonly price: number;
}

describe('${title}', () => {
  it('${title} adds', async () => {
    const items: Item[] = [{ price: 2 }, { price: 3 }];
    const total: number = sum(items);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (total !== 5) throw new Error(\`\${total} is not 5\`);
  });

  it('${title} fails', () => {
    throw new Error('as it should');
  });
});
`;

/** AVA knows no suites, and no pass without an assertion. */
const avaTest = `import test from 'ava';
import { sum } from './sum.ts';

interface Item {
  readonly price: number;
}

test('av adds', async (t) => {
  // Its tests run out of time, too.
  const items: Item[] = [{ price: 2 }, { price: 3 }];
  const total: number = sum(items);
  await new Promise((resolve) => setTimeout(resolve, 1));
  t.is(total, 5);
});

test('av fails', (t) => t.fail('as it should'));
`;

export function debugWorkspace(): Promise<TemporaryWorkspace> {
  const json = JSON.stringify;
  return temporaryWorkspace(
    {
      'package.json': json({ name: 'root', private: true, type: 'module' }),
      'tsconfig.json': json({ compilerOptions: { module: 'nodenext', target: 'es2022', strict: true } }),
      'packages/vi/package.json': json({ name: 'vi', type: 'module', devDependencies: { vitest: '4' } }),
      'packages/vi/vitest.config.ts': 'export default { test: { testTimeout: 300, pool: "threads" } };\n',
      'packages/vi/sum.ts': sum,
      'packages/vi/sum.test.ts': test("import { describe, it } from 'vitest';", 'vi', '.ts'),
      'packages/je/package.json': json({ name: 'je', scripts: { test: 'jest' }, jest: { testTimeout: 300 } }),
      'packages/je/babel.config.cjs': `module.exports = { presets: [
  [require.resolve('@babel/preset-env'), { targets: { node: 'current' } }],
  require.resolve('@babel/preset-typescript'),
] };\n`,
      'packages/je/sum.ts': sum,
      'packages/je/sum.test.ts': test("import { describe, it } from '@jest/globals';", 'je'),
      'packages/mo/package.json': json({ name: 'mo', type: 'module', scripts: { test: 'mocha' } }),
      'packages/mo/.mocharc.json': json({
        spec: '*.test.ts',
        extension: ['ts'],
        import: 'tsx',
        timeout: 300,
        parallel: true,
      }),
      'packages/pw/package.json': json({ name: 'pw', type: 'module' }),
      'packages/pw/playwright.config.ts': 'export default { timeout: 300 };\n',
      'packages/pw/sum.ts': sum,
      'packages/pw/sum.test.ts': test(
        "import { test as it } from '@playwright/test';\nconst { describe } = it;",
        'pw',
        '.ts',
      ).replace('describe } = it;\n', 'describe } = it; '),
      'packages/no/package.json': json({
        name: 'no',
        type: 'module',
        scripts: { test: 'node --import tsx --test --test-timeout=300 *.test.ts' },
      }),
      'packages/no/sum.ts': sum,
      'packages/no/sum.test.ts': test("import { describe, it } from 'node:test';", 'no', '.ts'),
      'packages/av/package.json': json({
        name: 'av',
        type: 'module',
        scripts: { test: 'ava --timeout 300ms --concurrency 4' },
        ava: { extensions: { ts: 'module' }, nodeArguments: ['--import=tsx'] },
      }),
      'packages/av/sum.ts': sum,
      'packages/av/sum.test.ts': avaTest,
      'packages/mo/sum.ts': sum,
      'packages/mo/sum.test.ts': test("import { describe, it } from 'mocha';", 'mo', '.ts'),
    },
    {
      vitest: true,
      packages: ['jest', '@jest', '@babel', '@playwright', 'mocha', 'ava', 'tsx', 'typescript'],
      name: 'debugged',
    },
  );
}
