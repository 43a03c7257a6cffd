// Tests that start the program of a package by its name: found where a package manager has it, whoever starts the tests.
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { withPackageBins } from '../../../src/core/process/packagePrograms.ts';
import { drawn, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

describe('programs of packages', () => {
  it('are found by tests as below npm test, those of the folders above too', async () => {
    const program = (says: string): string => `#!/usr/bin/env node\nprocess.stdout.write('${says}');\n`;
    const workspace = await temporaryWorkspace({
      'node_modules/.bin/greet-all': program('all'),
      'packages/a/node_modules/.bin/greet': program('own'),
      'packages/a/package.json': '{ "name": "a", "scripts": { "test": "node --test" } }',
      'packages/a/greet.test.js': `const test = require('node:test');
const { execFileSync } = require('node:child_process');
test('greets', () => require('node:assert').equal(\`\${execFileSync('greet')}\${execFileSync('greet-all')}\`, 'ownall'));
`,
    });
    try {
      for (const bin of ['node_modules/.bin/greet-all', 'packages/a/node_modules/.bin/greet'])
        await chmod(path.join(workspace.root, bin), 0o755);
      const { summary } = await runWorkspace(workspace.root);
      assert.deepEqual(drawn(summary.tests), ['passed nodeTest:packages/a/greet.test.js#greets']);
    } finally {
      await workspace.dispose();
    }
  });

  it('come first on PATH once, under the name it has', () => {
    const here = path.resolve(import.meta.dirname, '../../..');
    const bins = path.join(here, 'node_modules/.bin');
    assert.deepEqual(withPackageBins(path.join(here, 'src'), { Path: `/usr/bin${path.delimiter}${bins}` }), {
      Path: `${bins}${path.delimiter}/usr/bin`,
    });
  });
});
