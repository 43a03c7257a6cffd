// Whatever a patch changes is listed with its kind.
import assert from 'node:assert/strict';
import { patchChanges, type ChangeKind } from '../../../src/core/verification/patchChanges.ts';

const cases: readonly (readonly [kind: ChangeKind, before: string, after: string])[] = [
  ['input', "expect(price(2, 'EUR')).toBe(4);", "expect(price(3, 'USD')).toBe(4);"],
  ['name', 'const made = area(2);', 'const made = surface(2);'],
  ['await', 'const made = load(2);', 'const made = await load(2);'],
  ['title', "it('adds', () => {", "it('adds up', () => {"],
  ['import', "import { a } from './a.js';", "import { b } from './a.js';"],
  ['double', "const pay = vi.fn(() => ({ id: 'a' }));", "const pay = vi.fn(() => ({ id: 'a', at: 1 }));"],
  ['test', '', "it('is new', () => {"],
  ['removed', 'expect(a).toBe(1);', ''],
  ['other', 'expect(area(2)).toBe(4);', 'expect(area(2, { exact: true })).toBe(4);'],
];

describe('the list of what a patch changes', () => {
  for (const [kind, before, after] of cases)
    it(`has a piece of the kind '${kind}'`, () => {
      const file = 'a.test.js';
      const texts = { before: `a();\n${before}\nb();\n`, after: `a();\n${after}\nb();\n` };
      assert.deepEqual(patchChanges([{ file, ...texts }], []), [
        { kind, file, line: 2, old: before, new: after },
      ]);
    });

  it('tells changed expectations as such, each line by itself, and cuts long texts', () => {
    const [file, long] = ['a.test.js', 'x'.repeat(400)];
    const before = 'is(a, 1);\nis(b, 2);\n';
    const after = `is(a, 3);\nis(b, 4);\n\n// ${long}\n`;
    const changes = patchChanges([{ file, before, after }], [{ file, line: 1 }]);
    assert.deepEqual(
      changes.slice(0, 1).map(({ kind, line }) => [kind, line]),
      [['expectation', 1]],
    );
    assert.ok(changes.every((change) => change.new.length <= 301));
    assert.match(changes.map((change) => change.new).join('\n'), /x…$/);
  });
});
