// What is remembered of failing tests: the last forms of each, and no more with every iteration.
import assert from 'node:assert/strict';
import { RecentByTest } from '../../../src/core/cycle/recentByTest.ts';

describe('what was learnt of failing tests', () => {
  it('stays as large as the number of tests, however often their files change', () => {
    const recent = new RecentByTest<number>();
    for (let iteration = 0; iteration < 100; iteration++)
      for (let test = 0; test < 50; test++) recent.set(`mocha:a.js#${test}`, `text ${iteration}`, iteration);
    assert.equal(recent.size, 150);
  });

  it('knows the form that a rollback brings back, and of each test its own', () => {
    const recent = new RecentByTest<string>();
    recent.set('a', 'before', 'first');
    recent.set('a', 'with one fix', 'second');
    recent.set('b', 'before', 'other');
    assert.equal(recent.get('a', 'before'), 'first');
    assert.equal(recent.get('a', 'with one fix'), 'second');
    assert.equal(recent.get('b', 'before'), 'other');
    assert.equal(recent.has('b', 'with one fix'), false);
  });

  it('forgets the oldest form, not the one that came again', () => {
    const recent = new RecentByTest<number>();
    for (const key of ['one', 'two', 'three', 'one', 'four']) recent.set('a', key, 0);
    const known = ['one', 'two', 'three', 'four'].filter((key) => recent.has('a', key));
    assert.deepEqual(known, ['one', 'three', 'four']);
  });

  it('knows that nothing was recorded', () => {
    const recent = new RecentByTest<undefined>();
    recent.set('a', 'before', undefined);
    assert.equal(recent.has('a', 'before'), true);
  });
});
