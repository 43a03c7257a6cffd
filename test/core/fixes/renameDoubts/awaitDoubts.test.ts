// Functions that became asynchronous although a source does not wait for them: a person is asked.
import assert from 'node:assert/strict';
import { awaiting } from '../../../../src/core/fixes/awaiting/awaiting.ts';
import { proposeIn, saidBy } from './sourceSituation.ts';

const before = `export function save(key) {\n  return key + 1;\n}\n`;
const now = before.replace('function', 'async function');

async function propose(others: Readonly<Record<string, string>>, own = '') {
  const { fixes } = await proposeIn({
    provider: awaiting,
    files: {
      'test/store.test.js': `import { save } from '../src/store.js';\nit('works', () => {\n  expect(save(2)).toBe(3);\n});\n`,
      'src/store.js': before + own,
      ...others,
    },
    written: { 'src/store.js': now + own },
    message: 'expected Promise{…} to be 3',
    kind: 'assertion',
  });
  return saidBy(fixes);
}

const importing = `import { save } from './store.js';\n`;

describe('a function that became asynchronous', () => {
  for (const [how, text, line] of [
    ['is a condition', 'export const route = (u) => {\n  if (!save(u)) throw new Error();\n};\n', 3],
    [
      'stands alone',
      'export function route(k) {\n  try {\n    save(k);\n    return 1;\n  } catch {\n    return 2;\n  }\n}\n',
      4,
    ],
    [
      'is returned out of a try',
      'export async function route(k) {\n  try {\n    return save(k);\n  } catch {\n    return 2;\n  }\n}\n',
      4,
    ],
    ['is kept', 'export function route(k) {\n  const kept = save(k);\n  return { kept };\n}\n', 3],
    ['is taken apart', 'export function route(k) {\n  const { length } = save(k);\n  return length;\n}\n', 3],
    ['is an argument', 'export const route = (k) => String(save(k));\n', 2],
    ['is a key', 'export const route = (k) => ({ kept: save(k) });\n', 2],
    ['is handed on as it is', 'export const route = (list) => list.filter(save);\n', 2],
    [
      'is called in what is handed on',
      'export const route = (list) => list.filter((one) => save(one));\n',
      2,
    ],
    [
      'is passed on to who does not wait',
      'export const pass = (k) => save(k);\nexport const route = (k) => pass(k) + 1;\n',
      3,
    ],
  ] as const)
    it(`is only proposed to be awaited where it ${how} in an unchanged source`, async () => {
      const said = await propose({ 'src/route.js': importing + text });
      assert.equal(said[0]?.[0], 'propose');
      assert.ok(said[0][1].includes(`Line ${line} of src/route.js still uses the promise of`), said[0][1]);
    });

  it('is only proposed to be awaited where its own file does not wait', async () => {
    const said = await propose({}, `export function submit(k) {\n  save(k);\n  return 'saved';\n}\n`);
    assert.equal(said[0]?.[0], 'propose');
    assert.match(said[0][1], /Line 5 of src\/store\.js/);
  });

  it('is only proposed to be awaited where a source that passes it on is not waited for', async () => {
    const said = await propose({
      'src/pass.js': `${importing}export const pass = (k) => save(k);\n`,
      'src/route.js': `import { pass } from './pass.js';\nexport const route = (k) => {\n  if (pass(k)) throw new Error();\n};\n`,
    });
    assert.equal(said[0]?.[0], 'propose');
    assert.match(said[0][1], /Line 3 of src\/route\.js still uses the promise of pass\(\)/);
  });

  it('is awaited where all sources wait, or mean something else by its name', async () => {
    const said = await propose({
      'src/route.js': `${importing}export const route = async (k) => {\n  await save(k);\n  const all = [save(k)];\n  await Promise.all(all);\n  return save(k);\n};\nexport const then = (k) => save(k).then(String);\n`,
      'src/own.js': `import './store.js';\nconst save = (k) => k;\nexport const own = (k) => save(k) + 1;\n`,
    });
    assert.deepEqual(
      said.map(([trust]) => trust),
      ['mechanical'],
    );
  });
});
