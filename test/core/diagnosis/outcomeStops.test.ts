// What became of one value, and the name it stands under, makes it a question in every language alike.
import assert from 'node:assert/strict';
import { isCodeName, isTroubleName, askedNames } from '../../../src/core/diagnosis/outcomeNames.ts';
import { valueStops } from '../../../src/core/diagnosis/valueStops.ts';
import type { Value } from '../../../src/core/model/value.ts';
import { pythonStops, valueOf } from '../../../src/core/fixes/python/pythonStops.ts';
import { readPythonLiteral } from '../../../src/core/syntax/python/pythonLiteral.ts';
import { runFixer } from '../../support/expectedValueCase.ts';

const outcome = /outcome changed/;
const nothing = /Nothing was expected/;
const zero = /became 0/;
const trouble = /reports a problem/;
const order = /another order/;
const exchanged = /swapped their values/;

type Change = readonly [asked: string, was: unknown, is: unknown, reason: RegExp | undefined];

/** With the expected side in the source as JSON, which Python reads as well. */
const changes: readonly Change[] = [
  ['get("a").status', 200, 500, outcome],
  ['get("a").status', 200, 201, undefined],
  ['get("a").status', 403, 200, outcome],
  ['r.status_code', 200, 404, outcome],
  ['run().exitCode', 0, 1, outcome],
  ['caught.value.code', 1, 2, outcome],
  ['rc', 0, 2, outcome],
  ['get("a")', { status: 200, body: 'x' }, { status: 500, body: 'x' }, outcome],
  ['get("a")', [{ reply: { statusCode: 200 } }], [{ reply: { statusCode: 302 } }], outcome],
  ['get("a")', { status: 'done', n: 1 }, { status: 'failed', n: 1 }, outcome],
  ['get("a")', { status: 'done', n: 1 }, { status: 'ready', n: 1 }, undefined],
  ['address()', { zipCode: 10115 }, { zipCode: 20095 }, undefined],
  ['total([5, 7])', 12, 0, zero],
  ['total([5, 7])', { sum: 12 }, { sum: 0 }, zero],
  ['at(l, "b")', 1, -1, /became -1/],
  ['refund(6)', 12, -12, /changed its sign/],
  ['refund(6)', -12, 12, /changed its sign/],
  ['refund(6)', -12, -13, undefined],
  ['queue.count()', 2, 0, /is empty/],
  ['find(x).length', 2, 0, /is empty/],
  ['find(x).length', 2, 3, undefined],
  ['main([])', 0, 1, nothing],
  ['lint("x")', [], ['too long'], nothing],
  ['validate("x")', '', 'invalid', nothing],
  ['parse("x")', { ok: 1, error: '' }, { ok: 1, error: 'unexpected end' }, nothing],
  ['parse("x")', { ok: 1, problems: [] }, { ok: 1, problems: ['line 1'] }, nothing],
  ['sum("x")', { done: 2, failed: 0 }, { done: 2, failed: 1 }, nothing],
  ['parse("x")', { ok: 1 }, { ok: 1, error: 'unexpected end' }, trouble],
  ['join("a", "b")', 'a b', 'b a', order],
  ['csv(list)', 'name,size\nAda,3', 'size,name\n3,Ada', order],
  ['day()', '2024-01-02', '2024-02-01', order],
  ['day()', '13/02/2024', '2024-02-13', undefined],
  ['table()', 'ada      200\nbob        3', 'bob        3\nada      200', order],
  ['keys(x)', ['a', 'b', 'c'], ['b', 'a', 'c'], order],
  ['rows(x)', [[1, 2]], [[2, 1]], order],
  ['keys(x)', { names: ['a', 'b'] }, { names: ['b', 'a'] }, order],
  ['box(x)', { width: 3, height: 5, n: 1 }, { width: 5, height: 3, n: 1 }, exchanged],
  ['cache.rate()', 0.75, 12, /between 0 and 1/],
  ['stats()', { hitRate: 0.75 }, { hitRate: -0.25 }, /between 0 and 1/],
  ['stats()', { hitRate: 0.75 }, { hitRate: 0.5 }, undefined],
  ['aspect()', { size: 0.75 }, { size: 12 }, undefined],
  ['render("x")', { html: '<p>a &lt; b</p>' }, { html: '<p>a < b</p>' }, /no longer escaped/],
  // Everyday changes of what the code gives.
  ['greet("Ada")', 'Hi', 'Hello', undefined],
  ['total([5, 7])', 12, 13, undefined],
  ['join("a", "b")', 'a b', 'a, b', undefined],
  ['join("a", "b")', 'a b', 'b c', undefined],
  ['keys(x)', ['a', 'b'], ['b', 'c'], undefined],
  ['box(x)', { width: 3, height: 5 }, { width: 5, height: 4 }, undefined],
  ['place("x")', { line: 0, column: 4 }, { line: 1, column: 4 }, undefined],
  ['parse("x")', { a: 1 }, { a: 1, b: 2 }, undefined],
  ['parse("x")', [1, 2], [1, 2, 3], undefined],
  ['sum("x")', { done: 2, failed: 1 }, { done: 2, failed: 2 }, undefined],
];

const label = ([asked, was, is]: Change): string =>
  `${asked}: ${JSON.stringify(was)} to ${JSON.stringify(is)}`;

function matches(reasons: readonly string[], wanted: RegExp | undefined, which: string): void {
  if (wanted === undefined) assert.deepEqual(reasons, [], which);
  else
    assert.ok(
      reasons.some((reason) => wanted.test(reason)),
      `${which}: ${reasons.join(' ') || 'no stop'}`,
    );
}

describe('stops of outcomes and of nothing', () => {
  for (const change of changes)
    it(`${change[3] === undefined ? 'takes' : 'asks'} in JavaScript for ${label(change)}`, async () => {
      const [asked, expected, actual, reason] = change;
      const source = `it('test', () => {\n  expect(${asked}).toEqual(${JSON.stringify(expected)});\n});\n`;
      const { fix, refusal } = await runFixer({ source, at: 'toEqual', expected, actual });
      assert.equal(fix?.trust, reason === undefined ? 'oracle' : 'propose', refusal);
      matches(
        (fix.stops ?? []).map((stop) => stop.reason),
        reason,
        refusal ?? '',
      );
    });

  for (const change of changes)
    it(`${change[3] === undefined ? 'takes' : 'asks'} in Python for ${label(change)}`, () => {
      const [asked, was, is, reason] = change;
      const read = (value: unknown) => {
        const text = JSON.stringify(value);
        return readPythonLiteral(text, 0, text.length);
      };
      const [expected, actual] = [read(was), read(is)];
      assert.ok(actual);
      const values = { matcher: '==', expected: valueOf(expected), actual: valueOf(actual) };
      const stops = [
        ...valueStops({ ...values, asked: askedNames(asked) }),
        ...pythonStops(actual, expected, asked),
      ];
      matches(
        stops.map((stop) => stop.reason),
        reason,
        asked,
      );
    });

  it('tells a key as it is written, also where a sentence begins with it', () => {
    const values = (entries: readonly (readonly [string, Value])[]): Value => ({ kind: 'object', entries });
    const list: Value = { kind: 'array', items: [{ kind: 'number', text: '1' }] };
    const reasonsOf = (expected: Value, actual: Value): readonly string[] =>
      valueStops({ matcher: 'toEqual', expected, actual }).map(({ reason }) => reason);
    const other = ['name', { kind: 'string', value: 'Ada' }] as const;
    assert.deepEqual(reasonsOf(values([['items', list], other]), values([other])), [
      '`items` is missing; a value was expected.',
    ]);
    assert.deepEqual(
      reasonsOf(values([['a', values([['items', list], other])]]), values([['a', values([other])]])),
      ['`a.items` is missing; a value was expected.'],
    );
    assert.deepEqual(reasonsOf(list, { kind: 'array', items: [] }), [
      'The value is empty; values were expected.',
    ]);
  });

  it('follows the name that is asked to what it was given', async () => {
    for (const given of [
      'const r = get().status;',
      'const { status: r } = get();',
      'const a = get().status; const r = a;',
    ]) {
      const source = `it('test', () => {\n  ${given}\n  expect(r).toBe(200);\n});\n`;
      const { fix } = await runFixer({ source, at: 'toBe', expected: 200, actual: 500 });
      assert.equal(fix?.trust, 'propose', given);
    }
  });

  it('reads what is asked by name in every language', () => {
    const cases: Readonly<Record<string, string>> = {
      '(await get("a")).status': 'status',
      'res?.body["exitCode"]': 'exitCode',
      'client.get("/a", code=3).status_code': 'status_code',
      'reply.get("status")': 'status',
      'atomic.LoadInt32(&w.Code)': 'LoadInt32',
      'w.Code': 'Code',
      'run(1, f(2))': 'run',
    };
    for (const [source, name] of Object.entries(cases)) assert.equal(askedNames(source).at(-1), name, source);
  });

  it('knows codes of success and words of trouble by whole words', () => {
    for (const name of ['status', 'StatusCode', 'exit_code', 'wantCode', 'rc', 'returncode'])
      assert.ok(isCodeName(name), name);
    for (const name of ['zipCode', 'countryCode', 'encode', 'arc', 'state'])
      assert.ok(!isCodeName(name), name);
    for (const name of ['errors', 'Err', 'lastError', 'problemCount', 'num_failed', 'isInvalid'])
      assert.ok(isTroubleName(name), name);
    for (const name of ['terror', 'valid', 'mirror', 'passed']) assert.ok(!isTroubleName(name), name);
  });
});
