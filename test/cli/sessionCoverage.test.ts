// The coverage of a fix cycle in a session: asked for by a preset, an option and the session, and counted by one run all the same.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const documentSchema = z.object({
  coverage: z.object({ lines: z.number(), target: z.number().optional() }).optional(),
  results: z.object({ coverage: z.number() }),
});

describe('the coverage of a fix cycle in a session', function () {
  this.timeout(240_000);
  let shop: TemporaryWorkspace;
  let runs: string;
  /** Each run of the test leaves a line, which says whether node counted the lines that ran. */
  beforeEach(async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop" }',
        'price.mjs':
          'export const price = (n) => {\n  if (n < 0) {\n    return 0;\n  }\n  return n * 2;\n};\n',
      },
      { git: true },
    );
    runs = path.join(shop.root, '../runs.txt');
    await shop.write(
      'tests/price.tests.mjs',
      `import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import { price } from '../price.mjs';

export default () => {
  appendFileSync(${JSON.stringify(runs)}, process.env.NODE_V8_COVERAGE ? 'counted\\n' : 'plain\\n');
  assert.equal(price(2), 5);
  return { passed: 1, failed: 0, errors: [] };
};
`,
    );
    shop.git('add', '-A');
    shop.git('commit', '-qm', 'test');
    await shop.write('price.mjs', (await shop.read('price.mjs')).replace('n * 2', 'n * 3'));
    await shop.write(
      'tests/price.tests.mjs',
      (await shop.read('tests/price.tests.mjs')).replace('(2), 5', '(2), 4'),
    );
  });
  afterEach(() => shop.dispose());

  const fix = async (...args: string[]): Promise<CliResult> => {
    const result = await testmend(['fix', '--session', 'S1', ...args], { cwd: shop.root });
    // Nothing is applied, so that the test stays red.
    assert.equal(result.code, 1, result.stdout + result.stderr);
    return result;
  };
  const counted = async (): Promise<number> => (await readFile(runs, 'utf8')).split('counted').length - 1;

  it('is counted once, and every report tells the same number', async () => {
    const { stdout, stderr } = await fix(
      '--preset=qa',
      '--coverage',
      '--json',
      '--reporter=markdown=../fix.md',
    );
    assert.equal(await counted(), 1, await readFile(runs, 'utf8'));
    const { coverage, results } = documentSchema.parse(JSON.parse(stdout), { error: () => stderr });
    // One line of four is run by nothing: `return 0`.
    assert.deepEqual([coverage, results.coverage], [{ lines: 75 }, 75]);
    assert.match(await shop.read('../fix.md'), /^- Line coverage 75\.0 %$/m);
  });

  it('is told with its target where the session is about a layer', async () => {
    const { stdout } = await fix('--preset=qa', '--layer=L1');
    assert.equal(await counted(), 1);
    assert.match(stdout, /Line coverage 75\.0 %, below the target of L1: 80 %/);
    assert.match(stdout, /75 % of the lines run/);
  });

  it('is left to the results where nobody asked for it', async () => {
    const { coverage, results } = documentSchema.parse(JSON.parse((await fix('--json')).stdout));
    assert.equal(await counted(), 1);
    assert.deepEqual([coverage, results.coverage], [undefined, 75]);
  });
});
