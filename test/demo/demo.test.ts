import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { bugTitles, shopTests } from '../../src/demo/shopTests.ts';
import { shopSource } from '../../src/demo/shopSource.ts';
import { shopWords } from '../../src/demo/shopWords.ts';

const root = path.resolve(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The demo as `npm run demo -- …args` starts it, in a temporary folder of its own. */
async function demo(temporary: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await run(process.execPath, ['--import', 'tsx', 'src/demo/main.ts', ...args], {
    cwd: root,
    env: {
      ...process.env,
      TMPDIR: temporary,
      XDG_CACHE_HOME: temporary,
      XDG_STATE_HOME: temporary,
      NO_COLOR: '1',
    },
    timeout: 170_000,
  });
  return stdout;
}

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

/** Full titles of the tests that do not pass, as vitest itself reports them. */
async function redTests(folder: string): Promise<string[]> {
  const file = path.join(folder, '..', 'report.json');
  const args = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${file}`];
  await run(process.execPath, args, { cwd: folder }).catch(() => undefined);
  const report = vitestReport.parse(JSON.parse(await readFile(file, 'utf8')));
  return report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status !== 'passed')
    .map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' › '))
    .sort();
}

describe('the demo', function () {
  this.timeout(360_000);
  let temporary: string;
  beforeEach(async () => {
    temporary = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-demo-test-')));
  });
  afterEach(() => rm(temporary, { recursive: true, force: true }));

  it('mends the shop, leaves the bug to people, says so, and leaves nothing else behind', async () => {
    const folder = path.join(temporary, 'kept', 'shop');
    const stdout = await demo(temporary, '--seed', '1', '--dir', folder);
    assert.match(stdout, /^Testmend demo {2}seed 1 /);
    assert.match(stdout, /27 passed · 27 tests · 100\.0 %/);
    assert.match(stdout, /10 failed · 1 errored · 14 passed/);
    assert.match(stdout, /because of src\/greeting\.ts:3\n/);
    assert.match(stdout, /fix_required: 2 failures come from the source/);
    assert.match(stdout, /The demo went as it should\.\n/);
    assert.ok(stdout.split('\n').every((line) => line.length <= 110 || line.includes(folder)));
    assert.deepEqual(await redTests(folder), [...bugTitles].sort());
    const { stdout: changed } = await run(
      'git',
      ['status', '--porcelain', '--', 'tests', 'skills', 'package.json'],
      { cwd: folder },
    );
    assert.deepEqual(
      changed
        .trim()
        .split('\n')
        .map((line) => line.trim()),
      ['cart', 'dates', 'greeting', 'money', 'pricing'].map((name) => `M tests/${name}.test.ts`),
    );
    const { stdout: tests } = await run('git', ['diff', '--', 'tests'], { cwd: folder });
    assert.doesNotMatch(tests, /NaN/);
    const left = await readdir(temporary, { recursive: true, withFileTypes: true });
    const files = left
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name));
    // tsx, which runs this demo from source, keeps what it compiled.
    const ours = files.filter((file) => !file.includes(`${path.sep}tsx-`));
    assert.deepEqual(
      ours.filter((file) => !file.startsWith(path.dirname(folder))),
      [],
    );
  });

  it('makes the same shop from the same seed and another from another', () => {
    const made = (seed: number): string =>
      JSON.stringify([shopSource(shopWords(seed)), shopTests(shopWords(seed))]);
    assert.equal(made(1), made(1));
    const shops = new Set(Array.from({ length: 50 }, (_, seed) => made(seed)));
    assert.equal(shops.size, 50);
  });
});
