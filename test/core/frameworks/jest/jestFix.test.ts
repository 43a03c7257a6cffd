// Mending in workspaces of jest: values recorded inside of it, moved imports, and no stale or foreign code in the sandbox.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { testmend } from '../../../support/testmendCli.ts';

const commonJs = {
  'package.json': '{ "private": true, "scripts": { "test": "jest" }, "devDependencies": { "jest": "*" } }',
  'src/price.js': `exports.label = (n) => 'EUR ' + n;\nexports.cart = (n) => ({ count: n, currency: 'EUR' });\n`,
  'src/slug.js': 'exports.slug = (text) => text.toLowerCase();\n',
  'src/clock.js': `exports.now = () => { throw new Error('no clock in tests'); };\n`,
  'test/price.test.js': `const { label, cart } = require('../src/price');
const { now } = require('../src/clock');
jest.mock('../src/clock', () => ({ now: jest.fn(() => 7) }));
it('labels', () => {
  expect(now()).toBe(7);
  expect(label(3)).toBe('EUR 3');
});
it('makes carts', () => {
  expect(cart(2)).toEqual({ count: 2, currency: 'EUR' });
});
`,
  'test/slug.test.js': `const { slug } = require('../src/slug');\nit('slugs', () => { expect(slug('A')).toBe('a'); });\n`,
};

const modules = {
  'package.json': '{ "private": true, "type": "module", "devDependencies": { "jest": "*" } }',
  'jest.config.js': 'export default { transform: {} };\n',
  'src/price.js': `export const label = (n) => 'EUR ' + n;\nexport const cart = (n) => ({ count: n, currency: 'EUR' });\n`,
  'src/slug.js': 'export const slug = (text) => text.toLowerCase();\n',
  'test/price.test.js': `import { label, cart } from '../src/price.js';
it('labels', () => {
  expect(label(3)).toBe('EUR 3');
});
it('makes carts', () => {
  expect(cart(2)).toEqual({ count: 2, currency: 'EUR' });
});
`,
  'test/slug.test.js': `import { slug } from '../src/slug.js';\nit('slugs', () => { expect(slug('A')).toBe('a'); });\n`,
};

describe('mending tests of jest', () => {
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  for (const [kind, files] of [
    ['CommonJS through babel, with mocks', commonJs],
    ['native ES modules', modules],
  ] as const) {
    it(`follows moved imports and changed values: ${kind}`, async function () {
      this.timeout(300_000);
      workspace = await temporaryWorkspace(files, { packages: ['jest', 'babel-jest'], git: true });
      await workspace.write('src/price.js', files['src/price.js'].replaceAll('EUR', 'Euro'));
      await workspace.write('src/text/slug.js', files['src/slug.js']);
      workspace.git('rm', '-q', 'src/slug.js');
      workspace.git('add', '-A');
      workspace.git('commit', '-q', '-m', 'change');
      const before = await workspace.read('test/price.test.js');
      const args = ['fix', '--json', '--assume', 'source-is-right', '--patch', 'fix.patch'];
      const { stdout, stderr } = await testmend(args, { cwd: workspace.root });
      const report: unknown = JSON.parse(stdout);
      assert.ok(typeof report === 'object' && report !== null && 'fixes' in report, stderr);
      assert.ok(Array.isArray(report.fixes));
      const fixes = report.fixes.map(({ title, verdict }) => `${verdict} ${title}`).toSorted();
      assert.equal(fixes.length, 3, fixes.join('\n'));
      assert.ok(
        fixes.every((fix) => fix.startsWith('verified ')),
        fixes.join('\n'),
      );
      assert.equal(await workspace.read('test/price.test.js'), before);

      const verified = await testmend(['verify', '--json', '--patch', 'fix.patch'], { cwd: workspace.root });
      assert.equal(verified.code, 0, verified.stdout);
    });
  }
});
