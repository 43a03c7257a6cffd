// Which applied fixes are said not to help, by what their tests did in the workspace since.
import assert from 'node:assert/strict';
import type { CycleFix } from '../../src/core/model/cycle.ts';
import { helpless, isOnOffer } from '../../src/extension/webview/offeredFixes.ts';
import { emptyPanelState, type FixDecision, type PanelState } from '../../src/webview/messages.ts';

const fix = (id: string, more: Partial<CycleFix> = {}): CycleFix => ({
  id,
  title: `fix ${id}`,
  grade: 'surgical',
  trust: 'mechanical',
  edits: [],
  failures: [`${id}-1`, `${id}-2`],
  provider: 'test',
  confidence: 1,
  evidence: [],
  verdict: { verdict: 'verified', runs: 3, scope: 'file', violations: [] },
  diff: '',
  state: 'accepted',
  ...more,
});
const stateWith = (
  decisions: Record<string, FixDecision>,
  outcomes: PanelState['rerun']['outcomes'],
): PanelState => ({ ...emptyPanelState, decisions, rerun: { running: false, outcomes } });

describe('applied fixes that do not help', () => {
  const ids = (fixes: readonly CycleFix[], state: PanelState): readonly string[] =>
    helpless(fixes, state).map(({ id }) => id);

  it('are those of which a test failed since, and none passed', () => {
    const fixes = ['all', 'some', 'one', 'none'].map((id) => fix(id));
    const applied = { all: 'applied', some: 'applied', one: 'applied', none: 'applied' } as const;
    const state = stateWith(applied, {
      'all-1': 'failed',
      'all-2': 'failed',
      'some-1': 'failed',
      'some-2': 'passed',
      'one-1': 'failed',
    });
    assert.deepEqual(ids(fixes, state), ['all', 'one']);
  });

  it('are none that is not applied, or that a person took unproven', () => {
    const outcomes = { 'a-1': 'failed', 'a-2': 'failed' } as const;
    assert.deepEqual(ids([fix('a')], stateWith({ a: 'discarded' }, outcomes)), []);
    assert.deepEqual(ids([fix('a')], stateWith({ a: 'takenBack' }, outcomes)), []);
    const unproven = fix('a', {
      verdict: { verdict: 'unverifiable', runs: 0, scope: 'file', violations: [] },
    });
    assert.deepEqual(ids([unproven], stateWith({ a: 'applied' }, outcomes)), []);
    assert.deepEqual(ids([fix('a')], stateWith({ a: 'applied' }, outcomes)), ['a']);
  });

  it('are of a chain those whose last step still fails', () => {
    const { verdict: _verdict, diff: _diff, state: _state, ...part } = fix('b', { failures: ['b-2'] });
    const chain = fix('b', { parts: [{ ...part, failures: ['b-1'] }, part] });
    const state = (last: 'passed' | 'failed'): PanelState =>
      stateWith({ b: 'applied' }, { 'b-1': last === 'passed' ? 'failed' : 'passed', 'b-2': last });
    assert.deepEqual(ids([chain], state('passed')), []);
    assert.deepEqual(ids([chain], state('failed')), ['b']);
  });

  it('are not on offer again once they are taken back', () => {
    const state = stateWith({ a: 'takenBack' }, {});
    for (const how of ['together', 'any', 'singly'] as const)
      assert.equal(isOnOffer(fix('a'), state, how), false);
  });
});
