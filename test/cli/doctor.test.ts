// What is missing is named with the command that mends it, and only what keeps tests from running fails.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

describe('testmend doctor', () => {
  let shop: TemporaryWorkspace;
  afterEach(() => shop.dispose());

  it('ends with 0 where tests can run', async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "node --test" } }',
        'a.test.js': "require('node:test')('a', () => {});\n",
      },
      { git: true },
    );
    const { code, stdout } = await testmend(['doctor', '--json'], { cwd: shop.root });
    const { ok, checks } = JSON.parse(stdout);
    assert.deepEqual([code, ok], [0, true]);
    const states = checks.map(({ name, status }: { name: string; status: string }) => `${name} ${status}`);
    assert.deepEqual(states, ['nodeTest ok', 'tests ok', 'git ok', 'reports ok', 'history ok']);
  });

  it('ends with 1 where a framework is not installed, and says how to install it', async () => {
    shop = await temporaryWorkspace({
      'package.json': '{ "devDependencies": { "vitest": "4" } }',
      'a.test.js': "import { test } from 'vitest';\ntest('a', () => {});\n",
    });
    const { code, stdout } = await testmend(['doctor'], { cwd: shop.root });
    assert.equal(code, 1);
    assert.match(stdout, /✗ vitest: Vitest is named in package\.json but not installed\.\n {4}→ Run `npm /);
    assert.match(stdout, /! git: [^\n]+\n {4}→ `git init`/);
  });
});
