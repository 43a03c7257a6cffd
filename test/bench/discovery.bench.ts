// Discovery in a fresh process: 10,000 files / 80,000 tests and four times as many, without and with a cache of an earlier start.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { medians, type BenchRow } from './measure.ts';

interface Size {
  readonly files: number;
  readonly testsPerFile: number;
}

const rounds = 7;
const whole: Size = { files: 10_000, testsPerFile: 8 };
const fourfold: Size = { files: 40_000, testsPerFile: 8 };
const repository = path.resolve(import.meta.dirname, '../..');

export async function bench(): Promise<readonly BenchRow[]> {
  const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-bench-')));
  try {
    const entry = await bundle(folder);
    const one = await makeWorkspace(folder, whole);
    const four = await makeWorkspace(folder, fourfold);
    const warm = path.join(folder, 'cache');
    const cold = async (root: string, size: Size): Promise<void> => {
      await rm(path.join(folder, 'none'), { recursive: true, force: true });
      discover(entry, root, path.join(folder, 'none'), size);
    };
    discover(entry, one, warm, whole);
    const medianOf = await medians(
      {
        whole: () => cold(one, whole),
        cached: async () => discover(entry, one, warm, whole),
        fourfold: () => cold(four, fourfold),
        node: async () => void execFileSync(process.execPath, ['-e', '0']),
      },
      rounds,
    );
    const ratio = medianOf('fourfold') / medianOf('whole');
    return [
      {
        name: 'discover 10,000 files / 80,000 tests, cold',
        value: medianOf('whole'),
        unit: 'ms',
        limit: 1500,
      },
      { name: 'the same from the cache', value: medianOf('cached'), unit: 'ms', limit: 300 },
      { name: 'discover 40,000 files / 320,000 tests, cold', value: medianOf('fourfold'), unit: 'ms' },
      { name: 'discover four times the files', value: ratio, unit: '×', limit: 4.4 },
      { name: 'node -e 0, a part of each of them', value: medianOf('node'), unit: 'ms' },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The discovery alone as a bundle, with TypeScript beside it as in `dist`. */
async function bundle(target: string): Promise<string> {
  const script = path.join(target, 'discover.mts');
  const source = (file: string): string => JSON.stringify(path.join(repository, 'src/core/frameworks', file));
  await writeFile(
    script,
    `import { discoverTests } from ${source('discover.ts')};
import { toDiscoverJson } from ${source('discoverJson.ts')};
import { growYoungHeap } from ${source('../base/heapGrowth.ts')};
// As the command line does.
growYoungHeap();
const [root = '', cacheFolder = ''] = process.argv.slice(2);
const limits = { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 };
const { totals } = toDiscoverJson(await discoverTests({ root, limits, frameworks: [], cacheFolder }));
process.stdout.write(JSON.stringify(totals));
`,
  );
  const outfile = path.join(target, 'out/discover.mjs');
  await build({
    entryPoints: [script],
    outdir: path.dirname(outfile),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    external: ['typescript'],
    banner: {
      js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
    },
  });
  return outfile;
}

async function makeWorkspace(target: string, { files, testsPerFile }: Size): Promise<string> {
  const root = path.join(target, `w${files}`);
  await mkdir(root);
  await writeFile(path.join(root, 'package.json'), '{ "devDependencies": { "vitest": "^4" } }');
  for (let index = 0; index < files; index++) {
    const home = path.join(root, 'packages', `p${Math.floor(index / 200)}`, `m${Math.floor(index / 20)}`);
    await mkdir(home, { recursive: true });
    await writeFile(path.join(home, `cart${index}.test.ts`), testFile(index, testsPerFile));
  }
  return root;
}

function testFile(index: number, count: number): string {
  const tests = Array.from(
    { length: count },
    (_, test) => `  it('adds item ${test} and it\\'s counted', async () => {
    const cart = createCart({ currency: 'EUR', rates: [0.07, 0.19] });
    cart.add({ name: \`item \${${test}}\`, price: ${index} / 2, tags: ['a', "b"] }); // keeps the order
    expect(cart.items.map((item) => item.name)).toEqual(['item ${test}']);
    expect(format(cart.total)).toMatch(/^\\d+,\\d{2} €$/);
  });
`,
  );
  return `import { beforeEach, describe, expect, it } from 'vitest';
import { createCart, format } from '../../src/cart';

describe('cart ${index}', () => {
  beforeEach(() => {
    reset();
  });

${tests.join('\n')}});
`;
}

/** Discovers in a fresh process; throws when it did not find everything. */
function discover(entry: string, root: string, cache: string, { files, testsPerFile }: Size): void {
  const output = execFileSync(process.execPath, [entry, root, cache], { encoding: 'utf8' });
  const expected = JSON.stringify({ files, tests: files * testsPerFile });
  if (output !== expected) throw new Error(`found ${output} instead of ${expected}`);
}
