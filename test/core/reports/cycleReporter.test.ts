import assert from 'node:assert/strict';
import type { CycleEvent, CycleFix, CycleReport } from '../../../src/core/model/cycle.ts';
import { cycleReporter } from '../../../src/core/reports/cycleReporter.ts';
import { cycleSummary } from '../../../src/core/reports/cycleSummary.ts';
import { changedLines } from '../../../src/core/reports/fixText.ts';
import { createPaint } from '../../../src/core/reports/paint.ts';

const style = { paint: createPaint(false), width: 80 };
const diff = [
  'diff --git a/test/a.test.ts b/test/a.test.ts',
  '--- a/test/a.test.ts',
  '+++ b/test/a.test.ts',
  '@@ -4,3 +4,3 @@',
  ' before',
  "-  expect(x).toBe('Hi');",
  "+  expect(x).toBe('Hello');",
  ' after',
  '',
].join('\n');
const fix: CycleFix = {
  id: 'f',
  title: "expect 'Hello' (was 'Hi')",
  grade: 'surgical',
  trust: 'oracle',
  edits: [],
  failures: ['vitest:test/a.test.ts#a'],
  provider: 'assertion',
  confidence: 0.9,
  evidence: [],
  verdict: { verdict: 'verified', runs: 3, scope: 'file', violations: [] },
  diff,
  state: 'unreviewed',
};
const failing = {
  id: 'vitest:test/a.test.ts#a',
  file: 'test/a.test.ts',
  suites: ['auth'],
  title: 'a',
  severity: 'critical' as const,
  fault: 'source' as const,
  reason: 'The actual value is NaN.',
  message: 'expected NaN to be 3',
};

function told(events: readonly CycleEvent[], asks = false): string {
  let text = '';
  const reporter = cycleReporter({
    ...style,
    asks,
    write: (part) => void (text += part),
    progress: () => undefined,
  });
  for (const event of events) reporter.onEvent?.(event);
  return text;
}

describe('a fix cycle in the terminal', () => {
  it('shows each step with its reason, and each fix with trust, verdict and change', () => {
    const text = told([
      {
        type: 'iterationStarted',
        iteration: 1,
        strategy: 'conservative',
        reason: 'The first look.',
        scope: 'suite',
      },
      { type: 'testsFailing', iteration: 1, tests: [{ ...failing, line: 5 }] },
      { type: 'fixProposed', iteration: 1, fix, diff },
      { type: 'fixJudged', iteration: 1, fix },
    ]);
    assert.equal(
      text,
      `
Iteration 1 (full suite)
  conservative: The first look.

  1 test failing
  ✗ auth › a
    test/a.test.ts:5 · critical · the source looks broken
    expected NaN to be 3

  ? expect 'Hello' (was 'Hi')
    changed expectation: needs your approval · verified (3 runs, scope file)
    test/a.test.ts:5
    -   expect(x).toBe('Hi');
    +   expect(x).toBe('Hello');
`,
    );
  });

  it('warns before something happens', () => {
    assert.equal(
      told([{ type: 'warned', text: 'An agent runs without a jail.\u001b[2K' }]),
      '! An agent runs without a jail.\n',
    );
  });

  it('says why a proposal is one, also where nothing stopped it', () => {
    const evidence = ['The new name may mean something else: toCents has another unit.'];
    const proposal = { ...fix, trust: 'propose' as const, stops: [], evidence, state: 'declined' as const };
    const text = told([{ type: 'fixJudged', iteration: 1, fix: proposal }]);
    assert.match(
      text,
      /proposal: only you can apply it[^]*\n {4}The new name may mean something else: toCents has another unit\.\n/,
    );
  });

  it('says that the full suite is that of a layer', () => {
    const text = told([
      {
        type: 'cycleStarted',
        root: '/shop',
        preset: 'qa',
        layer: 'L2',
        maxIterations: 5,
        targetPassRate: 95,
      },
      { type: 'iterationStarted', iteration: 1, strategy: 'conservative', reason: 'So.', scope: 'suite' },
    ]);
    assert.match(text, /Iteration 1 \(full suite of L2\)/);
  });

  it('shows a rejected fix with its reason and the broken rule, without its diff', () => {
    const violations = [{ rule: 'no-skip', file: 'test/a.test.ts', line: 7, text: 'it.skip(' }];
    const verdict = {
      verdict: 'rejected' as const,
      reason: 'It skips a test.',
      runs: 0,
      scope: 'file' as const,
      violations,
    };
    const text = told([{ type: 'fixJudged', iteration: 1, fix: { ...fix, verdict, state: 'declined' } }]);
    assert.match(
      text,
      /✗ expect[^]*rejected\n {4}It skips a test\.\n {4}no-skip test\/a\.test\.ts:7 {2}it\.skip\(/,
    );
    assert.doesNotMatch(text, /toBe/);
  });

  it('tells a doubt once, and what is broken besides within the width', () => {
    const reason = 'Nothing was expected, and now there is a value: that is a change of behavior.';
    const violationOf = (rule: string, text: string) => ({ rule, file: 'test/a.test.ts', line: 7, text });
    const verdict = {
      ...fix.verdict,
      violations: [
        violationOf('suspect-value', `A bug could also give this value; a person must decide: ${reason}`),
        violationOf(
          'inverted',
          'The expected boolean was inverted, which hardly anybody does by mistake alone.',
        ),
      ],
    };
    const proposal = {
      ...fix,
      trust: 'propose' as const,
      stops: [{ kind: 'value' as const, reason }],
      verdict,
    };
    const text = told([{ type: 'fixJudged', iteration: 1, fix: proposal }]);
    assert.equal(text.split('Nothing was expected').length, 2, text);
    assert.match(text, /\n {4}inverted test\/a\.test\.ts:7\n {6}The expected boolean[^\n]*\n {6}\S/);
    for (const line of text.split('\n')) assert.ok(line.length <= style.width, line);
  });

  it('leaves a changed expectation to the question about it, and tells the answer in a line', () => {
    const accepted = { ...fix, state: 'accepted' as const };
    const text = told(
      [
        { type: 'fixJudged', iteration: 1, fix },
        { type: 'fixJudged', iteration: 1, fix: accepted },
      ],
      true,
    );
    assert.equal(text, "  ✓ accepted expect 'Hello' (was 'Hi')\n");
  });

  it('numbers changed lines by the new file and keeps lines that look like headers', () => {
    const tricky = [
      '--- a/x',
      '+++ b/x',
      '@@ -1,2 +1,2 @@',
      '--- a',
      '+++ b',
      ' c',
      '@@ -9 +9,2 @@',
      ' d',
      '+e',
      '',
    ].join('\n');
    assert.equal(changedLines(tricky, style), ['x:1', '- -- a', '+ ++ b', 'x:10', '+ e'].join('\n'));
  });

  it('shows of a long line the part that changed', () => {
    const long = (value: string): string =>
      `  it('tells the price', () => { expect(format(price, { currency: 'EUR' })).toBe('${value}'); });`;
    const diff = ['--- a/x', '+++ b/x', '@@ -1 +1 @@', `-${long('1,00')}`, `+${long('EUR 1.00')}`].join('\n');
    assert.deepEqual(changedLines(diff, { ...style, width: 60 }).split('\n'), [
      'x:1',
      `- …format(price, { currency: 'EUR' })).toBe('1,00'); });`,
      `+ …format(price, { currency: 'EUR' })).toBe('EUR 1.00'); });`,
    ]);
  });
});

describe('the summary of a fix cycle', () => {
  const report: CycleReport = {
    status: 'needs-attention',
    passRate: 92.5,
    passRateReviewed: 70.3,
    targetPassRate: 95,
    maxIterations: 10,
    total: 28,
    passed: 25,
    failed: 2,
    iterations: [
      {
        iteration: 1,
        pass_rate: 50,
        pass_rate_reviewed: 50,
        strategy: 'conservative',
        strategy_reason: 'The first two iterations go one failure at a time.',
        scope: 'suite',
        failed_tests: [],
        total: 28,
        passed: 14,
        after: { pass_rate: 92.5, pass_rate_reviewed: 70.3, failed_tests: [], total: 28, passed: 25 },
      },
    ],
    fixes: [],
    remaining: [failing],
    patch: '',
    notes: ['npx was not needed.'],
    durationMs: 4200,
    spent: { testProcesses: 0, asked: [] },
    ended: 'no-progress',
  };

  it('names status, both rates, the way, what is left, and what the source must mend', () => {
    assert.equal(
      cycleSummary(report, style),
      ` NEEDS ATTENTION  25 of 27 tests pass: 92.5 % (target 95 %) · 4.20 s
  70.3 % without the changed expectations that nobody has accepted yet

1 of 10 iterations
   1  conservative  92.5 %  The first two iterations go one failure at a time.

Remaining failures
  ✗ auth › a
    test/a.test.ts · critical · the source looks broken
    expected NaN to be 3
    The actual value is NaN.

fix_required: 1 failure comes from the source, not from the tests. Repair the
source; Testmend leaves these tests unchanged.

! A critical failure remains: do not ship this as it is.

! npx was not needed.
`,
    );
  });

  it('names the layer that it speaks of, and the lines that its tests run with their target', () => {
    const coverage = { lines: 57.1, target: 80, note: 'AVA tells no coverage.' };
    const text = cycleSummary({ ...report, layer: 'L1', coverage, remaining: [] }, style);
    assert.match(text, /^ NEEDS ATTENTION {2}25 of 27 tests of L1 pass: 92\.5 % /);
    assert.match(text, /\n {2}Scope: layer L1 only\. The tests of other layers were not run\.\n/);
    assert.match(text, /\nLine coverage 57\.1 %, below the target of L1: 80 %\n! AVA tells no coverage\.\n/);
    const reached = cycleSummary({ ...report, layer: 'L3', coverage: { lines: 40, target: 40 } }, style);
    assert.match(reached, /\nLine coverage 40\.0 %, target of L3: 40 %\n/);
    const whole = cycleSummary({ ...report, coverage: { lines: 40 } }, style);
    assert.match(whole, /\nLine coverage 40\.0 %\n/);
  });

  it('does not warn when all is well', () => {
    const text = cycleSummary(
      { ...report, status: 'passed', passRateReviewed: 92.5, remaining: [], notes: [] },
      style,
    );
    assert.match(text, /^ PASSED /);
    assert.doesNotMatch(text, /without|critical|fix_required|Remaining/);
  });
});
