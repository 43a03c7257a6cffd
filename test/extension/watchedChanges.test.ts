// Which changes start a continuous run: whatever an editor saves, and what tests write themselves only once.
import assert from 'node:assert/strict';
import { WatchedChanges } from '../../src/extension/testing/watchedChanges.ts';

describe('watched changes', () => {
  const later = 10_000;

  it('gathers what came since they were last taken, without the echo of a save', () => {
    const changes = new WatchedChanges();
    assert.equal(changes.take(), undefined);
    changes.saved('a');
    changes.written('a', 200);
    changes.written('b', 200);
    const taken = changes.take();
    assert.deepEqual([[...(taken?.saved ?? [])], [...(taken?.written ?? [])]], [['a'], ['b']]);
    assert.equal(changes.take(), undefined);
    // What a quick test writes right after the save is no echo.
    changes.written('a', 300);
    assert.deepEqual([...(changes.take()?.written ?? [])], ['a']);
    changes.written('a', later);
    changes.saved('a');
    const saved = changes.take();
    assert.deepEqual([[...(saved?.saved ?? [])], [...(saved?.written ?? [])]], [['a'], []]);
  });

  it('follows what tests write once, tells the second time, and is silent until it is saved', () => {
    const changes = new WatchedChanges();
    const written = (now: number): unknown => {
      changes.written('a', now);
      return changes.take() && changes.judge(['a']);
    };
    changes.runStarted();
    assert.deepEqual(written(0), { run: ['a'], tell: [] });
    changes.runEnded(100);
    // The watcher is late.
    assert.deepEqual(written(600), { run: [], tell: ['a'] });
    assert.equal(written(700), undefined);
    // Nobody runs: it is somebody else who writes.
    assert.deepEqual(written(later), { run: ['a'], tell: [] });
    changes.runStarted();
    assert.equal(written(later + 10), undefined);
    changes.saved('a');
    assert.deepEqual([...(changes.take()?.saved ?? [])], ['a']);
    assert.deepEqual(written(later + 5_000), { run: ['a'], tell: [] });
  });
});
