import assert from 'node:assert/strict';
import { applyChanges } from '../../../src/core/model/edit.ts';
import type { TextChange } from '../../../src/core/model/fileEdit.ts';
import {
  afterChanges,
  composeChanges,
  placeBefore,
  withoutChanges,
} from '../../../src/core/workspace/stackedEdits.ts';

const text = 'import { a } from "./a";\na.total();\nexpect(a.title).toBe("Hi");\n';

/** Replaces a part of a text. */
function change(from: string, old: string, newText: string): TextChange {
  const start = from.indexOf(old);
  assert.ok(start >= 0, old);
  return { start, end: start + old.length, newText };
}

describe('edits on top of each other', () => {
  const moved = change(text, '"./a"', '"./shop/a"');
  const next = applyChanges([moved], text);
  const renamed = change(next, 'total', 'amount');
  const reworded = change(next, '"Hi"', '"Hello"');

  it('are one edit of the text below, with changes as small as they were', () => {
    const all = composeChanges(text, [moved], [renamed, reworded]);
    assert.equal(applyChanges(all, text), applyChanges([renamed, reworded], next));
    assert.deepEqual(
      all.map(({ newText }) => newText),
      ['"./shop/a"', 'amount', '"Hello"'],
    );
  });

  it('become one change where they touch', () => {
    const again = change(next, 'shop', 'store');
    assert.deepEqual(composeChanges(text, [moved], [again]), [change(text, '"./a"', '"./store/a"')]);
    const gone = change(next, ' from "./shop/a"', '');
    assert.deepEqual(composeChanges(text, [moved], [gone]), [change(text, ' from "./a"', '')]);
  });

  it('are the same for a text without, or with, what they do not touch', () => {
    assert.deepEqual(withoutChanges([renamed], [moved]), [change(text, 'total', 'amount')]);
    assert.deepEqual(afterChanges([change(text, 'total', 'amount')], [moved]), [renamed]);
    const inside = change(next, 'shop', 'store');
    assert.equal(withoutChanges([inside], [moved]), undefined);
    assert.equal(afterChanges([change(text, './a', './b')], [moved]), undefined);
  });

  it('tell where a place came from', () => {
    const later = applyChanges([renamed], next);
    const both = composeChanges(text, [moved], [renamed]);
    assert.equal(placeBefore(both, later.indexOf('expect')), text.indexOf('expect'));
    assert.equal(placeBefore(both, later.indexOf('()')), text.indexOf('()'));
  });

  it('compose to the same text whatever they are', () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
    const changesOf = (length: number): TextChange[] => {
      const places = Array.from({ length: 6 }, () => random(length + 1)).sort((a, b) => a - b);
      return [0, 2, 4].flatMap((index) => {
        const [start = 0, end = 0] = places.slice(index);
        const isFree = index === 0 || start > (places[index - 1] ?? 0);
        return isFree ? [{ start, end, newText: 'xyz'.slice(random(4)) }] : [];
      });
    };
    for (let round = 0; round < 2_000; round++) {
      const below = 'abcdefghijklmnopqrstuvw'.slice(0, 8 + random(14));
      const lower = changesOf(below.length);
      const middle = applyChanges(lower, below);
      const upper = changesOf(middle.length);
      assert.equal(
        applyChanges(composeChanges(below, lower, upper), below),
        applyChanges(upper, middle),
        JSON.stringify({ below, lower, upper }),
      );
    }
  });
});
