// What is taken of a model's answer, and what is not.
import assert from 'node:assert/strict';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import { readAnswer, readEdits } from '../../../../src/core/fixes/model/modelAnswer.ts';

const none = 'The model did not answer in the requested JSON format.';
const answer = { explanation: 'why', edits: [{ file: 'a.test.js', search: 'x', replace: 'y' }] };

describe('the answer of a model', () => {
  for (const [what, text] of [
    ['by itself', JSON.stringify(answer)],
    ['in a code block', `Here it is:\n\`\`\`json\n${JSON.stringify(answer, null, 2)}\n\`\`\`\nDone.`],
    ['among words', `Sure! ${JSON.stringify(answer)} I hope that helps {really}.`.replace(' {really}', '')],
  ] as const)
    it(`is read ${what}`, () => assert.deepEqual(readAnswer(text), answer));

  for (const text of ['', 'I cannot.', '{"edits": []}', '{"explanation": 1, "edits": []}', '[1', 'null'])
    it(`is none: ${text}`, () => assert.equal(readAnswer(text), none));

  const text = 'one\ntwo\ntwo\nthree\n';
  const read = async (
    edits: readonly { file: string; search: string; replace: string }[],
    own = text,
  ): Promise<readonly [after: string | undefined, dropped: readonly string[]]> => {
    const asked: string[] = [];
    const { edits: found, dropped } = await readEdits(
      { explanation: '', edits: [...edits] },
      new Set(['t/a.test.js']),
      (file) => (asked.push(file), Promise.resolve(own)),
    );
    assert.ok(
      asked.every((file) => file === 't/a.test.js'),
      asked.join(),
    );
    return [found[0] && applyEdit(found[0], own), dropped];
  };
  const file = 't/a.test.js';

  it('changes what is there exactly once', async () => {
    assert.deepEqual(
      await read([
        { file, search: 'one', replace: '1' },
        { file: './t/a.test.js', search: 'three', replace: '3' },
      ]),
      ['1\ntwo\ntwo\n3\n', []],
    );
    const windows = text.replaceAll('\n', '\r\n');
    assert.deepEqual(await read([{ file, search: 'one\ntwo\ntwo', replace: '1\n2' }], windows), [
      '1\r\n2\r\nthree\r\n',
      [],
    ]);
  });

  for (const [what, edit, expected] of [
    ['is not there', { file, search: 'four', replace: '' }, /does not exist in t\/a/],
    ['is there twice', { file, search: 'two', replace: '' }, /more than once/],
    ['is empty', { file, search: '', replace: 'x' }, /empty text/],
  ] as const)
    it(`changes nothing where the place ${what}`, async () => {
      const [after, dropped] = await read([{ file, search: 'one', replace: '1' }, edit]);
      assert.equal(after, undefined);
      assert.match(dropped.join(), expected);
    });

  for (const other of [
    'src/a.js',
    '../t/a.test.js',
    '/etc/passwd',
    't/../../t/a.test.js',
    'C:\\t\\a.test.js',
    't/a.test.js\0',
  ])
    it(`drops a change of ${JSON.stringify(other)}`, async () => {
      const [after, dropped] = await read([{ file: other, search: 'one', replace: '1' }]);
      assert.equal(after, undefined);
      assert.match(dropped.join(), /not one of the test files it was asked about/);
    });

  it('takes no two changes of one place', async () => {
    const [after, dropped] = await read([
      { file, search: 'one\ntwo', replace: '1' },
      { file, search: 'ne', replace: '2' },
    ]);
    assert.equal(after, undefined);
    assert.match(dropped.join(), /twice/);
  });
});
