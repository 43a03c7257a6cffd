// The report of a fix cycle as Markdown and as marks of GitHub Actions: whole, and with texts that want to be something else.
import assert from 'node:assert/strict';
import type { CycleFix, CycleReport } from '../../../src/core/model/cycle.ts';
import { cycleMarkdown } from '../../../src/core/reports/cycleMarkdown.ts';
import { githubCycle } from '../../../src/core/reports/githubCycle.ts';

const fix: CycleFix = {
  id: 'f',
  title: "expect 'Hello' (was 'Hi')",
  grade: 'surgical',
  trust: 'oracle',
  edits: [{ file: 'test/a.test.ts', before: '0', changes: [] }],
  failures: ['vitest:test/a.test.ts#a'],
  provider: 'expected-value',
  confidence: 0.9,
  evidence: [],
  verdict: { verdict: 'verified', runs: 3, scope: 'file', violations: [] },
  diff: '--- a/test/a.test.ts\n+++ b/test/a.test.ts\n@@ -4 +4 @@\n-Hi\n+Hello\n',
  state: 'unreviewed',
};
const remaining: CycleReport['remaining'][number] = {
  id: 'vitest:test/a.test.ts#b',
  file: 'test/a.test.ts',
  title: 'auth',
  severity: 'critical',
  fault: 'source',
  reason: 'The value is NaN.',
  message: 'expected NaN to be 1',
};
const report: CycleReport = {
  status: 'needs-attention',
  passRate: 50,
  passRateReviewed: 0,
  targetPassRate: 95,
  maxIterations: 10,
  total: 2,
  passed: 1,
  failed: 1,
  iterations: [
    {
      iteration: 1,
      pass_rate: 50,
      pass_rate_reviewed: 0,
      strategy: 'conservative',
      strategy_reason: 'One failure at a time.',
      scope: 'suite',
      failed_tests: [],
      total: 2,
      passed: 1,
    },
  ],
  fixes: [fix, { ...fix, id: 'g', state: 'declined', title: 'never shown' }],
  remaining: [remaining],
  patch: '',
  notes: ['The cycle was short.'],
  durationMs: 4200,
  spent: {
    testProcesses: 7,
    asked: [{ provider: 'model', requests: 2, inputTokens: 10, outputTokens: 5, cost: 0.00123 }],
  },
  ended: 'budget',
};

describe('the report of a cycle as Markdown', () => {
  it('tells status, rates, the way, fixes, what is left and what it took', () => {
    assert.equal(
      cycleMarkdown(report, '/shop'),
      `# Testmend: NEEDS ATTENTION

- 1 of 2 tests pass: 50.0 % (0.0 % without the changed expectations that nobody accepted yet), target 95 %
- 1 of 10 iterations, ended: budget
- 4.2 s, 7 test processes, a model asked 2 times (15 tokens, cost 0.00123)

**A critical failure remains: do not ship this as it is.**

## Iterations

- 1: conservative, 50.0 %. \`One failure at a time.\`

## Fixes

- \`expect 'Hello' (was 'Hi')\` (oracle, needs your yes, 3 runs)

\`\`\`diff
--- a/test/a.test.ts
+++ b/test/a.test.ts
@@ -4 +4 @@
-Hi
+Hello
\`\`\`

## Remaining failures

- \`auth\` (\`test/a.test.ts\`, critical, fault: source): \`The value is NaN.\`

## Notes

- \`The cycle was short.\`
`,
    );
  });

  it('lets no text end its place, tells no secret and no folder of this machine', () => {
    const text = cycleMarkdown(
      {
        ...report,
        fixes: [{ ...fix, title: '`\n# Heading', diff: '+```\n+# Heading\n' }],
        remaining: [
          { ...remaining, title: 'a\n# Heading', reason: 'in /shop/test/a.ts with token=abcdef123456' },
        ],
      },
      '/shop',
    );
    assert.doesNotMatch(text, /^# Heading/m);
    assert.match(text, /^````diff$/m);
    assert.doesNotMatch(text, /\/shop|abcdef123456/);
  });
});

describe('the report of a cycle as marks of GitHub', () => {
  it('marks what is left, and what waits for a yes', () => {
    assert.equal(
      githubCycle(report),
      `::error file=test/a.test.ts,line=1,title=auth still fails::expected NaN to be 1%0AThe value is NaN.
::notice file=test/a.test.ts,line=4,title=A proven fix waits for your yes::expect 'Hello' (was 'Hi')
`,
    );
  });

  it('lets no text begin another command', () => {
    const bad = {
      ...remaining,
      title: 'x::add-mask::y\n::stop',
      file: 'a,line=9:b',
      message: '\r\n::set-env name=X::1 100%',
    };
    const text = githubCycle({ ...report, fixes: [], remaining: [bad] });
    assert.equal(text.trimEnd().split(/[\r\n]/).length, 1);
    assert.match(text, /^::error file=a%2Cline=9%3Ab,line=1,title=x%3A%3Aadd-mask%3A%3Ay%0A/);
  });
});
