// Configurations as the command reads them: from a bundle, as it is published, its parser must be there as it is in the sources.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

const written = {
  jest: { 'jest.config.cjs': "module.exports = { testMatch: ['**/checks/*.js'] };\n" },
  vitest: { 'vitest.config.mjs': "export default { test: { include: ['checks/*.js'] } };\n" },
  mocha: { '.mocharc.cjs': "module.exports = { spec: 'checks/*.js' };\n" },
};

describe('a configuration that is written out', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  for (const [framework, configuration] of Object.entries(written)) {
    it(`is read, of ${framework}`, async () => {
      workspace = await temporaryWorkspace({
        'package.json': JSON.stringify({ devDependencies: { [framework]: '1.0.0' } }),
        ...configuration,
        'checks/sum.js': "test('adds', () => {});\n",
        'test/old.test.js': "test('is no test of it', () => {});\n",
      });
      const { stdout, stderr } = await testmend(['discover', '--no-color'], { cwd: workspace.root });
      assert.match(stdout, /checks\/sum\.js/);
      assert.doesNotMatch(stdout + stderr, /old\.test\.js|computed/);
    });
  }
});
