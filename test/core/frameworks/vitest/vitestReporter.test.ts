// The reporter inside real vitests: several projects here, every supported version when TESTMEND_MATRIX=1.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const everything = `import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
describe('suite', () => {
  it('passes', () => { console.log('printed'); });
  it('fails', () => { expect({ a: 1 }).toEqual({ a: 2 }); });
  it.skip('is skipped', () => {});
  it.todo('is to do');
  it('fails softly', () => { expect.soft(1).toBe(2); expect.soft(3).toBe(4); });
  it.each([1, 2])('case %i', () => {});
});
describe('retry', () => {
  let tries = 0;
  it('passes later', { retry: 3 }, async () => { await new Promise((r) => setTimeout(r, 30)); if (tries++ < 2) throw new Error('try'); });
});
describe('before', () => { beforeAll(() => { throw new Error('before broke'); }); it('kept', () => {}); });
describe('after', () => { afterAll(() => { throw new Error('after broke'); }); it('ran', () => {}); });
test('slow', async () => { await new Promise(() => {}); }, 50);
test('leaves', (context) => { context.skip(); });
test.fails('is meant to fail', () => { throw new Error('yes'); });
test('late', async () => { setTimeout(() => { throw new Error('unhandled'); }, 1); await new Promise((r) => setTimeout(r, 30)); });
`;

const files = {
  'package.json': '{ "private": true, "type": "module", "devDependencies": { "vitest": "*" } }',
  'a.test.ts': everything,
  'aa.test.ts': `import { it } from 'vitest';\nit('is another', () => {});\n`,
  'broken.test.ts': `import { it } from 'vitest';\nit('x', () => {\n  const = 3;\n});\n`,
  'lost.test.ts': `import { it } from 'vitest';\nimport '../gone';\nit('x', () => {});\n`,
};

/** Options of a test stood last, and nothing could be skipped from inside. */
const filesOfVersion0 = {
  ...files,
  'a.test.ts': everything.replace(
    /, (\{ retry: 3 \}), (.*)\);$/m,
    (_all, options: string, body: string) => `, ${body}, ${options});`,
  ),
};

const expected = [
  'passed vitest:a.test.ts#suite › passes',
  'failed vitest:a.test.ts#suite › fails',
  'skipped vitest:a.test.ts#suite › is skipped',
  'skipped vitest:a.test.ts#suite › is to do',
  'failed vitest:a.test.ts#suite › fails softly',
  'passed vitest:a.test.ts#suite › case %25i::1',
  'passed vitest:a.test.ts#suite › case %25i::2',
  'passed vitest:a.test.ts#retry › passes later',
  'errored vitest:a.test.ts#before › kept',
  'passed vitest:a.test.ts#after › ran',
  'errored vitest:a.test.ts',
  'failed vitest:a.test.ts#slow',
  'skipped vitest:a.test.ts#leaves',
  'passed vitest:a.test.ts#is meant to fail',
  'passed vitest:a.test.ts#late',
  'passed vitest:aa.test.ts#is another',
  'errored vitest:broken.test.ts',
  'errored vitest:lost.test.ts',
];

describe('the vitest reporter', () => {
  it('names the project of a file when there are several, and both when both run it', async () => {
    const project = (name: string): string =>
      `{ test: { name: '${name}', include: ['both.test.ts', '${name}/**/*.test.ts'] } }`;
    const workspace = await temporaryWorkspace(
      {
        'package.json': files['package.json'],
        'vitest.config.ts': `export default { test: { projects: [${project('unit')}, ${project('dom')}] } };\n`,
        'both.test.ts': `import { it } from 'vitest';\nit('runs twice', () => {});\n`,
        'unit/a.test.ts': `import { it } from 'vitest';\nit('runs once', () => {});\n`,
      },
      { vitest: true },
    );
    const { summary } = await runWorkspace(workspace.root);
    const selection = { files: [path.join(workspace.root, 'unit/a.test.ts')] };
    const one = await runWorkspace(workspace.root, { selection });
    await workspace.dispose();
    assert.deepEqual(drawn(summary.tests).toSorted(), [
      'passed vitest/dom:both.test.ts#runs twice',
      'passed vitest/unit:both.test.ts#runs twice',
      'passed vitest/unit:unit/a.test.ts#runs once',
    ]);
    assert.deepEqual(drawn(one.summary.tests), ['passed vitest/unit:unit/a.test.ts#runs once']);
  });

  it('knows the lines of tests that helpers and loops declare, also beside a file in plain text', async () => {
    const workspace = await temporaryWorkspace(
      {
        'package.json': files['package.json'],
        'helper.ts': `import { it } from 'vitest';\nexport const shared = () => it('is shared', () => {});\n`,
        'helped.test.ts': `import { it } from 'vitest';\nimport { shared } from './helper';\n\nit('own', () => {});\nshared();\n`,
        'loop.test.ts': `import { it } from 'vitest';\n\nfor (const one of [1, 2])\n  it('again', () => void one);\n`,
        'plain.test.ts': `import { it } from 'vitest';\n\nit('plain', () => {});\n`,
      },
      { vitest: true },
    );
    const { summary } = await runWorkspace(workspace.root);
    const selection = { files: [path.join(workspace.root, 'plain.test.ts')] };
    const alone = await runWorkspace(workspace.root, { selection });
    await workspace.dispose();
    const lines = (tests: typeof summary.tests): string[] => tests.map(({ id, line }) => `${line} ${id}`);
    const plain = '3 vitest:plain.test.ts#plain';
    assert.deepEqual(lines(summary.tests), [
      '4 vitest:helped.test.ts#own',
      '5 vitest:helped.test.ts#is shared',
      '4 vitest:loop.test.ts#again::1',
      '4 vitest:loop.test.ts#again::2',
      plain,
    ]);
    assert.deepEqual(lines(alone.summary.tests), [plain]);
  });

  for (const version of ['0.28.5', '0.34.6', '1.6.1', '2.1.9', '3.2.4', '4.1.12', '5']) {
    it(`tells the same of the same tests in vitest ${version}`, async function () {
      if (process.env['TESTMEND_MATRIX'] !== '1') this.skip();
      this.timeout(300_000);
      const workspace = await temporaryWorkspace(version.startsWith('0.') ? filesOfVersion0 : files);
      const leaves = version.startsWith('0.28') ? 'failed' : 'skipped';
      try {
        const npm = ['install', '--no-save', '--no-audit', '--no-fund', '--silent', `vitest@${version}`];
        execFileSync('npm', npm, { cwd: workspace.root, stdio: 'ignore' });
        const { summary } = await runWorkspace(workspace.root);
        assert.deepEqual(
          drawn(summary.tests),
          expected.map((line) => line.replace(/^skipped (.*#leaves)$/, `${leaves} $1`)),
        );
        assert.deepEqual(summary.notes, ['Unhandled error: unhandled']);
        const failed = resultOf(summary, 'vitest:a.test.ts#suite › fails');
        assert.deepEqual(failed.failure?.location, { file: 'a.test.ts', line: 4, column: 40 });
        assert.equal(resultOf(summary, 'vitest:a.test.ts#suite › passes').output, 'printed\n');
        assert.equal(resultOf(summary, 'vitest:broken.test.ts').line, 3);
        assert.equal(resultOf(summary, 'vitest:lost.test.ts').line, 2);
        const files = [path.join(workspace.root, 'a.test.ts')];
        const tests = files.map((file) => ({ file, names: ['suite', 'passes'] }));
        const selections = [{ tests }, { files, filter: 'SUITE PASSES' }, { files, nativeFilter: 'passes$' }];
        for (const selection of selections) {
          const run = await runWorkspace(workspace.root, { selection });
          assert.equal(drawn(run.summary.tests)[0], expected[0]);
          assert.ok(!run.summary.tests.some((test) => test.id.includes('fails')));
        }
      } finally {
        await workspace.dispose();
      }
    });
  }
});
