// The report of a fix cycle as Markdown and as marks of GitHub Actions: whole, and with texts that want to be something else.
import assert from 'node:assert/strict';
import type { CycleFix, CycleReport } from '../../../src/core/model/cycle.ts';
import { fixJson } from '../../../src/core/engine/fixJson.ts';
import { cycleJunit } from '../../../src/core/reports/cycleJunit.ts';
import { cycleMarkdown } from '../../../src/core/reports/cycleMarkdown.ts';
import { githubCycle } from '../../../src/core/reports/githubCycle.ts';
import { handOverMarkdown } from '../../../src/core/reports/handOverMarkdown.ts';
import { jsonReport } from '../../../src/core/reports/jsonReporter.ts';
import { failure, result, summary } from './results.ts';

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
  suites: ['auth'],
  title: 'b',
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
      pass_rate: 0,
      pass_rate_reviewed: 0,
      strategy: 'conservative',
      strategy_reason: 'One failure at a time.',
      scope: 'suite',
      failed_tests: [],
      total: 2,
      passed: 0,
      after: { pass_rate: 50, pass_rate_reviewed: 0, failed_tests: [], total: 2, passed: 1 },
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

const none: ReadonlySet<string> = new Set();

describe('the report of a cycle as Markdown', () => {
  it('tells status, rates, the way, fixes, what is left and what it took', () => {
    assert.equal(
      cycleMarkdown({ report, applied: none }, '/shop'),
      `# Testmend: NEEDS ATTENTION

- 1 of 2 tests pass: 50.0 % (0.0 % without the changed expectations that nobody has accepted yet), target 95 %
- 1 of 10 iterations, ended: budget
- 4.2 s, 7 test processes, a model asked 2 times (15 tokens, cost 0.00123)

**A critical failure remains: do not ship this as it is.**

## Iterations

- 1: conservative, 0.0 % → 50.0 %. \`One failure at a time.\`

## Fixes

- \`expect 'Hello' (was 'Hi')\` (oracle, needs your approval, 3 runs)

\`\`\`diff
--- a/test/a.test.ts
+++ b/test/a.test.ts
@@ -4 +4 @@
-Hi
+Hello
\`\`\`

## Remaining failures

- \`auth › b\` (\`test/a.test.ts\`, critical, fault: source): \`The value is NaN.\`

## Notes

- \`The cycle was short.\`
`,
    );
  });

  it('lets no text end its place, tells no secret and no folder of this machine', () => {
    const text = cycleMarkdown(
      {
        report: {
          ...report,
          fixes: [{ ...fix, title: '`\n# Heading', diff: '+```\n+# Heading\n' }],
          remaining: [
            { ...remaining, title: 'a\n# Heading', reason: 'in /shop/test/a.ts with token=abcdef123456' },
          ],
        },
        applied: none,
      },
      '/shop',
    );
    assert.doesNotMatch(text, /^# Heading/m);
    assert.match(text, /^````diff$/m);
    assert.doesNotMatch(text, /\/shop|abcdef123456/);
  });
});

describe('the layer and the coverage of a cycle', () => {
  const layered: CycleReport = {
    ...report,
    layer: 'L1',
    coverage: { lines: 57.1, target: 80, note: 'AVA tells no\ncoverage.' },
  };

  it('stand in the Markdown, and whether a fix was applied', () => {
    const text = cycleMarkdown({ report: layered, applied: new Set(['f']) }, '/shop');
    assert.match(text, /^- 1 of 2 tests of L1 pass: 50\.0 %.*\n- Scope: layer L1 only\./m);
    assert.match(
      text,
      /^- Line coverage 57\.1 %, below the target of L1: 80 %\. `AVA tells no coverage\.`$/m,
    );
    assert.match(text, /^- `expect 'Hello' \(was 'Hi'\)` \(oracle, applied, 3 runs\)$/m);
  });

  it('are marks of GitHub, a warning below the target only', () => {
    const marks = (one: CycleReport): string =>
      githubCycle(
        { report: { ...one, remaining: [], fixes: [{ ...fix, state: 'accepted' }] }, applied: none },
        '/shop',
      );
    assert.match(
      marks(layered),
      /^::notice file=test\/a\.test\.ts,line=4,title=A proven fix is not applied::/,
    );
    assert.match(
      marks(layered),
      /\n::warning title=Coverage::Line coverage 57\.1 %25, below the target of L1: 80 %25%0AAVA tells no%0Acoverage\.\n$/,
    );
    const enough = { ...layered, coverage: { lines: 80, target: 80 } };
    assert.match(
      marks(enough),
      /\n::notice title=Coverage::Line coverage 80\.0 %25, target of L1: 80 %25\n$/,
    );
    assert.equal(githubCycle({ report: { ...report, remaining: [] }, applied: new Set(['f']) }, '/shop'), '');
  });
});

describe('the report of a cycle as JUnit', () => {
  const tests = [
    result({
      id: 'vitest:test/a.test.ts#a',
      file: 'test/a.test.ts',
      title: 'a',
      suites: [],
      failure: failure({ message: "expected 'Hello' to be 'Hi' in /shop/a.ts" }),
    }),
    result({
      id: remaining.id,
      file: 'test/a.test.ts',
      title: 'auth',
      suites: [],
      failure: failure({ message: 'expected NaN to be 1', severity: 'critical' }),
    }),
    result({ title: 'c' }),
  ];

  it('tells what is red on disk, who is at fault, and which fix is proven', () => {
    assert.equal(
      cycleJunit({ report: { ...report, layer: 'L1' }, applied: none, tests }, '/shop'),
      `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="testmend fix, layer L1" tests="3" failures="2" errors="0" skipped="0" time="4.200">
  <testsuite name="test/a.test.ts" tests="2" failures="2" errors="0" skipped="0" time="0.008">
    <testcase name="a" classname="test/a.test.ts" file="test/a.test.ts" line="3" time="0.004">
      <failure message="expected 'Hello' to be 'Hi' in a.ts" type="assertion">a

expected 'Hello' to be 'Hi' in a.ts

severity: medium
fault: unknown
reason: The test no longer fits the source. It holds in 3 runs.</failure>
      <system-out>Proven fix, needs your approval (oracle): expect 'Hello' (was 'Hi')</system-out>
    </testcase>
    <testcase name="auth" classname="test/a.test.ts" file="test/a.test.ts" line="3" time="0.004">
      <failure message="expected NaN to be 1" type="assertion">auth

expected NaN to be 1

severity: critical
fault: source
reason: The value is NaN.</failure>
    </testcase>
  </testsuite>
  <testsuite name="test/cart.test.ts" tests="1" failures="0" errors="0" skipped="0" time="0.004">
    <testcase name="cart › c" classname="test/cart.test.ts" file="test/cart.test.ts" line="3" time="0.004"/>
  </testsuite>
</testsuites>
`,
    );
  });

  it('tells of a test that passes which fix was applied, and lets no text end its place', () => {
    const hostile = { ...fix, title: ']]> </system-out> & token=abcdef123456' };
    const [a] = tests;
    assert.ok(a);
    const { failure: _, ...passed } = a;
    const text = cycleJunit(
      {
        report: { ...report, fixes: [hostile], remaining: [] },
        applied: new Set(['f']),
        tests: [{ ...passed, outcome: 'passed' }],
      },
      '/shop',
    );
    assert.match(
      text,
      /<system-out>Proven fix, applied \(oracle\): \]\]&gt; &lt;\/system-out&gt; &amp; token=/,
    );
    assert.doesNotMatch(text, /<failure|abcdef123456/);
  });

  it('has an error of its own for a cycle that shows no pass and knows of no failure', () => {
    const errors = (ended: CycleReport['ended'], known: typeof tests): string =>
      cycleJunit(
        { report: { ...report, fixes: [], remaining: [], ended }, applied: none, tests: known },
        '/shop',
      );
    const passing = tests.slice(2);
    for (const ended of ['cancelled', 'timeout'] as const)
      for (const known of [[], passing]) {
        const text = errors(ended, known);
        assert.match(text, new RegExp(`tests="${known.length + 1}" failures="0" errors="1"`));
        assert.match(
          text,
          /name="the fix cycle"[^]*message="The fix cycle was interrupted before its tests finished\."/,
        );
      }
    assert.match(errors('budget', passing), /message="The fix cycle ended before it was known whether/);
    const passed = { ...report, fixes: [], remaining: [], status: 'passed' as const };
    assert.match(cycleJunit({ report: passed, applied: none, tests: passing }, '/shop'), / errors="0"/);
  });
});

describe('the report of a cycle as marks of GitHub', () => {
  it('marks what is left, and what waits for a yes', () => {
    assert.equal(
      githubCycle({ report, applied: none }, '/shop'),
      `::error file=test/a.test.ts,line=1,title=auth › b still fails::expected NaN to be 1%0AThe value is NaN.
::notice file=test/a.test.ts,line=4,title=A proven fix needs your approval::expect 'Hello' (was 'Hi')
`,
    );
  });

  it('lets no text begin another command', () => {
    const bad = {
      ...remaining,
      suites: [],
      title: 'x::add-mask::y\n::stop',
      file: 'a,line=9:b',
      message: '\r\n::set-env name=X::1 100%',
    };
    const text = githubCycle({ report: { ...report, fixes: [], remaining: [bad] }, applied: none }, '/shop');
    assert.equal(text.trimEnd().split(/[\r\n]/).length, 1);
    assert.match(text, /^::error file=a%2Cline=9%3Ab,line=1,title=x%3A%3Aadd-mask%3A%3Ay%0A/);
  });

  it('keeps no escape sequence or control character of a test or an agent', () => {
    const bad = {
      ...remaining,
      title: '\u001b[2Kb',
      message: '\u001b[31mexpected\u001b[39m \u202e1\u0007',
      reason: 'The agent said: \u001b]8;;http://x\u0007here\u001b]8;;\u0007.',
    };
    const fixes = report.fixes.map((fix) => ({ ...fix, title: `\u001b[1m${fix.title}\u009b0m` }));
    const text = githubCycle({ report: { ...report, fixes, remaining: [bad] }, applied: none }, '/shop');
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    assert.match(text, /title=auth › b still fails::expected .*1/);
  });
});

describe('a secret that one text of a report gives away', () => {
  const secret = 'tr0ub4dor-and-3';
  const bare = `the door said: ${secret}`;
  const named = `const password = '${secret}';`;
  const left = { ...remaining, reason: bare, message: named };
  const red: CycleReport = { ...report, fixes: [], remaining: [left], notes: [bare] };
  const texts = {
    markdown: cycleMarkdown({ report: { ...red, notes: [bare, named] }, applied: none }, '/shop'),
    github: githubCycle(
      { report: { ...red, remaining: [{ ...left, message: bare }, left] }, applied: none },
      '/shop',
    ),
    handOver: handOverMarkdown([{ ...left, title: bare }], '/shop'),
    junit: cycleJunit(
      {
        report: red,
        applied: none,
        tests: [bare, named].map((message, index) =>
          result({ title: `t${index}`, id: `${remaining.id}${index}`, failure: failure({ message }) }),
        ),
      },
      '/shop',
    ),
    report: JSON.stringify(
      jsonReport(summary([bare, named].map((message) => result({ failure: failure({ message }) })))),
    ),
    fix: JSON.stringify(fixJson({ ...red, patch: `+${named}\n` }, '/shop')).replace(`+${named}`, ''),
  };
  for (const [name, text] of Object.entries(texts))
    it(`is blotted out in all of them: ${name}`, () => {
      assert.match(text, /the door said: \[redacted\]/);
      assert.ok(!text.includes(secret), text);
    });
});
