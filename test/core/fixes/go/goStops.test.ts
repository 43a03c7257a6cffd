// Which changed values of Go tests are only proposed, since a bug could give them as well.
import assert from 'node:assert/strict';
import { goStops } from '../../../../src/core/fixes/go/goStops.ts';
import { goExpectations } from '../../../../src/core/syntax/go/expectations.ts';
import { isCountedUp } from '../../../../src/core/syntax/go/givenTo.ts';
import { goSource } from '../../../../src/core/syntax/go/goSource.ts';
import type { Value } from '../../../../src/core/model/value.ts';

/** The stops of the one comparison in the body of a test, of which the value becomes another one. */
function stopsOf(body: string, from: string, to: string, rest = ''): readonly string[] {
  const text = `package shop\n\nimport "testing"\n\n${rest}\nfunc TestX(t *testing.T) {\n${body} {\n\tt.Error("x")\n}\n}\n`;
  const source = goSource(text);
  const [expectation] = goExpectations(source, () => false);
  assert.ok(expectation && !('refused' in expectation), body);
  const written = (span: { readonly from: number; readonly to: number }): string =>
    text.slice(source.tokens[span.from]?.start, source.tokens[span.to - 1]?.end);
  const value = (literal: string): Value =>
    /^-?\d/.test(literal)
      ? { kind: 'number', text: literal }
      : { kind: 'string', value: literal.slice(1, -1) };
  return goStops({
    actual: value(to),
    expected: value(from),
    asked: [
      ...expectation.given.map(written),
      ...(expectation.origin === 'assertion' ? [] : [written(expectation.expected)]),
    ],
    isCounted: expectation.given.some((one) => isCountedUp(source, one)),
  }).map(({ reason }) => reason);
}

describe('stops of changed values in Go', () => {
  const cases: readonly (readonly [body: string, from: string, to: string, reason: RegExp | undefined])[] = [
    ['if got := Greet("Ada"); got != "a"', '"a"', '"b"', undefined],
    ['if got := Sum(times, 2); got != 3', '3', '4', undefined],
    ['if got := a.discount; got != 3', '3', '4', undefined],
    ['w := run()\nif got := w.Code; got != 200', '200', '500', /outcome changed/],
    ['w := run()\ngot := w.Code\nif got != 200', '200', '500', /outcome changed/],
    ['got, err := w.status, other()\nif got != 200', '200', '500', /outcome changed/],
    ['wantStatus := 200\nif got := run(); got != wantStatus', '200', '500', /outcome changed/],
    [
      'for _, tt := range []struct{ code int }{{200}} {\nif got := run(); got != tt.code',
      '200',
      '500',
      /outcome changed/,
    ],
    ['if f.calls != 1', '1', '2', /number of calls/],
    ['n := len(f.calls)\nif n != 1', '1', '2', /number of calls/],
    ['got := atomic.LoadInt32(&f.sendCount)\nif got != 1', '1', '2', /number of calls/],
    ['wantCalls := 1\nif got := f.n; got != wantCalls', '1', '2', /number of calls/],
    ['n := 0\nrun(func() { n++ })\nif n != 1', '1', '2', /number of calls/],
    ['if fake.sent != 1', '1', '2', /number of calls/],
    ['if got := Index(); got != 1', '1', '-1', /became -1/],
    ['if got := Total(); got != 3', '3', '0', /became 0/],
    ['n := len(x)\nif n != 2', '2', '0', /empty/],
    ['want := 2\nif got := len(x); got != want', '2', '0', /empty/],
    // Another variable of the same name.
    ['if got := w.Code; got == 1 {\n}\nif got := Sum(); got != 2', '2', '3', undefined],
    ['if got := Sum(); got != 2 {\nt.Error(got)\n}\nif got := w.Code; got == 1', '2', '3', undefined],
  ];
  for (const [body, from, to, reason] of cases)
    it(`${reason === undefined ? 'finds nothing in' : `tells of ${String(reason)}`}: ${body.replaceAll('\n', '; ')}`, () => {
      const rest = 'type fake struct{ sent int }\n\nfunc (f *fake) Send() { f.sent++ }\n';
      const whole = body.startsWith('for ') ? `${body} {\nt.Error("x")\n}\n}\nif true` : body;
      const stops = stopsOf(whole, from, to, rest).join(' ');
      if (reason === undefined) assert.equal(stops, '');
      else assert.match(stops, reason);
    });
});
