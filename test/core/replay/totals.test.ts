import assert from 'node:assert/strict';
import type { CommitRecord, SettingScore } from '../../../src/core/replay/replayReport.ts';
import { isRightOutcome, totalsOf } from '../../../src/core/replay/totals.ts';

const nothing: SettingScore = {
  applied: [],
  passes: null,
  clean: null,
  redOnOldSource: null,
  sound: false,
  likeness: null,
  correct: false,
  wrong: false,
  faults: [],
  refused: [],
  offered: [],
  patch: '',
  durationMs: 1,
};
const applied = (rest: Partial<SettingScore>): SettingScore => ({
  ...nothing,
  applied: [{ title: 'use b', provider: 'p', trust: 'mechanical' }],
  passes: true,
  clean: true,
  redOnOldSource: true,
  ...rest,
});
const correct = applied({ sound: true, correct: true, likeness: 'identical' });
const different = applied({ sound: true, likeness: 'different', wrong: true });
const unsound = applied({ passes: false, likeness: 'different', wrong: true });
const partial = applied({ passes: false, likeness: 'identical' });
const record = (automatic: SettingScore, sourceIsRight: SettingScore): CommitRecord => ({
  commit: 'a',
  parent: 'b',
  subject: 's',
  date: '2026-01-01',
  state: 'case',
  broken: [{ id: 'x#t', file: 'x', title: 't' }],
  automatic,
  sourceIsRight,
  notes: [],
  durationMs: 1,
});

describe('the totals of a replay', () => {
  it('count a wrong edit apart from one that leaves tests red', () => {
    const records = [
      record(correct, correct),
      record(different, different),
      record(unsound, unsound),
      record(nothing, correct),
      record(nothing, partial),
      { ...record(nothing, nothing), state: 'skipped' as const },
    ];
    const { automatic, sourceIsRight, cases, skipped } = totalsOf(records);
    assert.deepEqual([cases, skipped], [5, 1]);
    assert.deepEqual([automatic.applied, automatic.wrong, automatic.refused], [3, 2, 2]);
    assert.deepEqual([sourceIsRight.correct, sourceIsRight.sound, sourceIsRight.passes], [2, 3, 3]);
    assert.deepEqual([sourceIsRight.partly, sourceIsRight.wrong], [1, 2]);
  });

  it('never call nothing right where a deletion or both sides had to be offered', () => {
    const left = (handedOver: boolean): SettingScore => ({
      ...nothing,
      refused: [{ id: 'x#t', fault: 'unknown', reason: 'r', handedOver }],
    });
    const refused = record(nothing, left(true));
    assert.equal(isRightOutcome('E2', record(nothing, left(false))), false);
    const offer = {
      title: 'delete it',
      provider: 'p',
      trust: 'propose' as const,
      verdict: 'verified' as const,
      failures: ['x#t'],
      deletes: true,
    };
    assert.deepEqual(
      ['A1', 'D1', 'E1', 'E2'].map((category) => isRightOutcome(category, refused)),
      [false, false, false, true],
    );
    const outcomes = (...offers: SettingScore['offered']): readonly boolean[] => {
      const offered = record(nothing, { ...left(true), offered: offers });
      return ['D1', 'E1', 'E2'].map((category) => isRightOutcome(category, offered));
    };
    assert.deepEqual(outcomes(offer), [false, true, true]);
    assert.deepEqual(outcomes({ ...offer, verdict: 'rejected' }), [false, false, true]);
    const changed = { ...offer, title: 'expect 2', deletes: false };
    assert.deepEqual(outcomes(changed), [false, false, true]);
    assert.deepEqual(outcomes({ ...changed, otherSide: 'Or another input.' }), [true, false, true]);
    assert.deepEqual(outcomes(offer, changed), [true, true, true]);
    const blessed = record(nothing, different);
    assert.deepEqual(
      ['A1', 'D1', 'E1', 'E2'].map((category) => isRightOutcome(category, blessed)),
      [true, false, false, false],
    );
    const beside = applied({ likeness: 'identical', refused: left(true).refused, offered: [offer] });
    assert.deepEqual(
      ['E1', 'E2'].map((category) => isRightOutcome(category, record(nothing, beside))),
      [true, false],
    );
  });
});
