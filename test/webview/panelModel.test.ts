// What the panel shows for the events of a cycle.
import assert from 'node:assert/strict';
import type { CycleEvent, CycleFix } from '../../src/core/model/cycle.ts';
import { filtered } from '../../src/webview/filter.ts';
import { emptyPanelState, lastingEvents, type PanelState } from '../../src/webview/messages.ts';
import { emptyModel, reduceEvents, sectionsOf, type PanelModel } from '../../src/webview/panelModel.ts';
import { whereOf } from '../../src/webview/renderFix.ts';
import { appliedText, percent, ratesOf, standingOf } from '../../src/webview/standing.ts';
import { ended, failing, fixOf, judged, started } from '../support/cycleParts.ts';

const oracle = (id: string, old: string, now: string): CycleFix =>
  fixOf(id, { trust: 'oracle', state: 'unreviewed', expectation: { old, new: now } });

const after = (...events: CycleEvent[]): PanelModel => reduceEvents(emptyModel, events);
const state = (more: Partial<PanelState> = {}): PanelState => ({
  ...emptyPanelState,
  phase: 'ended',
  ...more,
});

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
      sections.expectations.map(({ fixes }) => [
        fixes[0]?.expectation?.old,
        fixes[0]?.expectation?.new,
        fixes.map(({ id }) => id),
      ]),
      [
        ["'€'", "'EUR'", ['2', '3']],
        ["'Hi'", "'Hello'", ['1']],
      ],
    );
  });

  it('groups verified mechanical fixes that follow the same change, whatever paths they write', () => {
    const moved = (id: string, evidence: string, newText: string): CycleFix =>
      fixOf(id, {
        evidence: [evidence],
        edits: [{ file: `${id}.test.ts`, before: '', changes: [{ start: 0, end: 1, newText }] }],
      });
    const sections = sectionsOf(
      after(
        started,
        judged(moved('1', 'old.ts is now new.ts', './new')),
        judged(moved('2', 'a.ts is now b.ts', './b')),
        judged(moved('3', 'a.ts is now b.ts', '../src/b')),
        judged({ ...moved('4', 'a.ts is now b.ts', './b'), trust: 'propose' }),
      ),
    );
    assert.deepEqual(
      sections.mechanical.map(({ fixes }) => fixes.map(({ id }) => id)),
      [['2', '3'], ['1']],
    );
  });

  it('tells the fixes of a group apart by their places', () => {
    const edits = [{ file: 'tests/a.test.ts', before: '', changes: [] }];
    const where = (...failures: string[]): string => whereOf(fixOf('1', { edits, failures }));
    assert.equal(where('vitest:tests/a.test.ts#cart › adds 100%25'), 'tests/a.test.ts · cart › adds 100%');
    assert.equal(where('vitest:tests/a.test.ts#breaks %ud800'), 'tests/a.test.ts · breaks %ud800');
    assert.equal(where('vitest:tests/a.test.ts'), 'tests/a.test.ts');
    assert.equal(
      where('vitest:tests/a.test.ts#one', 'vitest:tests/a.test.ts#two'),
      'tests/a.test.ts · 2 tests',
    );
  });

  it('never offers a rejected fix, and shows its reason among the declined', () => {
    const rejected = fixOf('1', {
      verdict: { verdict: 'rejected', reason: 'breaks b', runs: 1, scope: 'file', violations: [] },
      state: 'declined',
    });
    const sections = sectionsOf(after(started, judged(rejected)));
    assert.deepEqual(sections.mechanical, []);
    assert.deepEqual(sections.declined, [rejected]);
  });

  it('keeps a proposal that the policy forbids away from the buttons', () => {
    const violation = { rule: 'inverted', file: 'a.test.ts', line: 3, text: 'toBe(true) became toBe(false)' };
    const forbidden = fixOf('1', {
      trust: 'propose',
      verdict: { verdict: 'rejected', reason: 'policy', runs: 0, scope: 'file', violations: [violation] },
    });
    assert.deepEqual(sectionsOf(after(started, judged(forbidden))).proposals, []);
  });

  it('takes a rolled-back fix off the offer', () => {
    const model = after(started, judged(fixOf('1')), {
      type: 'fixRolledBack',
      iteration: 1,
      fixId: '1',
      reason: 'b failed after it',
    });
    assert.equal(sectionsOf(model).mechanical.length, 0);
    assert.equal(sectionsOf(model).declined[0]?.verdict.reason, 'b failed after it');
  });

  it('keeps a warning while the cycle goes on, also over a reload', () => {
    const events: CycleEvent[] = [started, { type: 'warned', text: 'No jail.' }];
    assert.deepEqual(after(...lastingEvents(events)).warnings, ['No jail.']);
  });

  it('says that nothing ran instead of showing a pass', () => {
    const nothing = {
      passRate: null,
      passRateReviewed: null,
      total: 0,
      passed: 0,
      ended: 'no-tests',
    } as const;
    const model = after(started, ended(nothing));
    assert.deepEqual(standingOf(model, state()), { text: 'No test ran', tone: 'bad' });
    assert.deepEqual(ratesOf(model), { all: null, reviewed: null });
    assert.equal(percent(null), '–');
  });

  it('calls a cycle stopped that a person stopped, cut off what ended without a report, and neither an error', () => {
    const stopped = { text: 'Stopped', tone: 'neutral' };
    const cutOff = { text: 'Interrupted before its end', tone: 'neutral' };
    assert.deepEqual(standingOf(after(started, ended({ ended: 'cancelled' })), state()), stopped);
    assert.deepEqual(standingOf(after(started, failing('adds')), state()), cutOff);
  });

  it('says that a cycle broke off when its engine died in the middle', () => {
    const begun: CycleEvent = {
      type: 'iterationStarted',
      iteration: 1,
      strategy: 'surgical',
      reason: '',
      scope: 'suite',
    };
    const broken = state({ phase: 'failed', message: { level: 'error', text: 'The engine stopped.' } });
    assert.deepEqual(standingOf(after(started, begun), broken), {
      text: 'The cycle was interrupted',
      tone: 'bad',
    });
    assert.equal(standingOf(after(started), broken).text, 'The cycle could not run');
  });

  it('lets headline and pass rate follow what was decided, and calls nothing green before it ran again', () => {
    const first = oracle('1', "'Hi'", "'Hello'");
    const second = { ...oracle('2', "'€'", "'EUR'"), failures: ['vitest:a.test.ts#pays'] };
    const model = after(started, ended({ fixes: [first, second], passRateReviewed: 80 }));
    assert.deepEqual(ratesOf(model), { all: 100, reviewed: 80 });
    assert.equal(standingOf(model, state()).text, '2 fixes to decide');

    const one = state({ decisions: { 1: 'applied' } });
    assert.deepEqual(ratesOf(model, one.decisions), { all: 100, reviewed: 90 });
    assert.equal(standingOf(model, one).text, '1 fix to decide');
    assert.equal(appliedText(model, one), '1 fix applied. Its test has not been rerun yet.');

    const bug = state({ decisions: { 1: 'applied', 2: 'bug' } });
    assert.deepEqual(ratesOf(model, bug.decisions), { all: 90, reviewed: 90 });
    assert.match(appliedText(model, bug), /^1 fix applied, 1 recorded as a bug\./);

    assert.deepEqual(standingOf(model, bug), { text: '1 test still fails', tone: 'bad' });
    const none = state({ decisions: { 1: 'discarded', 2: 'stale' } });
    assert.deepEqual(standingOf(model, none), { text: '2 tests still fail', tone: 'bad' });

    const decisions = { 1: 'applied', 2: 'applied' } as const;
    const both = state({ decisions });
    assert.deepEqual(standingOf(model, both), { text: 'All fixes applied', tone: 'neutral' });
    const outcomes = { 'vitest:a.test.ts#adds': 'passed', 'vitest:a.test.ts#pays': 'passed' } as const;
    const green = state({ decisions, rerun: { running: false, outcomes } });
    assert.deepEqual(standingOf(model, green), { text: 'All fixes applied', tone: 'good' });
    assert.equal(appliedText(model, green), '2 fixes applied. Rerun: all 2 tests pass.');
    const red = state({
      decisions,
      rerun: { running: false, outcomes: { ...outcomes, 'vitest:a.test.ts#pays': 'failed' } },
    });
    assert.deepEqual(standingOf(model, red), { text: 'Applied, but not green', tone: 'bad' });
    assert.equal(appliedText(model, red), '2 fixes applied. Rerun: 1 of 2 still failed.');
    const waits = state({
      decisions,
      rerun: { running: true, outcomes: { 'vitest:a.test.ts#pays': 'failed' } },
    });
    assert.equal(appliedText(model, waits), '2 fixes applied. Rerun: 1 of 2 still failed, 1 running…');
    const back = state({ ...red, decisions: { 1: 'applied', 2: 'takenBack' } });
    assert.equal(appliedText(model, back), '1 fix applied, 1 taken back. Rerun: its test passes.');
    assert.deepEqual(standingOf(model, back), { text: '1 test still fails', tone: 'bad' });
  });

  it('gathers tests that fail in the same way, and takes those off the list that a proven fix mends', () => {
    const model = after(started, failing('adds', 'pays', 'ships'), judged(fixOf('1')));
    assert.deepEqual(
      sectionsOf(model).remaining.map(({ tests }) => tests.map(({ title }) => title)),
      [['pays', 'ships']],
    );
  });

  it('filters by what is to be done and by words, also in file names', () => {
    const sections = sectionsOf(
      after(started, failing('pays', 'ships'), judged(fixOf('1')), judged(oracle('2', "'Hi'", "'Hello'"))),
    );
    const ids = (show: 'all' | 'decide' | 'failing' | 'decided', search: string): string[] => {
      const shown = filtered(sections, { show, search }, { 1: 'applied' });
      return [
        ...shown.mechanical.flatMap(({ fixes }) => fixes.map(({ id }) => id)),
        ...shown.expectations.flatMap(({ fixes }) => fixes.map(({ id }) => id)),
        ...shown.remaining.flatMap(({ tests }) => tests.map(({ title }) => title)),
      ];
    };
    assert.deepEqual(ids('all', ''), ['1', '2', 'pays', 'ships']);
    assert.deepEqual(ids('decide', ''), ['2']);
    assert.deepEqual(ids('decided', ''), ['1']);
    assert.deepEqual(ids('failing', 'SHIP'), ['ships']);
    assert.deepEqual(ids('all', 'a.test.ts'), ['1', '2', 'pays', 'ships']);
    assert.deepEqual(ids('all', 'nowhere'), []);
  });

  it('shows the same of the events that are kept as of all of them', () => {
    const proposed: CycleEvent = { type: 'fixProposed', iteration: 1, fix: fixOf('1'), diff: '' };
    const running = [
      started,
      { type: 'progress', text: 'running 3 test files' } as const,
      failing('adds', 'pays'),
      proposed,
      judged(fixOf('1')),
      failing('pays'),
    ];
    const whole = [...running, ended({ fixes: [fixOf('1'), oracle('2', '1', '2')] })];
    for (const events of [running, whole]) {
      const { progress: _progress, ...all } = after(...events);
      const { progress: _none, ...kept } = after(...lastingEvents(events));
      assert.deepEqual({ ...kept, current: undefined }, { ...all, current: undefined });
    }
    assert.ok(lastingEvents(whole).length < lastingEvents(running).length + 1);
  });

  it('keeps the objects of what a report says again, so that their cards stay as they are', () => {
    const before = after(started, judged(fixOf('1')), judged(fixOf('2')));
    const same = structuredClone(fixOf('1'));
    const changed = { ...structuredClone(fixOf('2')), state: 'declined' as const };
    const later = reduceEvents(before, [ended({ fixes: [same, changed] })]);
    assert.equal(later.fixes.get('1'), before.fixes.get('1'));
    assert.notEqual(later.fixes.get('2'), before.fixes.get('2'));
  });
});
