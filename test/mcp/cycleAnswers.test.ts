// What agents are told of a fix: the same three answers as everywhere.
import assert from 'node:assert/strict';
import { fixAnswer, fixAnswerSchema } from '../../src/mcp/cycleAnswers.ts';
import { failureOf, fixOf } from '../support/cycleParts.ts';

describe('what an agent is told of a fix', () => {
  it('says why it is not verified, and of a verified one what it needs', () => {
    const { verdict: proof } = fixOf('f1');
    const verdict: typeof proof = { ...proof, verdict: 'rejected', kind: 'weakened' };
    const weaker = fixAnswerSchema.parse(fixAnswer(fixOf('f1', { verdict }), [failureOf('adds')]));
    assert.deepEqual([weaker.verdict, weaker.kind, weaker.needs], ['rejected', 'weakened', undefined]);
    const proven = fixAnswerSchema.parse(fixAnswer(fixOf('f2'), []));
    assert.deepEqual([proven.verdict, proven.kind, proven.needs], ['verified', undefined, 'nothing']);
  });
});
