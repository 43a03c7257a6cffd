// The pack of a failure and the notes in the document of `testmend fix --json` name no folder of this machine.
import assert from 'node:assert/strict';
import { homedir } from 'node:os';
import { fixJson } from '../../../src/core/engine/fixJson.ts';

it('shows paths of a hand-over and of notes relative to the root, and the home folder as ~', () => {
  const root = `${homedir()}/shop`;
  const report: Parameters<typeof fixJson>[0] = {
    status: 'needs-attention',
    passRate: null,
    passRateReviewed: null,
    iterations: [],
    fixes: [],
    spent: { testProcesses: 0, asked: [] },
    patch: '',
    notes: [`The agent wrote ${root}/src/a.ts with token=abcdef123456.`],
    ended: 'budget',
    remaining: [
      {
        id: 'a',
        file: 'a.test.ts',
        title: 'a',
        severity: 'medium',
        fault: 'unknown',
        reason: 'No cause was found.',
        message: `no ${root}/a.txt, no ${homedir()}/b.txt`,
        handOver: {
          values: [{ matcher: 'toBe', actual: `'${root}/out'` }],
          test: { file: 'a.test.ts', line: 1, text: '' },
          stack: [],
          sourceChanges: [],
          refusals: [`It holds ${root}.`],
          candidates: [],
        },
      },
    ],
  };
  const text = JSON.stringify(fixJson(report, root));
  assert.ok(!text.includes(homedir()), text);
  assert.match(text, /no a\.txt, no ~\/b\.txt/);
  assert.match(text, /"'out'"/);
  assert.match(text, /It holds \./);
  assert.match(text, /"The agent wrote src\/a\.ts with token=/);
  assert.doesNotMatch(text, /abcdef123456/);
  assert.match(text, /"ended":"budget"/);
});
