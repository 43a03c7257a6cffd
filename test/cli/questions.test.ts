import assert from 'node:assert/strict';
import { Questions } from '../../src/cli/questions.ts';
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
    diff: "+++ b/test/greeting.test.ts\n@@ -4 +4 @@\n-toBe('Hi')\n+toBe('Hello')\n",
    state: trust === 'mechanical' ? 'accepted' : trust === 'oracle' ? 'unreviewed' : 'declined',
  };
}

interface Reviewed {
  readonly decisions: readonly string[];
  readonly accepted: readonly string[];
  readonly bugs: readonly string[];
  readonly asked: readonly string[];
  readonly shown: string;
}

/** Puts the questions as a cycle would, with these keys as answers. */
async function review(
  fixes: readonly CycleFix[],
  answers: readonly string[],
  takeMechanical = false,
): Promise<Reviewed> {
  const asked: string[] = [];
  const left = [...answers];
  let shown = '';
  const ask: Ask = async (question, choices) => {
    asked.push(question.trim());
    const answer = left.shift();
    const found = choices.find((choice) => choice.key === answer);
    assert.ok(found, `no choice ${answer} for ${question}`);
    return found.key;
  };
  const questions = new Questions({
    ask,
    style: { paint: createPaint(false), width: 80 },
    write: async (text) => void (shown += text),
  });
  for (const fix of fixes) questions.onEvent({ type: 'fixJudged', iteration: 1, fix });
  const decisions: string[] = [];
  const states = new Map<string, CycleFix['state']>();
  for (const fix of fixes.filter((one) => one.state === 'unreviewed' && one.verdict.verdict === 'verified')) {
    const decision = await questions.decide(fix);
    decisions.push(decision);
    states.set(fix.id, decision === 'accept' ? 'accepted' : 'declined');
  }
  const ended = fixes.map((fix) => ({ ...fix, state: states.get(fix.id) ?? fix.state }));
  const accepted = (await questions.chooseAtEnd(ended, takeMechanical)).map((fix) => fix.id);
  assert.deepEqual(left, [], 'unasked answers');
  return { decisions, accepted, bugs: questions.bugs.map((fix) => fix.id), asked, shown };
}

const hello = { old: "'Hi'", new: "'Hello'" };
const euro = { old: "'€1'", new: "'1 EUR'" };

describe('the questions about fixes', () => {
  it('ask for every changed expectation by itself, and for what changes no meaning once', async () => {
    const { accepted, bugs, asked } = await review(
      [fix('import', 'mechanical'), fix('hello', 'oracle', hello), fix('euro', 'oracle', euro)],
      ['a', 'b', 'y'],
    );
    assert.deepEqual(accepted, ['import', 'hello']);
    assert.deepEqual(bugs, ['euro']);
    assert.deepEqual(asked, ['Is this right?', 'Is this right?', 'Apply 1 fix that changes no meaning?']);
  });

  it('accept identical changes at once and leave other changes to their own question', async () => {
    const { decisions, accepted } = await review(
      [fix('one', 'oracle', hello), fix('euro', 'oracle', euro), fix('two', 'oracle', hello)],
      ['l', 's'],
    );
    assert.deepEqual(decisions, ['accept', 'skip', 'accept']);
    assert.deepEqual(accepted, ['one', 'two']);
  });

  it('offer to accept all alike only when there are more', async () => {
    await assert.rejects(review([fix('one', 'oracle', hello)], ['l']), /no choice l/);
  });

  it('show old and new beside the source change', async () => {
    const { shown } = await review([fix('hello', 'oracle', hello)], ['s']);
    assert.equal(
      shown,
      `
? title of hello
  test/greeting.test.ts:4
  - toBe('Hi')
  + toBe('Hello')
  because of src/greeting.ts:3
  -  return 'Hi'
  +  return 'Hello'
  evidence of hello
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

  it('leave out what changes no meaning when the user says no, and do not ask under --apply', async () => {
    assert.deepEqual((await review([fix('import', 'mechanical')], ['n'])).accepted, []);
    assert.deepEqual((await review([fix('import', 'mechanical')], [], true)).accepted, ['import']);
  });
});
