// Specs of Cypress: found by its own patterns, and run by a stand-in for its program, which drives our reporter with a real mocha.
import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import { listTestFiles } from '../../../../src/core/frameworks/discover.ts';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const limits = { timeoutMs: 1, skillTimeoutMs: 1, maxParallel: 1 };

async function listed(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const workspace = await temporaryWorkspace({ 'package.json': '{}', ...files });
  const { files: found, notes } = await listTestFiles({
    root: workspace.root,
    limits,
    frameworks: [],
    cacheFolder: '',
  });
  await workspace.dispose();
  return [
    ...found.map(({ file, project }) => (project === undefined ? file : `${project} ${file}`)),
    ...notes,
  ];
}

const tree = Object.fromEntries(
  [
    'cypress/e2e/a.cy.js',
    'cypress/e2e/deep/b.cy.tsx',
    'cypress/support/e2e.js',
    'src/c.cy.tsx',
    'src/d.spec.js',
  ].map((file) => [file, '']),
);

describe('listing cypress', () => {
  it('takes the specs of each testing type by its patterns, read without running the configuration', async () => {
    assert.deepEqual(await listed({ ...tree, 'cypress.config.js': 'module.exports = { e2e: {} };\n' }), [
      'cypress/e2e/a.cy.js',
      'cypress/e2e/deep/b.cy.tsx',
    ]);
    const both = `import { defineConfig } from 'cypress';
export default defineConfig({ e2e: { specPattern: 'cypress/e2e/*.cy.js' }, component: { excludeSpecPattern: ['**/b.*'] } });\n`;
    assert.deepEqual(await listed({ ...tree, 'cypress.config.ts': both }), [
      'cypress/e2e/a.cy.js',
      'component src/c.cy.tsx',
    ]);
    const computed = 'module.exports = { e2e: { specPattern: process.env.SPECS } };\n';
    assert.deepEqual((await listed({ ...tree, 'cypress.config.js': computed })).slice(-1), [
      '"e2e.specPattern" in cypress.config.js cannot be read without running it; showing Cypress\'s defaults for it.',
    ]);
  });
});

describe('running cypress', () => {
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "devDependencies": { "cypress": "^14" } }',
        'cypress.config.js': 'module.exports = { e2e: {}, component: {} };\n',
        'cypress/e2e/cart.cy.js': `const assert = require('node:assert');
describe('cart', () => {
  it('adds', () => {});
  it('counts', () => { assert.strictEqual(1, 2); });
  it.skip('later', () => {});
  describe('hooked', () => {
    before(() => { throw new Error('no server'); });
    it('kept', () => {});
  });
});
it('knows no secret of ours', () => { assert.strictEqual(process.env.TESTMEND_CHANNEL, undefined); });
`,
        'cypress/e2e/odd, [name].cy.js': "it('runs', () => {});\n",
        'src/button.cy.js': "it('renders', () => {});\n",
        'node_modules/cypress/package.json':
          '{ "version": "14.0.0", "bin": { "cypress": "bin/cypress.mjs" } }',
      },
      { packages: ['mocha', 'picomatch'] },
    );
    await workspace.write('node_modules/cypress/bin/cypress.mjs', '');
    const standIn = path.resolve(import.meta.dirname, '../../../support/cypressStandIn.mjs');
    await copyFile(standIn, path.join(workspace.root, 'node_modules/cypress/bin/standIn.mjs'));
    await workspace.write('node_modules/cypress/bin/cypress.mjs', "import './standIn.mjs';\n");
  });
  after(() => workspace.dispose());

  it('tells each test through a file, where our pipe does not reach', async () => {
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed cypress:cypress/e2e/cart.cy.js#cart › adds',
      'failed cypress:cypress/e2e/cart.cy.js#cart › counts',
      'skipped cypress:cypress/e2e/cart.cy.js#cart › later',
      'errored cypress:cypress/e2e/cart.cy.js#cart › hooked › kept',
      'passed cypress:cypress/e2e/cart.cy.js#knows no secret of ours',
      'passed cypress:cypress/e2e/odd, [name].cy.js#runs',
      'passed cypress/component:src/button.cy.js#renders',
    ]);
    const { failure } = resultOf(summary, 'cypress:cypress/e2e/cart.cy.js#cart › counts');
    assert.deepEqual([failure?.location?.line, failure?.expected, failure?.actual], [4, '2', '1']);
    assert.match(
      resultOf(summary, 'cypress:cypress/e2e/cart.cy.js#cart › hooked › kept').failure?.message ?? '',
      /hook .* failed: no server/,
    );
  });

  it('runs the specs whose paths hold the native filter, and narrows by titles', async () => {
    const native = await runWorkspace(workspace.root, { selection: { nativeFilter: 'butt' } });
    assert.deepEqual(drawn(native.summary.tests), ['passed cypress/component:src/button.cy.js#renders']);
    const filtered = await runWorkspace(workspace.root, { selection: { filter: 'CART ADDS' } });
    assert.deepEqual(drawn(filtered.summary.tests), ['passed cypress:cypress/e2e/cart.cy.js#cart › adds']);
  });

  it('takes a cypress that ends before its first test for no pass', async () => {
    const text = await workspace.read('node_modules/cypress/bin/cypress.mjs');
    await workspace.write('node_modules/cypress/bin/cypress.mjs', "console.log('The config is invalid');\n");
    const { summary } = await runWorkspace(workspace.root, { selection: { nativeFilter: 'butt' } });
    await workspace.write('node_modules/cypress/bin/cypress.mjs', text);
    assert.equal(`${summary.passed} ${summary.errored}`, '0 1');
    assert.match(
      summary.tests[0]?.failure?.message ?? '',
      /exited with code 0 before\.[^]*The config is invalid/,
    );
  });
});
