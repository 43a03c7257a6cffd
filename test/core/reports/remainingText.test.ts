// A failure that nothing mended, as the report at the end of a cycle tells it on a terminal.
import assert from 'node:assert/strict';
import type { Remaining } from '../../../src/core/model/cycle.ts';
import { createPaint } from '../../../src/core/reports/paint.ts';
import { remainingText } from '../../../src/core/reports/remainingText.ts';

const style = { paint: createPaint(false), width: 80 };
const failure: Remaining = {
  id: 'vitest:test/a.test.ts#greets',
  file: 'test/a.test.ts',
  title: 'greets',
  severity: 'high',
  fault: 'unknown',
  reason: 'src/greet.ts changed and the test still expects what was before: either may be right.',
  message: "expected 'Hello' to be 'Hi'\nand a second line",
  handOver: {
    values: [
      { matcher: 'toBe' },
      { matcher: 'toBe', expected: "'Hi, Ada'", actual: "'Hello, Ada'" },
      { matcher: 'toBe', expected: '1', actual: '2' },
    ],
    test: { file: 'test/a.test.ts', line: 12, text: '' },
    stack: [],
    sourceChanges: [
      { file: 'src/greet.ts', line: 4, text: '' },
      { file: 'src/name.ts', line: 9, text: '' },
    ],
    refusals: ['The literal also feeds the code under test.', 'Nothing was renamed.'],
    candidates: [],
  },
};
const handOver = failure.handOver ?? assert.fail();

describe('a remaining failure on a terminal', () => {
  it('tells place, values, cause, the change of the source, and why there is no fix', () => {
    assert.equal(
      remainingText([failure], style),
      `✗ greets
  test/a.test.ts:12 · high
  expected 'Hello' to be 'Hi' and a second line
  - expected 'Hi, Ada'
  + actual   'Hello, Ada'
  src/greet.ts changed and the test still expects what was before: either
  may be right.
  Changed source that reaches it: src/greet.ts:4, and 1 more place
  No fix: The literal also feeds the code under test.`,
    );
  });

  it('says no refusal twice, and what was tried where nothing was refused', () => {
    const reason = 'Nobody knows. No fix: The literal also feeds the code under test.';
    assert.doesNotMatch(remainingText([{ ...failure, reason }], style), /^ +No fix/m);
    const candidate = {
      title: "expect 'Hello' (was 'Hi')",
      provider: 'expected-value',
      trust: 'oracle' as const,
      verdict: 'rejected' as const,
      reasons: ['b fails with it.'],
      diff: '',
    };
    const tried = { ...failure, handOver: { ...handOver, refusals: [], candidates: [candidate] } };
    assert.match(
      remainingText([tried], style),
      /\n {2}Tried: expect 'Hello' \(was 'Hi'\) \(rejected: b fails with it\.\)$/,
    );
  });

  it('names a proven fix that only a person may apply, and no reason why there was none', () => {
    const candidate = {
      title: "expect 'Cart has' (was 'Cart:')",
      provider: 'predicates',
      trust: 'propose' as const,
      verdict: 'verified' as const,
      reasons: [],
      diff: '',
    };
    const text = remainingText([{ ...failure, handOver: { ...handOver, candidates: [candidate] } }], style);
    assert.match(text, /\n {2}Tried, and left for you to decide: expect 'Cart has' \(was 'Cart:'\)$/);
    assert.doesNotMatch(text, /No fix/);
  });

  it('is one block for tests that fail alike', () => {
    const alike = ['bows', 'waves', 'nods'].map((title) => ({ ...failure, id: title, title }));
    const lines = remainingText([failure, ...alike], style).split('\n');
    assert.equal(lines[3], '  and 3 more that fail in the same way: bows, waves, nods');
    assert.equal(lines.length, 10);
  });

  it('stays short and on its lines with long and hostile values, around what differs', () => {
    const value = (word: string): string => `{\n  text: '${'long '.repeat(500)}${word}\u001b[31m'\n}`;
    const values = [{ matcher: 'toEqual', expected: value('old'), actual: value('new') }];
    const text = remainingText(
      [
        {
          ...failure,
          title: 'a\nb',
          reason: 'word '.repeat(500),
          message: 'message '.repeat(500),
          handOver: { ...handOver, values, refusals: ['refused '.repeat(100)] },
        },
      ],
      style,
    );
    const lines = text.split('\n');
    assert.ok(lines.length <= 13, text);
    assert.ok(
      lines.every((line) => line.length <= 80),
      text,
    );
    assert.match(text, /- expected ….*old' \}/);
    assert.match(text, /\+ actual {3}….*new' \}/);
    assert.doesNotMatch(text, /\u001b/);
  });

  it('tells what is known without a pack', () => {
    const { handOver: _none, ...bare } = failure;
    assert.equal(
      remainingText([bare], style),
      `✗ greets
  test/a.test.ts · high
  expected 'Hello' to be 'Hi' and a second line
  src/greet.ts changed and the test still expects what was before: either
  may be right.`,
    );
  });
});
