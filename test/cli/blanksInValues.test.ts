// Values that differ only in their blanks, as `testmend fix` tells them: each blank is there, and what looks like one is not taken for it.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';
import { fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const head = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

describe('blanks inside values', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  it('stand in titles, evidence and failures, on a terminal as in JSON and Markdown', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'text.js': "export const gap = () => 'a  b';\nexport const space = () => 'c d';\n",
        'test/text.test.js': `${head}import { gap, space } from '../text.js';
test('gaps', () => assert.equal(gap('x  y'), 'a  b'));
test('spaces', () => assert.equal(space(), 'c d'));
`,
      },
      { git: true },
    );
    await workspace.write(
      'text.js',
      "export const gap = () => 'a   b';\nexport const space = () => 'c\\u00a0d';\n",
    );
    const markdown = path.join(workspace.root, '..', 'fix.md');
    const fix = (...args: string[]) => testmend(['fix', '--dry-run', ...args], { cwd: workspace.root });
    const { fixes } = documentOf(fixDocument, await fix('--json', '--reporter', `markdown=${markdown}`));
    const gaps = "expect 'a   b' (was 'a  b')";
    const spaces = String.raw`expect 'c\u00a0d' (was 'c d')`;
    assert.deepEqual(fixes.map(({ title }) => title).sort(), [gaps, spaces]);
    assert.deepEqual(
      fixes.flatMap(({ evidence }) => evidence ?? []).sort(),
      [
        String.raw`While the test ran, ${'`space()`'} was 'c\u00a0d'; line 5 expects 'c d'.`,
        "While the test ran, `gap('x  y')` was 'a   b'; line 4 expects 'a  b'.",
      ].sort(),
    );
    const written = await readFile(markdown, 'utf8');
    for (const title of [gaps, spaces]) assert.ok(written.includes(`\`${title}\``), written);
    const { stdout } = await fix();
    for (const shown of [gaps, spaces]) assert.ok(stdout.includes(shown), stdout);
    assert.match(stdout, /\+ 'a {3}b'\s-\s+'a {2}b'/);
  });
});
