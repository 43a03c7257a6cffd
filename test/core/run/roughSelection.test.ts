// What the exit code of a framework says where more ran than was asked for: names are patterns, and patterns are rough.
import assert from 'node:assert/strict';
import path from 'node:path';
import { drawn, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const cart = `const assert = require('node:assert');
describe('cart', () => {
  it('adds', () => {});
  it('adds more', () => { assert.equal(1, 2); });
});
`;

describe('a selection that is narrowed roughly', () => {
  let workspace: TemporaryWorkspace;

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'mocha/package.json': '{ "scripts": { "test": "mocha test/*.js" } }',
        'mocha/test/cart.js': cart,
        'jest/package.json': '{ "scripts": { "test": "jest" } }',
        'jest/cart.test.js': cart,
        'ava/package.json': '{ "type": "module", "scripts": { "test": "ava" } }',
        'ava/ava.config.js': `process.on('exit', () => { process.exitCode = 3; });\nexport default {};\n`,
        'ava/test/labels.js': `import test from 'ava';\ntest('labels', (t) => t.pass());\n`,
      },
      { packages: ['mocha', 'jest', 'ava'] },
    );
  });
  after(() => workspace.dispose());

  const run = async (file: string, ...names: string[]): Promise<readonly string[]> => {
    const selection = { tests: [{ file: path.join(workspace.root, file), names }] };
    const { summary } = await runWorkspace(workspace.root, { selection });
    return drawn(summary.tests);
  };

  it('is green when only a test failed that nobody asked for', async () => {
    assert.deepEqual(await run('mocha/test/cart.js', 'cart', 'adds'), [
      'passed mocha:mocha/test/cart.js#cart › adds',
    ]);
    assert.deepEqual(await run('jest/cart.test.js', 'cart', 'adds'), [
      'passed jest:jest/cart.test.js#cart › adds',
    ]);
  });

  it('is not green when nothing of all that ran explains the exit code', async () => {
    assert.deepEqual(await run('ava/test/labels.js', 'labels'), [
      'errored ava:ava/ava.config.js',
      'passed ava:ava/test/labels.js#labels',
    ]);
  });
});
