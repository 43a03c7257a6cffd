// What the panel says of the models and agents that a cycle asked.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../src/core/model/cycle.ts';
import { authorOf } from '../../src/webview/renderFix.ts';
import { spentText } from '../../src/webview/spentText.ts';
import { reportOf } from '../support/cycleParts.ts';

type Asked = CycleReport['spent']['asked'][number];
const told = (...asked: Asked[]): string => spentText(reportOf({ spent: { testProcesses: 4, asked } }));

describe('what a cycle spent, in the panel', () => {
  it('is nothing where nobody was asked, and while the cycle runs', () => {
    assert.equal(spentText(undefined), '');
    assert.equal(told(), '');
  });

  it('tells questions, tokens and the cost of a model', () => {
    assert.equal(
      told({ provider: 'model', requests: 3, inputTokens: 12_345, outputTokens: 412, cost: 0.00312 }),
      'The model answered 3 questions: 12,345 tokens in, 412 out (the endpoint reports a cost of 0.00312).',
    );
    assert.equal(
      told({ provider: 'model', requests: 1, inputTokens: 10, outputTokens: 2 }),
      'The model answered 1 question: 10 tokens in, 2 out.',
    );
  });

  it('tells how often an agent was started, of which nothing else is known', () => {
    assert.equal(
      told({ provider: 'agent', requests: 2, inputTokens: 0, outputTokens: 0 }),
      'The agent was started 2 times.',
    );
  });

  it('names who proposed a fix', () => {
    const fix = (author?: 'model' | 'agent'): Parameters<typeof authorOf>[0] => ({
      id: 'f',
      title: 'fix',
      grade: 'surgical',
      trust: 'oracle',
      edits: [],
      failures: [],
      provider: author ?? 'import-moved',
      ...(author !== undefined && { origin: { author } }),
      confidence: 1,
      evidence: [],
      verdict: { verdict: 'verified', runs: 3, scope: 'file', violations: [] },
      diff: '',
      state: 'unreviewed',
    });
    assert.deepEqual(
      [authorOf(fix('model')), authorOf(fix('agent')), authorOf(fix())],
      ['by the model', 'by the agent', 'import-moved'],
    );
  });
});
