// What `testmend fix` calls the workspace that it leaves behind: exit code, headline and reports agree with the tests on disk.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const head = "import assert from 'node:assert/strict';\nimport { test } from 'node:test';\n";

describe('what testmend fix calls the workspace', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());
  const fix = (...args: string[]): Promise<CliResult> => testmend(['fix', ...args], { cwd: workspace.root });
  const project = '{ "type": "module", "scripts": { "test": "node --test" } }';

  it('is no pass while a test is red, whatever the target; one that was named makes it 0 and says what still fails', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': project,
        'echo.js': 'export const echo = (word) => word;\n',
        'test/many.test.js': `${head}for (let n = 0; n < 39; n++) test(\`is \${n}\`, () => assert.equal(n, n));\n`,
        'test/echo.test.js': `${head}import { echo } from '../echo.js';\ntest('echoes', () => {\n  const word = 'Ada';\n  assert.equal(echo(word), word);\n});\n`,
      },
      { git: true },
    );
    await workspace.write('echo.js', 'export const echo = (word) => word.toUpperCase();\n');
    const markdown = path.join(workspace.root, '..', 'fix.md');
    const strict = await fix('--apply', '--json', '--reporter', `markdown=${markdown}`);
    assert.deepEqual([strict.code, documentOf(fixDocument, strict).status], [1, 'needs-attention']);
    assert.match(
      await readFile(markdown, 'utf8'),
      /^# Testmend: NEEDS ATTENTION\n\n- 39 of 40 tests pass: 97\.5 %, target/,
    );
    const met = await fix('--dry-run', '--target', '90');
    assert.equal(met.code, 0, met.stdout);
    assert.match(
      met.stdout,
      / TARGET REACHED {2}39 of 40 tests pass: 97\.5 %, 1 still fails \(target 90 %\)/,
    );
    const missed = await fix('--dry-run', '--target', '98');
    assert.deepEqual([missed.code, / NEEDS ATTENTION /.test(missed.stdout)], [1, true]);
  });

  it('counts the workspace, not the copy, and names the commands that write what was proven', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': project,
        'shop.js':
          'export const net = (cents) => cents / 1.2;\nexport const greet = (name) => `Hi, ${name}`;\n',
        'test/net.test.js': `${head}import { net } from '../shop.js';\ntest('takes the tax off', () => assert.equal(net(120), 100));\n`,
        'test/greet.test.js': `${head}import { greet } from '../shop.js';\ntest('greets', () => assert.equal(greet('Ada'), 'Hi, Ada'));\n`,
      },
      { git: true },
    );
    await workspace.write(
      'shop.js',
      'export const withoutTax = (cents) => cents / 1.2;\nexport const greet = (name) => `Hello, ${name}`;\n',
    );
    const { code, stdout } = await fix('--dry-run', 'test/net.test.js', 'test/greet.test.js');
    assert.equal(code, 1);
    assert.match(
      stdout,
      / NEEDS ATTENTION {2}0 of 2 tests pass: 0\.0 % .*\n {2}100\.0 % with all proven fixes/,
    );
    const [, advice = ''] = stdout.split('2 proven fixes not applied. To apply them:\n');
    assert.deepEqual(
      advice
        .trimEnd()
        .split('\n')
        .map((line) => line.trim().replace(/ {2,}/, ' | ')),
      [
        'testmend fix test/net.test.js test/greet.test.js --apply | writes the 1 that does not change the meaning of a test',
        'testmend fix test/net.test.js test/greet.test.js --apply --assume source-is-right | also 1 changed expectation, if the source is right',
        'testmend fix test/net.test.js test/greet.test.js | at a terminal: shows each fix and asks',
        'testmend fix test/net.test.js test/greet.test.js --patch fixes.patch | writes a patch for git apply',
      ],
    );
    assert.match(
      (await fix('--apply', '--assume', 'source-is-right')).stdout,
      / PASSED {2}2 of 2 tests pass: 100\.0 % /,
    );
  });

  it('sees what fails in the workspace alone, and calls that neither green nor nothing to do', async () => {
    workspace = await temporaryWorkspace({
      'package.json': project,
      'test/lock.test.js': `import { existsSync } from 'node:fs';\n${head}test('nobody holds the lock', () => assert.equal(existsSync('../server.lock'), false));\n`,
    });
    await workspace.write('../server.lock', '');
    const result = await fix('--dry-run', '--json');
    const { status, remaining } = documentOf(fixDocument, result);
    assert.deepEqual(
      [result.code, status, remaining.map(({ fault }) => fault)],
      [1, 'needs-attention', ['environment']],
    );
    assert.match(remaining[0]?.reason ?? '', /The sandbox does not reproduce "nobody holds the lock"/);
  });
});
