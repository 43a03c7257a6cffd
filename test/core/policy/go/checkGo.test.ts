// The gate for Go: what it forbids by name, what it lets through, and that everything else is never called proven.
import assert from 'node:assert/strict';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import { checkGo } from '../../../../src/core/policy/go/checkGo.ts';

const file = `package shop

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestTable(t *testing.T) {
	tests := []struct {
		name    string
		in      string
		want    string
		tags    []string
		wantErr bool
		open    bool
		limit   float64
	}{
		{name: "ada", in: "Ada", want: "Hi, Ada", tags: []string{"x"}, limit: 0.5}, // As it is.
		{name: "bob", in: "Bob", want: "Hi, Bob", open: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Greet(tt.in)
			if (err != nil) != tt.wantErr {
				t.Fatalf("error %v", err)
			}
			if got.Text != tt.want {
				t.Errorf("Greet(%q) = %v, want %v", tt.in, got, tt.want)
			}
			if !reflect.DeepEqual(got.Tags, tt.tags) {
				t.Errorf("tags %v", got.Tags)
			}
			if got.Open != tt.open {
				t.Errorf("open %v", got.Open)
			}
			if got.Rate-1 > tt.limit {
				t.Errorf("rate %v", got.Rate)
			}
		})
	}
}

func TestPlain(t *testing.T) {
	want := 12
	if got := Sum(5, 7); got != want {
		t.Errorf("got %d, want %d", got, want)
	}
	if n := len(Names()); n != 2 {
		t.Errorf("got %d names", n)
	}
	if len(Names()) != 2 {
		t.Error("names")
	}
	many := 4
	all := cap(Names())
	if got := all; got != many {
		t.Error("names")
	}
	if text := Lines(); text != \`a
b\` {
		t.Error(text)
	}
	if text := Problem(); text != "" {
		t.Error(text)
	}
	if err := Load(); err == nil || err.Error() != "no file" {
		t.Error(err)
	}
	if err := Load(); err.Error() != "gone" {
		t.Error(err)
	}
	msg := Load().Error()
	if msg != "off" {
		t.Error(msg)
	}
	if 'a' != Mark() {
		t.Error("mark")
	}
	assert.Equal(t, "tea", strings.TrimSpace(First()))
	fed := "Eve"
	if got, _ := Greet(fed); got.Text != fed {
		t.Error(got)
	}
	if testing.Short() {
		if Version() != "1.0" {
			t.Skip("another version")
		}
	}
}

func check(t *testing.T, got string) {
	if got != "helper" {
		t.Error(got)
	}
}
`;

type Edits = readonly (readonly [from: string, to: string])[];
const edited = (edits: Edits, text = file): string =>
  edits.reduce((known, [from, to]) => {
    assert.ok(known.includes(from), from);
    return known.replace(from, () => to);
  }, text);
const check = (edits: Edits, text = file): ReturnType<typeof checkGo> =>
  checkGo({ file: 'shop_test.go', before: text, after: edited(edits, text) });

const allowed: Readonly<Record<string, Edits>> = {
  'a row': [['want: "Hi, Ada"', 'want: "Hello, Ada"']],
  'rows, in another kind of quotes, with the blanks of gofmt': [
    ['"Hi, Ada", tags', '`Hello, "Ada"`,  tags'],
    ['"Hi, Bob"', '"Hello, Bob"'],
  ],
  'a leaf of a list': [['[]string{"x"}', '[]string{"y"}']],
  'a variable': [['want := 12', 'want := -13']],
  'a literal': [['n != 2', 'n != 3']],
  'a literal of several lines': [['`a\nb`', '`a\nc`']],
  'a rune': [["'a' != Mark", "'b' != Mark"]],
  'a value of testify': [['t, "tea"', 't, "milk"']],
  'another way to write the same': [['want := 12', 'want := 0xC']],
};

const forbidden: Readonly<Record<string, readonly (readonly [name: string, edits: Edits])[]>> = {
  inverted: [['an answer in a row', [['open: true', 'open: false']]]],
  'changed-type': [
    ['a text for a number', [['want := 12', 'want := "12"']]],
    ['a number for a rune', [["'a' != Mark", '97 != Mark']]],
  ],
  'suspect-value': [
    ['the other sign', [['want := 12', 'want := -12']]],
    ['nothing for a number', [['want := 12', 'want := 0']]],
    ['a hole in a text', [['want: "Hi, Ada"', 'want: "Hi, <nil>"']]],
    ['an error in a text', [['t, "tea"', 't, "runtime error"']]],
  ],
  'lost-value': [
    ['an empty text', [['"Hi, Ada"', '" "']]],
    ['nothing to be counted', [['len(Names()) != 2', 'len(Names()) != 0']]],
    ['nothing to be counted, by a name', [['n != 2', 'n != 0']]],
    ['nothing to be counted, by other names', [['many := 4', 'many := 0']]],
  ],
  'skip-or-only': [
    ['a skip', [['	want := 12', '	t.Skip("later")\n	want := 12']]],
    ['a build tag', [['package shop', '//go:build integration\n\npackage shop']]],
  ],
  'removed-test': [['another name', [['func TestPlain(', 'func testPlain(']]]],
  'fewer-assertions': [
    ['a message is gone', [['			t.Errorf("got %d, want %d", got, want)\n'.slice(1), '']]],
    ['a comparison is wider', [['got != want {', 'got != want && got != 13 {']]],
    ['a comparison is turned round', [['got.Text != tt.want', 'got.Text == tt.want']]],
    ['a failure is only logged', [['t.Error("mark")', 't.Log("mark")']]],
  ],
  'swallowed-error': [['a panic is caught', [['	want := 12', '	defer func() { recover() }()\n	want := 12']]]],
  'process-control': [['the process ends', [['	want := 12', '	os.Exit(0)\n	want := 12']]]],
  'syntax-error': [
    ['a rune of two characters', [["'a' != Mark", "'ab' != Mark"]]],
    ['a number that is none', [['want := 12', 'want := 1x2']]],
    ['a sign that is no escape', [['"Hi, Ada"', '"\\q"']]],
    ['a text that does not end', [['"Hi, Ada"', '"Hi, Ada']]],
  ],
};

const unjudged: Readonly<Record<string, Edits>> = {
  'an input': [['in: "Ada"', 'in: "Eve"']],
  'an input and what is expected': [
    ['in: "Ada"', 'in: "Eve"'],
    ['"Hi, Ada"', '"Hi, Eve"'],
  ],
  'the argument of the function': [['Sum(5, 7)', 'Sum(5, 8)']],
  'the name of a row': [['name: "ada"', 'name: "eve"']],
  'whether an error is expected': [['open: true', 'wantErr: true']],
  'a limit': [['limit: 0.5', 'limit: 5']],
  'a row less': [['		{name: "bob", in: "Bob", want: "Hi, Bob", open: true},\n', '']],
  'a row more': [['{name: "bob"', '{name: "eve", in: "Eve", want: "Hi, Eve"},\n		{name: "bob"']],
  'an element more': [['[]string{"x"}', '[]string{"x", "y"}']],
  'what the code gives': [['want: "Hi, Ada"', 'want: Greet("Ada").Text']],
  'the format of a message': [['want %v", tt.in', 'want %s", tt.in']],
  'a helper': [['got != "helper"', 'got != "other"']],
  'where there was nothing': [['text != ""', 'text != "trouble"']],
  'the text of an error': [['"gone"', '"lost"']],
  'the text of an error, by a name': [['"off"', '"lost"']],
  'the text of an error in a condition of several parts': [['"no file"', '"no such file"']],
  'a value that is an input too': [['fed := "Eve"', 'fed := "Hi, Eve"']],
  'what a test is skipped for': [['"1.0"', '"2.0"']],
  'a directive in a text': [['`a\nb`', '`a\n//go:generate rm x`']],
  'a comment': [['As it is.', 'As it was.']],
  'a directive': [['package shop', '//go:debug panicnil=1\npackage shop']],
  'an import': [['"strings"', 'strings "example.com/other"']],
  'other marks that read alike': [['got.Rate-1 > tt', 'got.Rate - 1 > tt']],
};

/** What is asked by its name; `VALUE` is what changes. */
const suspectByName: Readonly<Record<string, readonly [text: string, was: string, is: string]>> = {
  'another status': ['if w := Get(); w.Code != VALUE {', '200', '500'],
  'another exit code': ['if got := Run(); got.ExitCode != VALUE {', '1', '2'],
  'a field of a result': [
    'if got := Get(); !reflect.DeepEqual(got, Reply{Status: VALUE, Body: "x"}) {',
    '200',
    '404',
  ],
  'a number of calls': ['if f := Fake(); f.SendCalls != VALUE {', '1', '2'],
};

/** Files in which the same literal is no certain expectation; `12` becomes `13`. */
const untrusted: Readonly<Record<string, Edits>> = {
  'the variable is given another value': [['	if got := Sum', '	want++\n	if got := Sum']],
  'the variable is handed on': [['	if got := Sum', '	log(&want)\n	if got := Sum']],
  'the message comes too late': [['t.Errorf("got %d, want', 'return\n		t.Errorf("got %d, want']],
  'the message stands in a condition': [
    ['t.Errorf("got %d, want %d", got, want)', 'if verbose { t.Errorf("got %d, want %d", got, want) }'],
  ],
  'a message hands it to the code': [['	if got := Sum', '	t.Logf("loads %v", Load(want))\n	if got := Sum']],
  'a message hands it to the code, in a function': [
    ['	if got := Sum', '	t.Cleanup(func() { t.Log(Save(want)) })\n	if got := Sum'],
  ],
  'a message does something with it': [['	if got := Sum', '	t.Log(want.Save())\n	if got := Sum']],
  'the message of a failure hands it to the code': [
    ['	if got := Sum', '	t.Fatal(err, Save(want))\n	if got := Sum'],
  ],
  'a message of testify hands it to the code': [
    ['	if got := Sum', '	assert.Equal(t, "q", First(), Load(want))\n	if got := Sum'],
  ],
  'the test is skipped': [['t.Errorf("got %d, want', 't.Skip("x")\n		t.Errorf("got %d, want']],
  'the test is skipped in a condition': [
    ['t.Errorf("got %d, want', 'if short() {\n			t.SkipNow()\n		}\n		t.Errorf("got %d, want'],
  ],
  'the test returns in a condition': [
    ['t.Errorf("got %d, want', 'if true {\n			return\n		}\n		t.Errorf("got %d, want'],
  ],
  'the test ends by itself': [['t.Errorf("got %d, want', 'runtime.Goexit()\n		t.Errorf("got %d, want']],
  'the message is never reached': [['t.Errorf("got %d, want', 'for {\n		}\n		t.Errorf("got %d, want']],
  'the message is built by what skips the test': [
    ['t.Errorf("got %d, want %d", got, want)', 't.Error(skipped(t), got)'],
  ],
  'the process ends behind the message': [['got, want)\n	}', 'got, want)\n		os.Exit(0)\n	}']],
  'there is something else to be done': [
    ['		t.Errorf("got %d, want %d", got, want)\n	}', '		t.Errorf("x")\n	} else {\n	}'],
  ],
  't is something else': [['	want := 12', '	t := fake{}\n	want := 12']],
  'testing is another package': [['	"testing"', '	testing "example.com/testing"']],
  'names come from another package': [['	"reflect"', '	. "example.com/names"\n	"reflect"']],
  'the function is no test': [['func TestPlain(t *testing.T)', 'func Testplain(t *testing.T)']],
};

describe('the gate for Go', () => {
  for (const [name, edits] of Object.entries(allowed))
    it(`lets through: ${name}`, () => assert.deepEqual(check(edits), { findings: [] }));

  for (const [rule, cases] of Object.entries(forbidden))
    for (const [name, edits] of cases)
      it(`forbids ${rule}: ${name}`, () => {
        const rules = check(edits).findings.map((found) => found.rule);
        assert.ok(rules.includes(rule), `found ${rules.join(', ') || 'nothing'}`);
      });

  for (const [name, [line, was, is]] of Object.entries(suspectByName))
    it(`leaves to a person what is asked by its name: ${name}`, () => {
      const written = (value: string): string =>
        `package shop\n\nimport (\n\t"reflect"\n\t"testing"\n)\n\nfunc TestA(t *testing.T) {\n\t${line.replace('VALUE', value)}\n\t\tt.Error("other")\n\t}\n}\n`;
      const found = checkGo({ file: 'shop_test.go', before: written(was), after: written(is) });
      assert.deepEqual(
        found.findings.map(({ rule }) => rule),
        ['suspect-value'],
        found.unjudged,
      );
    });

  for (const [name, edits] of Object.entries(unjudged))
    it(`does not judge: ${name}`, () =>
      assert.match(check(edits).unjudged ?? '', /cannot judge .*shop_test\.go:\d+/));

  for (const [name, edits] of Object.entries(untrusted))
    it(`proves nothing where a value is no certain expectation: ${name}`, () => {
      const text = edited(edits);
      assert.match(check([['want := 12', 'want := 13']], text).unjudged ?? '', /cannot judge/);
    });

  it('lets a row through while its fields are only compared, and no longer where the row is handed on', () => {
    const change: Edits = [['want: "Hi, Ada"', 'want: "Hello, Ada"']];
    for (const use of [
      'prepare(tt)',
      'prepare(tt.want)',
      'tt.prepare()',
      't.Run("x", tt.prepare)',
      'run := tt.prepare; run()',
      't.Log(tt.prepare())',
      't.Log(Load(tt.want))',
      't.Log(tt)\n			use(tt)',
      'tt.want = "x"',
      'tests[0].want = "x"',
    ]) {
      const text = edited([['			got, err := Greet', `			${use}\n			got, err := Greet`]]);
      assert.ok(check(change, text).unjudged !== undefined, use);
    }
    for (const use of ['t.Log(tt)', 't.Log(tt.want, len(tt.want), tt.tags)', 't.Log(Greet(tt.in))']) {
      const text = edited([['			got, err := Greet', `			${use}\n			got, err := Greet`]]);
      assert.deepEqual(check(change, text), { findings: [] }, use);
    }
    const own = edited([['		t.Run(tt.name', '		tt := tt\n		t.Run(tt.name']]);
    assert.deepEqual(check(change, own), { findings: [] });
  });

  it('lets a table of the file through that only loops of tests use, as far as is known of other files', () => {
    const text = `package shop

import "testing"

var tests = []struct{ in, want string }{{"Ada", "Hi, Ada"}}

func TestShared(t *testing.T) {
	for _, tt := range tests {
		if got := Greet(tt.in); got != tt.want {
			t.Error(got)
		}
	}
}

func BenchmarkShared(b *testing.B) {
	for _, tt := range tests {
		Greet(tt.in)
	}
}
`;
    const judge = (before: string, isTaken: boolean): ReturnType<typeof checkGo> => {
      const readSource = Object.assign(() => undefined, { mayBeTakenByOthers: () => () => isTaken });
      const after = before.replace('"Hi, Ada"', '"Hello, Ada"');
      return checkGo({ file: 'shop_test.go', before, after }, readSource);
    };
    assert.deepEqual(judge(text, false), { findings: [] });
    assert.ok(judge(text, true).unjudged !== undefined);
    for (const [from, to] of [
      ['\t\tGreet(tt.in)\n', '\t\tGreet(tt.want)\n'],
      ['\t\tGreet(tt.in)\n', '\t\trun(tt)\n'],
      ['\t\tif got', '\t\tt.Log(Load(tt.want))\n\t\tif got'],
      ['func Benchmark', 'func init() { tests = nil }\n\nfunc Benchmark'],
      ['func Benchmark', 'var first = tests[0].want\n\nfunc Benchmark'],
      ['var tests = ', 'var tests, others = '],
    ] as const) {
      assert.ok(text.includes(from));
      assert.ok(judge(text.replace(from, to), false).unjudged !== undefined, to);
    }
  });

  it('reads long tests in a moment', function () {
    // What took minutes once.
    this.timeout(20_000);
    const steps = Array.from(
      { length: 150 },
      (_, at) =>
        `	want${at} := ${at + 5}\n	if got := F(${at}); got != want${at} {\n		t.Errorf("got %d, want %d", got, want${at})\n	}\n`,
    );
    const text = `package shop\n\nimport "testing"\n\nfunc TestLong(t *testing.T) {\n${steps.join('')}}\n`;
    assert.deepEqual(check([['want7 := 12', 'want7 := 13']], text), { findings: [] });
  });

  it('does not judge what is nested without end', () => {
    const text = edited([['n != 2', `n != ${'T{'.repeat(3000)}2${'}'.repeat(3000)}`]]);
    assert.match(check([['{2}', '{3}']], text).unjudged ?? '', /cannot judge/);
  });

  it('tells the line of the new text', () => {
    assert.equal(check([['open: true', 'open: false']]).findings[0]?.line, 22);
    assert.match(check([['Sum(5, 7)', 'Sum(5, 8)']]).unjudged ?? '', /shop_test\.go:48\./);
  });

  it('knows no other files of Go, and no new ones', () => {
    assert.match(checkGo({ file: 'testdata/x.go', before: 'a', after: 'b' }).unjudged ?? '', /cannot judge/);
    assert.match(
      checkGo({ file: 'x_test.go', before: undefined, after: file }).unjudged ?? '',
      /new Go files/,
    );
    const [gone] = checkPolicyOfEdits([{ file: 'x_test.go', before: file, after: undefined }], () => true);
    assert.equal(gone?.rule, 'removed-file');
  });
});
