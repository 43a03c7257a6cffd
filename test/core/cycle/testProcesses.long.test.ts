// How many test processes a fix cycle starts: each of them has to show something that no other one shows.
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CycleReport } from '../../../src/core/model/cycle.ts';
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

  it('are beside at most 18 of git, each of which forks a process that holds all that is known', async () => {
    await workspace.write('src/words/hail.js', source('hail', 'Hi'));
    await rm(path.join(workspace.root, 'src/hail.js'));
    const started: ChildProcess[] = [];
    const count = (message: unknown): void => {
      if (isStart(message)) started.push(message.process);
    };
    subscribe('child_process', count);
    try {
      assert.equal((await mendWorkspace(workspace)).status, 'passed');
    } finally {
      unsubscribe('child_process', count);
    }
    const ofGit = started
      .filter(({ spawnfile }) => spawnfile === 'git')
      .map(({ spawnargs }) => spawnargs.join(' ').replaceAll(/-c \S+ /g, ''));
    assert.ok(ofGit.length > 0 && ofGit.length <= 18, ofGit.join('\n'));
  });

  it('are seven for a changed value: one runs it alone and records it, one tries the former source, three prove it', async () => {
    await workspace.write('src/hail.js', source('hail', 'Hello'));
    const { status, fixes, spent } = await mendWorkspace(workspace, { assume: 'source-is-right' });
    assert.deepEqual(
      [status, fixes.map(({ verdict }) => [verdict.verdict, verdict.runs]), spent.testProcesses],
      ['passed', [['verified', 3]], 7],
    );
  });

  it('show that a value is another one without the tests around it, whether the message says so or leaves it out', async () => {
    const counting = (word: string): string => `let n = 0;\nexport const hail = () => \`${word} \${++n}\`;\n`;
    const expecting = (name: string, of: (value: string) => string): string =>
      `import { expect, test } from 'vitest';
import { hail } from '../src/${name}.js';

test('first', () => expect(hail()).not.toBe(''));
test('second', () => expect(${of('hail()')}).toEqual(${of(`'Hi 2'`)}));
`;
    await workspace.dispose();
    workspace = await temporaryWorkspace(
      {
        'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
        'src/said.js': counting('Hi'),
        'src/leftOut.js': counting('Hi'),
        'test/said.test.js': expecting('said', (value) => value),
        'test/leftOut.test.js': expecting(
          'leftOut',
          (value) => `{ a: '${'long '.repeat(10)}', b: ${value} }`,
        ),
      },
      { git: true, vitest: true },
    );
    for (const name of ['said', 'leftOut']) await workspace.write(`src/${name}.js`, counting('Hello'));
    const { fixes } = await mendWorkspace(workspace, { assume: 'source-is-right' });
    const told = fixes.map(({ failures, trust, stops = [] }) =>
      [...failures, trust, ...stops.map(({ reason }) => reason)].join(', '),
    );
    const stop = 'The value is another one without the tests around it: it depends on what ran before.';
    assert.deepEqual(told.sort(), [
      `vitest:test/leftOut.test.js#second, propose, ${stop}`,
      `vitest:test/said.test.js#second, propose, ${stop}`,
    ]);
  });

  describe('that begins with a part of the tests', () => {
    async function withAnother(more?: string): Promise<CycleReport> {
      await workspace.dispose();
      workspace = await temporaryWorkspace(
        {
          'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
          'src/hail.js': source('hail', 'Hi'),
          'test/hail.test.js': testFile('hail'),
          'src/bye.js': source('bye', 'Hi'),
          'test/bye.test.js': testFile('bye', more),
        },
        { git: true },
      );
      await workspace.write('src/hail.js', source('hail', 'Hello'));
      return mendWorkspace(workspace, { assume: 'source-is-right' });
    }

    it('are one more for another file: the last run that proves a value is one of all tests', async () => {
      const { status, iterations, fixes, spent } = await withAnother();
      assert.deepEqual(
        [status, iterations.map(({ scope, after }) => [scope, after?.total]), spent.testProcesses],
        ['passed', [['suite', 4]], 8],
      );
      assert.deepEqual(
        fixes.map(({ verdict }) => [verdict.verdict, verdict.runs]),
        [['verified', 3]],
      );
    });

    it('show nothing of a fix where another test writes what it should not', async () => {
      const { status, iterations, fixes } = await withAnother(`
test('writes', async () => {
  (await import('node:fs')).appendFileSync(new URL('../src/bye.js', import.meta.url), '// read\\n');
});
`);
      assert.deepEqual(
        [status, iterations.map(({ scope, after }) => [scope, after?.total])],
        ['passed', [['suite', 5]]],
      );
      assert.deepEqual(
        fixes.map(({ verdict }) => [verdict.verdict, verdict.runs]),
        [['verified', 3]],
      );
    });
  });
});

function isStart(message: unknown): message is { readonly process: ChildProcess } {
  return typeof message === 'object' && message !== null && 'process' in message;
}
