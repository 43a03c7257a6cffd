// What `testmend mcp` does beside serving: configurations of clients, and the hook after edits.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

const head = `const { test } = require('node:test');\nconst assert = require('node:assert');\n`;

describe('testmend mcp', () => {
  let shop: TemporaryWorkspace;

  before(async () => {
    shop = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "scripts": { "test": "node --test" } }',
        'src/cart.js': 'module.exports.sum = (a, b) => a + b;\n',
        'test/cart.test.js': `${head}const { sum } = require('../src/cart.js');
test('adds', () => assert.strictEqual(sum(1, 2), 3));
`,
        'test/other.test.js': `${head}test('fails anyway', () => assert.fail('not asked for'));\n`,
      },
      { git: true },
    );
    shop.git('commit', '-q', '--allow-empty', '-m', 'second');
  });
  after(() => shop.dispose());

  it('prints what each client has to be told, as it reads it', async () => {
    const text = async (client: string): Promise<string> => {
      const { code, stdout } = await testmend(['mcp', '--print-config', client], { cwd: shop.root });
      assert.equal(code, 0);
      return stdout;
    };
    assert.equal(JSON.parse(await text('vscode')).servers.testmend.args.at(-1), '${workspaceFolder}');
    for (const client of ['claude', 'cursor', 'gemini'])
      assert.deepEqual(JSON.parse(await text(client)).mcpServers.testmend.args.slice(0, 3), [
        '--no-install',
        'testmend',
        'mcp',
      ]);
    assert.match(
      await text('codex'),
      /^\[mcp_servers\.testmend\]\ncommand = "npx"\nargs = \[.*"mcp","\."\]\n/,
    );
  });

  it('tells after an edit what fails of the tests that it affects, with exit code 2', async () => {
    const hook = () => testmend(['mcp', '--hook', shop.root], { cwd: shop.root });
    assert.deepEqual(await hook(), { code: 0, stdout: 'No test is affected.\n', stderr: '' });
    await shop.write('src/cart.js', 'module.exports.sum = (a, b) => a - b;\n');
    const red = await hook();
    assert.deepEqual([red.code, red.stdout], [2, '']);
    assert.match(
      red.stderr,
      /^1 affected test of 1 failed\. Details: get_failure_details, runId run-\w+\.\n✗ nodeTest:/,
    );
    assert.doesNotMatch(red.stderr, /fails anyway/);
    await shop.write('src/cart.js', 'module.exports.sum = (a, b) => b + a;\n');
    assert.deepEqual(await hook(), { code: 0, stdout: '1 affected test passed.\n', stderr: '' });
  });
});
