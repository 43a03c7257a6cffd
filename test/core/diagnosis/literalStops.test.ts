// Values inside of asymmetric matchers and items of lists are judged by the literals that change.
import assert from 'node:assert/strict';
import { Asymmetric, runFixer } from '../../support/expectedValueCase.ts';

const cases = [
  {
    says: 'a text with undefined in stringContaining',
    statement: `expect(f()).toEqual({ text: expect.stringContaining('Hello Ada, welcome back') });`,
    at: 'toEqual',
    expected: { text: new Asymmetric(false) },
    actual: { text: '<p>Hello undefined, welcome back</p>' },
    good: { text: '<p>Hello Bob, welcome back</p>' },
  },
  {
    says: 'an empty list in an item of arrayContaining',
    statement: `expect(f()).toEqual({ all: expect.arrayContaining([{ id: 1, name: 'Ada', tags: ['x'] }]) });`,
    at: 'toEqual',
    expected: { all: new Asymmetric(false) },
    actual: { all: [{ id: 1, name: 'Ada', tags: [] }] },
    good: { all: [{ id: 1, name: 'Ada', tags: ['y'] }] },
  },
  {
    says: 'an empty text in an item of toContainEqual',
    statement: `expect(f()).toContainEqual({ id: 1, name: 'Ada', note: 'hello' });`,
    at: 'toContainEqual',
    expected: { id: 1, name: 'Ada', note: 'hello' },
    actual: [{ id: 1, name: 'Ada', note: '' }],
    good: [{ id: 1, name: 'Ada', note: 'bye' }],
  },
  {
    says: 'an inverted answer in objectContaining',
    statement: `expect(f()).toEqual({ user: expect.objectContaining({ name: 'Ada', ok: true, n: 1 }) });`,
    at: 'toEqual',
    expected: { user: new Asymmetric(false) },
    actual: { user: { name: 'Ada', ok: false, n: 1 } },
    good: { user: { name: 'Ada', ok: true, n: 2, more: null } },
  },
];

describe('what a matcher holds', () => {
  for (const { says, statement, actual, good, ...given } of cases)
    it(`is only proposed for ${says}`, async () => {
      const source = `it('test', () => {\n  ${statement}\n});\n`;
      const bad = await runFixer({ ...given, source, actual });
      assert.equal(bad.fix?.trust, 'propose', bad.refusal);
      assert.notDeepEqual(bad.fix.stops ?? [], []);
      const fine = await runFixer({ ...given, source, actual: good });
      assert.equal(fine.fix?.trust, 'oracle', fine.refusal);
      assert.equal(fine.fix.stops, undefined);
    });
});
