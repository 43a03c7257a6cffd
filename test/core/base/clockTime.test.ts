import assert from 'node:assert/strict';
import { clockTime } from '../../../src/core/base/clockTime.ts';

describe('a moment in words', () => {
  const now = new Date(2026, 2, 5, 17, 30).getTime();

  it('is the time of day, and the date too when that was another day', () => {
    assert.equal(clockTime(new Date(2026, 2, 5, 9, 4).getTime(), now), '09:04');
    assert.equal(clockTime(new Date(2026, 2, 4, 23, 59).getTime(), now), '2026-03-04 23:59');
  });
});
