// `testmend generate` as a user meets it: offered where there are no tests, shown, and written only when told.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { atTerminal, testmend } from '../support/testmendCli.ts';
import { errorDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const generateDocument = z.object({
  source: z.string(),
  file: z.string(),
  framework: z.string(),
  text: z.string(),
  runs: z.boolean(),
  passed: z.number(),
  toDo: z.number(),
  reason: z.string().optional(),
  written: z.boolean(),
  notes: z.array(z.string()),
});

const price = 'exports.total = (items, rate) => items.length * rate;\n';

describe('testmend generate', function () {
  this.timeout(60_000);
  let shop: TemporaryWorkspace;
  beforeEach(async () => {
    shop = await temporaryWorkspace({ 'package.json': '{ "name": "shop" }', "src/pri'ce.js": price });
  });
  afterEach(() => shop.dispose());
  const place = "src/pri'ce.test.js";

  it('is offered with the exact command where there are no tests', async () => {
    const offer = "testmend generate 'src/pri'\\''ce.js'";
    for (const command of ['run', 'fix']) {
      const { code, stderr } = await testmend([command], { cwd: shop.root });
      assert.equal(code, 2);
      assert.ok(stderr.replace(/\s+/g, ' ').includes(offer), stderr);
    }
    const { code, stdout } = await testmend(['discover'], { cwd: shop.root });
    assert.equal(code, 2);
    assert.ok(stdout.replace(/\s+/g, ' ').includes(offer), stdout);
  });

  it('prints the file and nothing else, writes it when told, and never over a file', async () => {
    const shown = await testmend(['generate', "src/pri'ce.js"], { cwd: shop.root });
    assert.equal(shown.code, 0);
    assert.match(shown.stdout, /^const assert = require\('node:assert\/strict'\);\n[^]*\n\}\);\n$/);
    assert.match(shown.stderr, /✓ src\/pri'ce\.test\.js \(node:test\) runs: 1 passed, 1 to do\n/);
    assert.match(shown.stderr, /Nothing was written; --write writes it to src\/pri'ce\.test\.js\./);
    await assert.rejects(shop.read(place));
    const written = await testmend(['generate', "src/pri'ce.js", '--write'], { cwd: shop.root });
    assert.equal(written.code, 0);
    assert.match(written.stdout, /runs: 1 passed, 1 to do\n[^]*Wrote src\/pri'ce\.test\.js\.\n$/);
    assert.equal(await shop.read(place), shown.stdout);
    const again = await testmend(['generate', "src/pri'ce.js", '--write', '--json'], { cwd: shop.root });
    assert.equal(again.code, 2);
    assert.equal(documentOf(errorDocument, again).error.file, place);
    const run = await testmend(['run'], { cwd: shop.root });
    assert.equal(run.code, 0);
  });

  it('writes nothing that does not run, and says why', async () => {
    await shop.write(
      'lib/key.js',
      "if (!process.env.KEY) throw new Error('no key');\nexports.key = () => 1;\n",
    );
    const result = await testmend(['generate', 'lib/key.js', '--write', '--json'], { cwd: shop.root });
    assert.equal(result.code, 1);
    const { runs, reason, written, file, framework } = documentOf(generateDocument, result);
    assert.deepEqual(
      { runs, written, file, framework },
      {
        runs: false,
        written: false,
        file: 'lib/key.test.js',
        framework: 'nodeTest',
      },
    );
    assert.match(reason ?? '', /^no key/);
    await assert.rejects(shop.read('lib/key.test.js'));
  });

  it('asks at a terminal', async function () {
    const left = await atTerminal(['generate', "src/pri'ce.js"], ['n'], shop.root);
    if (left === undefined) this.skip();
    assert.match(left, /it\.todo\('total\(items, rate\)'\);[^]*Write src\/pri'ce\.test\.js\?/);
    await assert.rejects(shop.read(place));
    const wanted = await atTerminal(['generate', "src/pri'ce.js"], ['y'], shop.root);
    assert.match(wanted ?? '', /Wrote src\/pri'ce\.test\.js\./);
    assert.match(await shop.read(place), /it\.todo/);
  });

  it('wants one file, and --write or --dry-run', async () => {
    for (const args of [[], ['a.js', 'b.js'], ['a.js', '--write', '--dry-run']]) {
      const { code } = await testmend(['generate', ...args], { cwd: shop.root });
      assert.equal(code, 2);
    }
  });
});
