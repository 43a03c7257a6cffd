// A test that failed before the change is told so, also where no fixer has an edit for it.
import assert from 'node:assert/strict';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const source = (suffix: string): string => `exports.rate = () => 0.25;
exports.label = (name) => name + '${suffix}';
`;

const rates = `const { it } = require('node:test');
const assert = require('node:assert/strict');
const { rate, label } = require('../src/rate.js');

it('reads a file that is not there', () => {
  const { readFileSync } = require('node:fs');
  assert.equal(rate(), Number(readFileSync('no-such-file.txt', 'utf8')));
});
it('has no question mark', () => assert.ok(!label('a').includes('?')));
`;

describe('tests without a fix', function () {
  this.timeout(60_000);

  it('are told to have failed before the change, or that the change may have broken them', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{"scripts":{"test":"node --test"}}',
        'src/rate.js': source('!'),
        'test/rate.test.js': rates,
      },
      { git: true },
    );
    await workspace.write('src/rate.js', source('?'));
    const { remaining } = await mendWorkspace(workspace);
    const told = Object.fromEntries(remaining.map(({ title, reason }) => [title, reason]));
    assert.match(
      told['reads a file that is not there'] ?? '',
      /^It failed before the source changed, too: this change did not break it\./,
    );
    assert.match(told['has no question mark'] ?? '', /^src\/rate\.js changed since the last commit/);
    await workspace.dispose();
  });

  it('are not told so where they run what was built of the sources, which former sources do not change', async () => {
    const test = rates.replace(/it\('reads[^]*?\n\}\);\n/, '').replace('../src/', '../');
    const workspace = await temporaryWorkspace(
      {
        '.gitignore': 'dist-node\nnode_modules\n',
        'package.json': '{"scripts":{"test":"node --test dist-node/test/*.js"}}',
        'src/rate.js': source('!'),
        'dist-node/rate.js': source('!'),
        'dist-node/test/rate.test.js': test,
      },
      { git: true },
    );
    await workspace.write('src/rate.js', source('?'));
    await workspace.write('dist-node/rate.js', source('?'));
    const { remaining } = await mendWorkspace(workspace);
    assert.match(remaining[0]?.reason ?? '', /^src\/rate\.js changed since the last commit/);
    await workspace.dispose();
  });
});
