// Test files that only a run knows, because the configuration computes which they are, are mended as any others.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const test = (name: string, expected: string): string =>
  `import assert from 'node:assert';\nimport { ${name} } from '../src/cart.js';\ntest('adds', () => { assert.strictEqual(${name}([1, 2]), ${expected}); });\n`;
const cart = (name: string): string =>
  `export function ${name}(prices) {\n  let total = 0;\n  for (const price of prices) total += price;\n  return total;\n}\nexport const none = () => 0;\n`;
const config = (folder: string): string =>
  `const { readdirSync } = require('node:fs');\nconst spec = readdirSync(__dirname).filter((name) => name === '${folder}').map((name) => name + '/**/*.js');\nmodule.exports = { ui: 'tdd', spec };\n`;

describe('test files that the configuration computes', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "mocha" } }',
        '.mocharc.cjs': config('checks'),
        'src/cart.js': cart('sumOf'),
        'checks/cart.js': test('sumOf', '3'),
        'checks/helper.js': 'export const two = 2;\n',
        'other/own.js': test('none', '1'),
      },
      { packages: ['mocha'], git: true },
    );
    await workspace.write('src/cart.js', cart('totalOf'));
  });
  after(() => workspace.dispose());
  const cli = (...args: string[]): Promise<CliResult> => testmend(args, { cwd: workspace.root });
  const fixed = async (...args: string[]): Promise<readonly string[]> => {
    const result = await cli('fix', ...args, '--json');
    return documentOf(fixDocument, result).fixes.map(({ verdict, title }) => `${verdict} ${title}`);
  };

  it('are run once to be known, mended, and known from then on', async () => {
    const title = "verified import totalOf from '../src/cart.js' (was sumOf)";
    assert.deepEqual(await fixed(), [title]);
    const { stdout } = await cli('discover');
    assert.match(stdout, /^checks\/cart\.js mocha$/m);
    assert.doesNotMatch(stdout, /helper|own/);
    assert.deepEqual(await fixed('checks/cart.js'), [title]);
  });

  it('are no others: neither a file that holds tests nor a source becomes one by being named', async () => {
    for (const name of ['other/own.js', 'src/cart.js']) {
      const { code, stderr } = await cli('fix', name);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`${name} is not a test file`));
    }
  });

  it('are asked for anew when the configuration has changed', async () => {
    await workspace.write('.mocharc.cjs', config('other'));
    assert.doesNotMatch((await cli('discover')).stdout, /checks/);
    assert.equal((await cli('run')).code, 1);
    const { stdout } = await cli('discover');
    assert.match(stdout, /^other\/own\.js mocha$/m);
    assert.doesNotMatch(stdout, /checks/);
  });
});
