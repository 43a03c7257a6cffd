import assert from 'node:assert/strict';
import { reviewFixes } from '../../src/cli/questions.ts';
import type { Ask } from '../../src/cli/questions.ts';
import type { CycleFix } from '../../src/core/model/cycle.ts';
import type { Trust } from '../../src/core/model/fix.ts';
import { createPaint } from '../../src/core/reports/paint.ts';

function fix(
  id: string,
  trust: Trust,
  change?: { old: string; new: string },
  verdict: CycleFix['verdict']['verdict'] = 'verified',
): CycleFix {
  return {
    id,
    title: `title of ${id}`,
    grade: 'surgical',
    trust,
    edits: [],
    failures: [],
    provider: 'p',
    confidence: 1,
    evidence: [`evidence of ${id}`],
    ...(change ? { expectation: change } : {}),
    sourceChange: {
      location: { file: 'src/greeting.ts', line: 3, column: 1 },
      excerpt: "-  return 'Hi'\n+  return 'Hello'",
    },
    verdict: { verdict, runs: 3, scope: 'file', violations: [] },
    diff: '',
    state: trust === 'mechanical' ? 'accepted' : trust === 'oracle' ? 'unreviewed' : 'declined',
  };
}

async function review(
  fixes: readonly CycleFix[],
  answers: readonly string[],
  takeMechanical = false,
): Promise<{ accepted: string[]; bugs: string[]; asked: string[]; shown: string }> {
  const asked: string[] = [];
  const left = [...answers];
  let shown = '';
  const ask: Ask = async (question, choices) => {
    asked.push(question);
    const answer = left.shift();
    const found = choices.find((choice) => choice.key === answer);
    assert.ok(found, `no choice ${answer} for ${question}`);
    return found.key;
  };
  const { accepted, bugs } = await reviewFixes({
    fixes,
    takeMechanical,
    ask,
    style: { paint: createPaint(false), width: 80 },
    write: async (text) => void (shown += text),
  });
  assert.deepEqual(left, [], 'unasked answers');
  return { accepted: accepted.map((one) => one.id), bugs: bugs.map((one) => one.id), asked, shown };
}

const hello = { old: "'Hi'", new: "'Hello'" };
const euro = { old: "'€1'", new: "'1 EUR'" };

describe('the questions about fixes', () => {
  it('take mechanical fixes together and every changed expectation by itself', async () => {
    const { accepted, bugs, asked } = await review(
      [fix('import', 'mechanical'), fix('hello', 'oracle', hello), fix('euro', 'oracle', euro)],
      ['y', 'a', 'b'],
    );
    assert.deepEqual(accepted, ['import', 'hello']);
    assert.deepEqual(bugs, ['euro']);
    assert.deepEqual(asked, [
      'Apply 1 fix that changes no meaning?',
      'Is the new expectation right?',
      'Is the new expectation right?',
    ]);
  });

  it('accept all identical changes at once and leave other changes to their own question', async () => {
    const { accepted } = await review(
      [fix('one', 'oracle', hello), fix('euro', 'oracle', euro), fix('two', 'oracle', hello)],
      ['l', 's'],
    );
    assert.deepEqual(accepted, ['one', 'two']);
  });

  it('show old and new beside the source change', async () => {
    const { shown } = await review([fix('hello', 'oracle', hello)], ['s']);
    assert.equal(
      shown,
      `
title of hello
  - 'Hi'
  + 'Hello'
  because of src/greeting.ts:3
    -  return 'Hi'
    +  return 'Hello'
  · evidence of hello
`,
    );
  });

  it('never offer what was not verified, and ask for every proposal', async () => {
    const { accepted, asked } = await review(
      [
        fix('bad', 'oracle', hello, 'rejected'),
        fix('unsure', 'mechanical', undefined, 'unverifiable'),
        fix('flip', 'propose', euro),
      ],
      ['n'],
    );
    assert.deepEqual(accepted, []);
    assert.deepEqual(asked, ['Apply this proposal?']);
  });

  it('take mechanical fixes without a question under --apply', async () => {
    assert.deepEqual((await review([fix('import', 'mechanical')], [], true)).accepted, ['import']);
  });
});
