// The environment says how many runs the history keeps.
import assert from 'node:assert/strict';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { testmend } from '../support/testmendCli.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

describe('TESTMEND_HISTORY_RUNS', () => {
  let shop: TemporaryWorkspace;
  before(async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
      'test/a.test.js': `require('node:test').test('adds', () => {});\n`,
    });
    await mkdir(path.join(shop.root, '.testmend'));
  });
  after(() => shop.dispose());
  const run = (runs: string) => testmend(['run'], { cwd: shop.root, env: { TESTMEND_HISTORY_RUNS: runs } });

  it('is how many runs are kept', async () => {
    for (let n = 0; n < 3; n++) assert.equal((await run('2')).code, 0);
    assert.equal((await readdir(path.join(shop.root, '.testmend/history'))).length, 2);
  });

  it('is refused when it is no such number', async () => {
    const { code, stderr } = await run('many');
    assert.equal(code, 2);
    assert.match(stderr, /TESTMEND_HISTORY_RUNS is no number of runs to keep/);
  });
});
