// Failing tests of node:test mended from end to end: a script with flags, ES modules and CommonJS, subtests.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';
import { testmend } from '../../../support/testmendCli.ts';

const label = (unit: string): string => `exports.label = (n) => \`\${n} ${unit}\`;\n`;

describe('mending tests of node:test', function () {
  this.timeout(300_000);

  it('proposes the value that the code has now, in suites and subtests, and proves it', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "scripts": { "test": "node --no-warnings --test" } }',
        'label.js': label('items'),
        'a.test.mjs': `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { label } from './label.js';
describe('label', () => { it('counts', () => { assert.equal(label(2), '2 items'); }); });
`,
        'b.test.js': `const test = require('node:test');
const assert = require('node:assert');
const { label } = require('./label.js');
test('outer', async (t) => {
  await t.test('inner', () => { assert.deepStrictEqual({ text: label(3) }, { text: '3 items' }); });
});
`,
      },
      { git: true },
    );
    await workspace.write('label.js', label('things'));
    workspace.git('commit', '-qam', 'rename');
    const { stdout, code } = await testmend(['fix', '--dry-run', '--json'], { cwd: workspace.root });
    const { patch } = z.object({ patch: z.string() }).parse(JSON.parse(stdout));
    assert.match(patch, /^\+.*label\(2\), '2 things'/m);
    assert.match(patch, /^\+.*\{ text: '3 things' \}/m);
    assert.equal(code, 1);
    await workspace.dispose();
  });
});
