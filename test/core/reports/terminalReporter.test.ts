import assert from 'node:assert/strict';
import type { RunSummary } from '../../../src/core/model/testResult.ts';
import { createPaint } from '../../../src/core/reports/paint.ts';
import { terminalReporter } from '../../../src/core/reports/terminalReporter.ts';
import { failure, result, summary } from './results.ts';

const source = [
  "import { total } from '../src/cart';",
  '',
  "test('adds', () => {",
  '  expect(total(cart)).toBe(13);',
  '});',
  '',
].join('\n');

async function told(run: RunSummary, colours = false, width = 80): Promise<string> {
  let text = '';
  const reporter = terminalReporter({
    paint: createPaint(colours),
    width,
    readText: async (file) => (file === 'test/cart.test.ts' ? source : undefined),
    write: (part) => void (text += part),
  });
  await reporter.onEnd?.(run);
  return text;
}

describe('the terminal reporter', () => {
  it('shows the place, the message, the difference and the failing line', async () => {
    const failing = result({
      failure: failure({
        message: 'expected 12 to be 13',
        expected: '13',
        actual: '12',
        location: { file: 'test/cart.test.ts', line: 4, column: 23 },
        stack: [
          { name: '', file: 'test/cart.test.ts', line: 4, column: 23 },
          { name: 'total', file: 'src/cart.ts', line: 9, column: 2 },
          { name: 'inner', file: 'node_modules/vitest/x.js', line: 1, column: 1 },
        ],
      }),
    });
    assert.equal(
      await told(summary([result({ title: 'removes' }), failing])),
      `✗ test/cart.test.ts  1 of 2 tests failed  8 ms

 FAIL  test/cart.test.ts:4
  cart › adds
    expected 12 to be 13

    - expected 13
    + actual   12

      2 │
      3 │ test('adds', () => {
    > 4 │   expect(total(cart)).toBe(13);
        │                       ^
      5 │ });
      6 │

    at total src/cart.ts:9:2

1 failed · 1 passed · 2 tests · 50.0 % · 1.23 s
`,
    );
  });

  it('marks changed lines of long values only', async () => {
    const failing = result({
      failure: failure({ expected: '{\n  "a": 1,\n  "b": 2,\n}', actual: '{\n  "a": 1,\n  "b": 3,\n}' }),
    });
    const text = await told(summary([failing]));
    assert.match(text, / {6}"a": 1,\n {4}- {3}"b": 2,\n {4}\+ {3}"b": 3,\n/);
  });

  it('stays within 80 columns', async () => {
    const words = 'a long message that goes on and on '.repeat(12);
    const failing = result({
      file: `test/${'deep/'.repeat(30)}x.test.ts`,
      title: words,
      failure: failure({ message: words, expected: words, actual: words + '!' }),
    });
    const long = (await told(summary([failing], [words])))
      .split('\n')
      .filter((line) => Array.from(line).length > 80);
    assert.deepEqual(
      long.filter((line) => !line.includes('x.test.ts')),
      [],
    );
  });

  it('lets no test steer the terminal', async () => {
    const hostile = '\u001b[2J\u001b]0;title\u0007\u009b31mgone\u202e\b';
    const text = await told(
      summary(
        [result({ title: hostile, failure: failure({ message: hostile, expected: hostile, actual: 'x' }) })],
        [hostile],
      ),
    );
    assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    assert.match(text, /gone/);
  });

  it('colours only when asked to', async () => {
    const run = summary([result({ failure: failure() })]);
    assert.ok(!(await told(run)).includes('\u001b'));
    assert.ok((await told(run, true)).includes('\u001b[31m'));
  });

  it('says that no test ran instead of showing a rate', async () => {
    assert.equal(await told(summary([], ['Nothing matches.'])), '! Nothing matches.\n\nNo test ran.\n');
  });

  it('says in the last line what ended the run early', async () => {
    const run = summary([result({})]);
    assert.match(await told({ ...run, ended: 'cancelled' }), /1 test · .* · cancelled\n$/);
    assert.match(await told({ ...run, ended: 'timeout' }), / · time limit reached\n$/);
    assert.doesNotMatch(await told(run), /cancelled|limit/);
  });
});
