// Real runs of vitest and of skill files, the well-behaved ones; hostile ones are in badInput.long.test.ts.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { drawn, resultOf, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const mathTest = `import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { boom } from '../src/boom';
interface Sum { total: number }
describe('math', () => {
  it('adds', () => { expect(1 + 1).toBe(2); });
  it('compares', () => {
    console.log('hello from compares');
    expect({ total: 1 } as Sum).toEqual({ total: 2 });
  });
  it.skip('left out', () => {});
  it.todo('later');
  it('throws', () => { boom({ x: 1 }); });
  it('throws text', () => { throw 'just text'; });
  it('counts softly', () => { expect.soft(1).toBe(2); expect.soft('a').toBe('b'); });
  it.each([[1, 2], [2, 4]])('%i + 1 = %i', (a, b) => { expect(a + 1).toBe(b); });
  it('adds', () => { expect(1 + 1).toBe(3); });
});
describe('retry', () => {
  let tries = 0;
  it('passes later', { retry: 3 }, () => { if (tries++ < 2) throw new Error('try ' + tries); });
  it('never passes', { retry: 2 }, () => { throw new Error('no'); });
});
describe('before', () => {
  beforeAll(() => { throw new Error('hook broke'); });
  it('is kept from running', () => {});
});
describe('after', () => {
  afterAll(() => { throw new Error('after broke'); });
  it('ran', () => {});
});
for (const name of ['one', 'two']) test('loop ' + name, () => {});
test('takes too long', async () => { await new Promise(() => {}); }, 50);
test('leaves at run time', (context) => { context.skip(); });
`;

const files: Readonly<Record<string, string>> = {
  'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
  'src/boom.ts': `export interface Box { x: number }\n\nexport function boom(box: Box): never {\n  throw new TypeError('boom ' + box.x);\n}\n`,
  'test/math.test.ts': mathTest,
  'test/broken.test.ts': `import { it } from 'vitest';\nit('is never seen', () => {\n  const = 3;\n});\n`,
  'test/lost.test.ts': `import { it } from 'vitest';\nimport { gone } from '../src/gone';\nit('uses it', () => { gone(); });\n`,
  'test/empty.test.ts': 'export {};\n',
  'tests/greet.tests.mjs': `import assert from 'node:assert/strict';
export default async function () {
  const errors = [];
  let passed = 0;
  const check = (name, body) => { try { body(); passed++; } catch (error) { errors.push(name + ': ' + error.message); } };
  check('one', () => assert.equal(1, 1));
  check('two', () => assert.deepEqual({ hi: 'Ada' }, { hi: 'Bob' }));
  console.log('{"passed": 9, "failed": 0}');
  return { passed, failed: errors.length, errors };
}
`,
};

describe('a run', () => {
  let workspace: TemporaryWorkspace;
  let run: Awaited<ReturnType<typeof runWorkspace>>;

  before(async () => {
    workspace = await temporaryWorkspace(files, { vitest: true });
    run = await runWorkspace(workspace.root);
  });
  after(() => workspace.dispose());

  it('gives every test its outcome, under the id that discovery gave it', () => {
    assert.deepEqual(drawn(run.summary.tests), [
      'errored vitest:test/broken.test.ts',
      'errored vitest:test/empty.test.ts',
      'errored vitest:test/lost.test.ts',
      'passed vitest:test/math.test.ts#math › adds',
      'failed vitest:test/math.test.ts#math › compares',
      'skipped vitest:test/math.test.ts#math › left out',
      'skipped vitest:test/math.test.ts#math › later',
      'failed vitest:test/math.test.ts#math › throws',
      'failed vitest:test/math.test.ts#math › throws text',
      'failed vitest:test/math.test.ts#math › counts softly',
      'passed vitest:test/math.test.ts#math › %25i + 1 = %25i::1',
      'failed vitest:test/math.test.ts#math › %25i + 1 = %25i::2',
      'failed vitest:test/math.test.ts#math › adds[2]',
      'passed vitest:test/math.test.ts#retry › passes later',
      'failed vitest:test/math.test.ts#retry › never passes',
      'errored vitest:test/math.test.ts#before › is kept from running',
      'errored vitest:test/math.test.ts',
      'passed vitest:test/math.test.ts#after › ran',
      "passed vitest:test/math.test.ts#'loop ' + name::1",
      "passed vitest:test/math.test.ts#'loop ' + name::2",
      'failed vitest:test/math.test.ts#takes too long',
      'skipped vitest:test/math.test.ts#leaves at run time',
      'failed skill:tests/greet.tests.mjs',
    ]);
    const { total, passed, failed, skipped, errored, ended } = run.summary;
    assert.deepEqual(
      { total, passed, failed, skipped, errored, ended },
      { total: 23, passed: 6, failed: 9, skipped: 3, errored: 5, ended: 'complete' },
    );
  });

  it('tells values, place and output of a failed comparison', () => {
    const { failure, output, line } = resultOf(run.summary, 'vitest:test/math.test.ts#math › compares');
    assert.deepEqual(failure?.location, { file: 'test/math.test.ts', line: 8, column: 33 });
    assert.equal(failure?.kind, 'assertion');
    assert.match(failure?.expected ?? '', /"total": 2/);
    assert.match(failure?.actual ?? '', /"total": 1/);
    assert.equal(output, 'hello from compares\n');
    assert.equal(line, 6);
  });

  it('leads a thrown error from the source to the line of the test', () => {
    const { failure } = resultOf(run.summary, 'vitest:test/math.test.ts#math › throws');
    assert.equal(failure?.message, 'boom 1');
    assert.deepEqual(failure?.location, { file: 'test/math.test.ts', line: 12, column: 24 });
    assert.deepEqual(failure?.stack[0], { name: 'boom', file: 'src/boom.ts', line: 4, column: 9 });
  });

  it('tells all failures of a test, and a retried one once', () => {
    assert.equal(
      resultOf(run.summary, 'vitest:test/math.test.ts#math › counts softly').moreFailures?.length,
      1,
    );
    assert.equal(
      resultOf(run.summary, 'vitest:test/math.test.ts#retry › never passes').moreFailures,
      undefined,
    );
  });

  it('gives the failure of a hook to the tests it kept from running, else to the file', () => {
    const kept = resultOf(run.summary, 'vitest:test/math.test.ts#before › is kept from running');
    assert.equal(kept.failure?.message, 'hook broke');
    const file = resultOf(run.summary, 'vitest:test/math.test.ts');
    assert.equal(file.failure?.message, 'after broke');
    assert.equal(file.line, 28);
  });

  it('shows files that do not load at their line', () => {
    const broken = resultOf(run.summary, 'vitest:test/broken.test.ts');
    assert.deepEqual(broken.failure?.location, { file: 'test/broken.test.ts', line: 3, column: 9 });
    const lost = resultOf(run.summary, 'vitest:test/lost.test.ts');
    assert.deepEqual(lost.failure?.location, { file: 'test/lost.test.ts', line: 2, column: 22 });
    const all = [broken, lost].map(({ failure }) => `${failure?.kind} ${failure?.severity}`);
    assert.deepEqual(all, ['load critical', 'load critical']);
    assert.equal(resultOf(run.summary, 'vitest:test/empty.test.ts').failure?.kind, 'empty');
  });

  it('tells a time limit of a test by its kind', () => {
    const { failure } = resultOf(run.summary, 'vitest:test/math.test.ts#takes too long');
    assert.equal(failure?.kind, 'timeout');
    assert.equal(failure?.location?.line, 32);
  });

  it('counts the checks of a skill file and shows each failure with its values and place', () => {
    const skill = resultOf(run.summary, 'skill:tests/greet.tests.mjs');
    assert.equal(skill.title, 'greet');
    assert.deepEqual(skill.counts, { passed: 1, failed: 1 });
    assert.match(skill.failure?.message ?? '', /^two: Expected values to be strictly deep-equal/);
    assert.equal(skill.failure?.expected, "{ hi: 'Bob' }");
    assert.equal(skill.failure?.actual, "{ hi: 'Ada' }");
    assert.deepEqual(skill.failure?.location, { file: 'tests/greet.tests.mjs', line: 7, column: 29 });
    assert.equal(skill.output, '{"passed": 9, "failed": 0}\n');
  });

  it('tells the events of a test in order', () => {
    const id = 'vitest:test/math.test.ts#math › compares';
    const order = run.events.flatMap((event) =>
      event.type === 'fileStarted' && event.file === 'test/math.test.ts'
        ? ['fileStarted']
        : event.type === 'testEnded' && event.result.id === id
          ? ['testEnded']
          : (event.type === 'testStarted' || event.type === 'output') && event.id === id
            ? [event.type]
            : [],
    );
    assert.deepEqual(order, ['fileStarted', 'testStarted', 'output', 'testEnded']);
  });

  it('leaves the workspace as it was', () => {
    const found = readdirSync(workspace.root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        path.relative(workspace.root, path.join(entry.parentPath, entry.name)).replaceAll('\\', '/'),
      )
      .filter((file) => !file.startsWith('node_modules/'));
    assert.deepEqual(found.sort(), Object.keys(files).sort());
  });

  it('runs exactly the file that was asked for', async () => {
    await workspace.write('test/a.test.ts', `import { it } from 'vitest';\nit('is a', () => {});\n`);
    await workspace.write(
      'test/aa.test.ts',
      `import { it } from 'vitest';\nit('is aa', () => { throw new Error('ran'); });\n`,
    );
    await workspace.write(
      'test/deep/test/a.test.ts',
      `import { it } from 'vitest';\nit('is deep', () => {});\n`,
    );
    const selection = { files: [path.join(workspace.root, 'test/a.test.ts')] };
    const { summary, events } = await runWorkspace(workspace.root, { selection });
    assert.deepEqual(drawn(summary.tests), ['passed vitest:test/a.test.ts#is a']);
    assert.ok(!events.some((event) => 'file' in event && event.file !== 'test/a.test.ts'));
  });

  it('runs a suite, a test, and the cases of one template', async () => {
    const file = path.join(workspace.root, 'test/math.test.ts');
    const tests = [
      { file, names: ['retry'] },
      { file, names: ['math', '%i + 1 = %i'] },
      { file, names: ["'loop ' + name"] },
      { file, names: ['no such test'] },
    ];
    const { summary } = await runWorkspace(workspace.root, { selection: { tests } });
    assert.deepEqual(
      summary.tests.flatMap(({ id }) =>
        id.includes('#') ? id.replace('vitest:test/math.test.ts#', '') : [],
      ),
      [
        'math › %25i + 1 = %25i::1',
        'math › %25i + 1 = %25i::2',
        'retry › passes later',
        'retry › never passes',
        "'loop ' + name::1",
        "'loop ' + name::2",
      ],
    );
    assert.ok(summary.notes.some((note) => note.includes('No test matched "no such test"')));
  });

  it('filters by a part of the full title in any case, in every framework', async () => {
    const { summary } = await runWorkspace(workspace.root, {
      selection: { filter: 'MATH ADDS', files: [path.join(workspace.root, 'test/math.test.ts')] },
    });
    const ids = summary.tests.map(({ id }) => id).filter((id) => id.includes('#'));
    assert.deepEqual(ids, [
      'vitest:test/math.test.ts#math › adds',
      'vitest:test/math.test.ts#math › adds[2]',
    ]);
    const skill = await runWorkspace(workspace.root, {
      selection: { filter: 'GREE', files: [path.join(workspace.root, 'tests/greet.tests.mjs')] },
    });
    assert.deepEqual(drawn(skill.summary.tests), ['failed skill:tests/greet.tests.mjs']);
  });

  it('says that no tests ran when nothing matches, and calls it no pass', async () => {
    const { summary } = await runWorkspace(workspace.root, {
      selection: {
        filter: 'nothing is called like this',
        files: [path.join(workspace.root, 'test/a.test.ts')],
      },
    });
    assert.equal(summary.total, 0);
    assert.equal(summary.passRate, null);
    assert.ok(summary.notes.includes('no tests ran'));
  });

  it('keeps two runs at once apart', async () => {
    const selection = { files: [path.join(workspace.root, 'test/math.test.ts')] };
    const [one, two] = await Promise.all([
      runWorkspace(workspace.root, { selection }),
      runWorkspace(workspace.root, { selection }),
    ]);
    assert.deepEqual(drawn(one.summary.tests), drawn(two.summary.tests));
    assert.equal(one.summary.total, 19);
  });
});
