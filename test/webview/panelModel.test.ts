// What the panel shows for the events of a cycle.
import assert from 'node:assert/strict';
import type { CycleEvent, CycleFix, CycleReport } from '../../src/core/model/cycle.ts';
import {
  emptyModel,
  headline,
  percent,
  ratesOf,
  reduceEvent,
  sectionsOf,
} from '../../src/webview/panelModel.ts';

const fix = (id: string, more: Partial<CycleFix> = {}): CycleFix => ({
  id,
  title: `fix ${id}`,
  grade: 'surgical',
  trust: 'mechanical',
  edits: [],
  failures: ['vitest:a.test.ts#adds'],
  provider: 'test',
  confidence: 1,
  evidence: [],
  verdict: { verdict: 'verified', runs: 1, scope: 'file', violations: [] },
  diff: '',
  state: 'accepted',
  ...more,
});
const oracle = (id: string, old: string, now: string): CycleFix =>
  fix(id, { trust: 'oracle', state: 'unreviewed', expectation: { old, new: now } });

const started: CycleEvent = {
  type: 'cycleStarted',
  root: '/shop',
  preset: 'tester',
  maxIterations: 10,
  targetPassRate: 95,
};
const judged = (judgedFix: CycleFix): CycleEvent => ({ type: 'fixJudged', iteration: 1, fix: judgedFix });
const after = (...events: CycleEvent[]): ReturnType<typeof reduceEvent> =>
  events.reduce(reduceEvent, emptyModel);

describe('the panel', () => {
  it('groups verified expectations by identical change, the largest group first', () => {
    const sections = sectionsOf(
      after(
        started,
        judged(oracle('1', "'Hi'", "'Hello'")),
        judged(oracle('2', "'€'", "'EUR'")),
        judged(oracle('3', "'€'", "'EUR'")),
      ),
    );
    assert.deepEqual(
      sections.expectations.map((group) => [group.old, group.new, group.fixes.map(({ id }) => id)]),
      [
        ["'€'", "'EUR'", ['2', '3']],
        ["'Hi'", "'Hello'", ['1']],
      ],
    );
  });

  it('never offers a rejected fix, and shows its reason among the declined', () => {
    const rejected = fix('1', {
      verdict: { verdict: 'rejected', reason: 'breaks b', runs: 1, scope: 'file', violations: [] },
      state: 'declined',
    });
    const sections = sectionsOf(after(started, judged(rejected)));
    assert.deepEqual(sections.mechanical, []);
    assert.deepEqual(sections.declined, [rejected]);
  });

  it('keeps a proposal that the policy forbids away from the buttons', () => {
    const violation = { rule: 'inverted', file: 'a.test.ts', line: 3, text: 'toBe(true) became toBe(false)' };
    const forbidden = fix('1', {
      trust: 'propose',
      verdict: { verdict: 'rejected', reason: 'policy', runs: 0, scope: 'file', violations: [violation] },
    });
    assert.deepEqual(sectionsOf(after(started, judged(forbidden))).proposals, []);
  });

  it('takes a rolled-back fix off the offer', () => {
    const model = after(started, judged(fix('1')), {
      type: 'fixRolledBack',
      iteration: 1,
      fixId: '1',
      reason: 'b failed after it',
    });
    assert.equal(sectionsOf(model).mechanical.length, 0);
    assert.equal(sectionsOf(model).declined[0]?.verdict.reason, 'b failed after it');
  });

  it('says that nothing ran instead of showing a pass', () => {
    const report: CycleReport = {
      status: 'needs-attention',
      passRate: null,
      passRateReviewed: null,
      targetPassRate: 95,
      maxIterations: 10,
      total: 0,
      passed: 0,
      failed: 0,
      iterations: [],
      fixes: [],
      remaining: [],
      patch: '',
      notes: [],
      durationMs: 1,
      ended: 'no-tests',
    };
    const model = after(started, { type: 'cycleEnded', report });
    assert.equal(
      headline(model, { phase: 'ended', folder: 'shop', decisions: {}, busy: false }),
      'No test ran',
    );
    assert.deepEqual(ratesOf(model), { all: null, reviewed: null });
    assert.equal(percent(null), '–');
  });
});
