// How a cycle goes on after its first iterations, as `fix --json` and `--events` tell it: whole groups, what is stuck, and what follows a fall.
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { cycleEventSchema, type CycleEvent } from '../../../src/core/model/cycle.ts';
import { fixDocument } from '../../../src/core/engine/documentSchemas.ts';
import { documentOf } from '../../cli/schemas.ts';
import { aFall, threeSteps } from '../../support/cycleSituations.ts';
import type { TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { testmend } from '../../support/testmendCli.ts';

interface Seen {
  readonly document: z.infer<typeof fixDocument>;
  readonly events: readonly CycleEvent[];
  /** Everything, for the message of an assertion. */
  readonly told: string;
}

describe('a cycle seen from outside', function () {
  this.timeout(400_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace?.dispose());

  /** Runs to the end, and holds that nothing of the workspace is another one then. */
  const fix = async (): Promise<Seen> => {
    const before = workspace.git('status', '--short');
    const run = await testmend(['fix', '--json', '--events', 'ndjson=../events.ndjson'], {
      cwd: workspace.root,
      limitMs: 300_000,
    });
    assert.equal(workspace.git('status', '--short'), before);
    const document = documentOf(fixDocument, run);
    const lines = (await workspace.read('../events.ndjson')).split('\n').filter((line) => line !== '');
    const events = lines.map((line) => cycleEventSchema.parse(JSON.parse(line)));
    return { document, events, told: JSON.stringify(document, undefined, 1) };
  };
  const started = (events: readonly CycleEvent[]): readonly string[] =>
    events.flatMap((event) => (event.type === 'iterationStarted' ? [event.strategy] : []));

  it('tries a whole group in its third iteration, and calls stuck what nothing moved', async () => {
    workspace = await threeSteps();
    const { document, events, told } = await fix();
    const [first, second, third] = document.iterations;
    assert.deepEqual(
      [first, second, third].map((record) => [record?.strategy, record?.passed, record?.total]),
      [
        ['conservative', 16, 19],
        ['conservative', 16, 19],
        ['aggressive', 16, 19],
      ],
      told,
    );
    assert.deepEqual(started(events), ['conservative', 'conservative', 'aggressive'], told);
    assert.match(third?.strategy_reason ?? '', /whole groups at once/);
    assert.equal(first?.failed_tests.length, 3, told);
    assert.deepEqual([third?.after?.passed, third?.after?.total], [20, 21], told);

    // One question for all tests of both files, with the steps that lead to it; nothing of them is a fix by itself.
    const [group, ...more] = document.fixes.filter(({ verdict }) => verdict === 'verified');
    assert.deepEqual([group?.grade, group?.trust, more.length], ['aggressive', 'oracle', 0], told);
    assert.equal(group?.failures.filter((id) => id.includes('#')).length, 4, told);
    assert.equal(new Set(group?.edits.map(({ file }) => file)).size, 2, told);
    assert.deepEqual(
      group?.parts?.map(({ trust }) => trust),
      ['mechanical', 'mechanical', 'mechanical', 'mechanical', 'oracle'],
      told,
    );
    assert.doesNotMatch(group?.title ?? '', /(, and .*)\1/, 'a step is told twice');

    assert.equal(document.ended, 'stuck', told);
    const [left, ...others] = document.remaining;
    assert.equal(others.length, 0, told);
    assert.match(left?.reason ?? '', /no rate.*It failed the same way in three iterations/s, told);
  });

  it('takes back what the suite shows to be worse, and goes on with the smallest edit', async () => {
    workspace = await aFall();
    const { document, events, told } = await fix();
    assert.deepEqual(
      document.iterations.map((record) => [record.strategy, record.passed, record.after?.passed]),
      [
        ['conservative', 7, 7],
        ['surgical', 7, 8],
        ['conservative', 8, 10],
      ],
      told,
    );
    assert.match(document.iterations[1]?.strategy_reason ?? '', /^The pass rate fell by 18\.2 points/);
    const taken = events.filter(({ type }) => type === 'fixRolledBack');
    assert.equal(taken.length, 1, told);
    const [back] = taken;
    assert.match(back?.type === 'fixRolledBack' ? back.reason : '', /passed before and fails with this fix/);
    // A surgical iteration tries one fix in all.
    const judged = events.filter((event) => event.type === 'fixJudged' && event.iteration === 2);
    assert.equal(judged.length, 1, told);

    assert.deepEqual(
      document.fixes.map(({ trust, verdict }) => `${trust} ${verdict}`).sort(),
      ['mechanical rejected', 'oracle verified', 'oracle verified', 'oracle verified'],
      told,
    );
    const [left, ...others] = document.remaining;
    assert.equal(others.length, 0, told);
    assert.match(left?.reason ?? '', /passed before and fails with this fix/, told);
    assert.doesNotMatch(document.patch, /amounts/);
  });
});
