// One test with assertion after assertion that fails in the same words: at another place it is another failure.
import assert from 'node:assert/strict';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const calls = ['size(1)', 'size("1")', 'size(1n)', 'size([1])'];

describe('a test whose assertions all fail in the same words', function () {
  this.timeout(120_000);

  it('is mended in all of them, as one question', async () => {
    const source = 'export const size = (count) => `${Number(count)} kB`;\n';
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","devDependencies":{"ava":"6"}}',
        'src/size.js': source,
        'test/size.js': `import test from 'ava';
import { size } from '../src/size.js';

test('tells sizes', (t) => {
${calls.map((call) => `  t.is(${call}, '1 kB');\n`).join('')}});
`,
      },
      { git: true, packages: ['ava'] },
    );
    await workspace.write('src/size.js', source.replace('kB', 'KB'));
    const { fixes, remaining, patch } = await mendWorkspace(workspace);
    await workspace.dispose();
    const told = fixes.map(({ trust, verdict }) => `${verdict.verdict} ${trust}`);
    assert.equal(told.at(-1), 'verified oracle', JSON.stringify(remaining));
    assert.equal(patch.match(/^\+.*'1 KB'/gm)?.length, calls.length, patch);
  });
});
