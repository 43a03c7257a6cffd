// How many test processes a fix cycle starts: each of them has to show something that no other one shows.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { mendWorkspace } from '../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const testFile = (name: string, more = ''): string => `import assert from 'node:assert/strict';
import test from 'node:test';
import { ${name} } from '../src/${name}.js';

test('greets', () => {
  assert.equal(${name}('Ada'), 'Hi, Ada');
});

test('says something', () => {
  assert.notEqual(${name}('Bob'), '');
});
${more}`;

const source = (name: string, word: string): string =>
  `export const ${name} = (who) => \`${word}, \${who}\`;\n`;

describe('the test processes of a fix cycle', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
        'src/hail.js': source('hail', 'Hi'),
        'test/hail.test.js': testFile('hail'),
      },
      { git: true },
    );
  });
  afterEach(() => workspace.dispose());

  it('are four for a broken import: in the workspace, in the copy, with the fix, and of the last commit, whose tests are counted', async () => {
    await workspace.write('src/words/hail.js', source('hail', 'Hi'));
    await rm(path.join(workspace.root, 'src/hail.js'));
    const { status, fixes, spent } = await mendWorkspace(workspace);
    assert.deepEqual(
      [status, fixes.map(({ verdict }) => [verdict.verdict, verdict.runs]), spent.testProcesses],
      ['passed', [['verified', 1]], 4],
    );
  });

  it('are eight for a changed value: one records it, one tries the former source, one runs it alone, three prove it', async () => {
    await workspace.write('src/hail.js', source('hail', 'Hello'));
    const { status, fixes, spent } = await mendWorkspace(workspace, { assume: 'source-is-right' });
    assert.deepEqual(
      [status, fixes.map(({ verdict }) => [verdict.verdict, verdict.runs]), spent.testProcesses],
      ['passed', [['verified', 3]], 8],
    );
  });
});
