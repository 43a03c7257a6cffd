// What the panel offers for a cycle of an earlier window.
import assert from 'node:assert/strict';
import type { CycleEvent, CycleFix } from '../../src/core/model/cycle.ts';
import type { KeptCycle } from '../../src/extension/webview/cycleJournal.ts';
import type { PanelState } from '../../src/webview/messages.ts';
import { stateOf as stateIn } from '../../src/extension/webview/keptState.ts';

const fix: CycleFix = {
  id: '1',
  title: 'expect 3 (was 2)',
  grade: 'surgical',
  trust: 'oracle',
  edits: [],
  failures: ['vitest:a.test.ts#adds'],
  provider: 'test',
  confidence: 1,
  evidence: [],
  verdict: { verdict: 'verified', runs: 3, scope: 'file', violations: [] },
  diff: '',
  state: 'unreviewed',
};
const judged = (more: Partial<CycleFix> = {}): CycleEvent => ({
  type: 'fixJudged',
  iteration: 1,
  fix: { ...fix, ...more },
});
const kept = (events: readonly CycleEvent[], over?: KeptCycle['over']): KeptCycle => ({
  cycleId: '1',
  root: '/shop',
  folder: 'shop',
  events,
  decisions: {},
  bases: {},
  outcomes: {},
  writing: undefined,
  over,
});

const stateOf = (cycle: KeptCycle): PanelState => stateIn(cycle, false);

describe('a cycle of an earlier window', () => {
  it('may be taken up when nobody saw its end and something was proven', () => {
    const { cutOff, message } = stateOf(kept([judged()]));
    assert.equal(cutOff, true);
    assert.match(message?.text ?? '', /before the cycle ended/);
  });

  it('says what became of the files', () => {
    const said = (isInPlace: boolean): string => stateIn(kept([judged()]), isInPlace).message?.text ?? '';
    assert.match(said(false), /Nothing in the workspace was changed; the results until then/);
    assert.match(said(true), /Files in which fixes were tried are restored; the results until then/);
  });

  it('may not when it ended, or proved nothing', () => {
    assert.notEqual(stateOf(kept([judged()], { phase: 'ended' })).cutOff, true);
    assert.notEqual(stateOf(kept([judged()], { phase: 'failed' })).cutOff, true);
    assert.notEqual(stateOf(kept([])).cutOff, true);
    const rejected = judged({ verdict: { ...fix.verdict, verdict: 'rejected' }, state: 'declined' });
    assert.notEqual(stateOf(kept([rejected])).cutOff, true);
    assert.notEqual(stateOf(kept([judged({ state: 'declined' })])).cutOff, true);
  });
});
