// Changed expectations in Go, mended in real tests of `go test`: what becomes of the text, byte for byte, and what is left alone.
import assert from 'node:assert/strict';
import type { CycleReport } from '../../../../src/core/model/cycle.ts';
import { hasGo } from '../../../support/hasGo.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const oldShop = `package shop

import (
	"errors"
	"strings"
)

type Item struct {
	Name  string
	Price float64
	Tags  []string
	note  string
}

type Status string
type Answer struct{ Code int }

func Greet(name string) string { return "Hi, " + name }
func Count(text string) int    { return len(text) }
func Mark() rune               { return 'a' }
func Mask() int                { return 0x1F }
func Rate() float64            { return 2.0 }
func Open() bool               { return true }
func Lines() string            { return "first\\nsecond" }
func Broken() string           { return "2 items" }
func Empty() string            { return "full" }
func Reply() Answer            { return Answer{Code: 200} }
func State() Status            { return "new" }
func Load() error              { return errors.New("no file") }
func Names() []string          { return []string{"tea", "milk"} }
func Cart() map[string]*Item {
	return map[string]*Item{"a": {Name: "tea", Price: 2.5, Tags: []string{"x", "y"}, note: "n"}}
}
func Upper(text string) string { return strings.ToUpper(text) }
`;
const newShop = oldShop
  .replace('"Hi, "', '"Hello, "')
  .replace('len(text) }', 'len(text) + 1 }')
  .replace("'a' }", "'é' }")
  .replace('0x1F', '0x2F')
  .replace('2.0 }', '3.0 }')
  .replace('return true', 'return false')
  .replace('second"', '\\"last\\""')
  .replace('"2 items"', '"%!d(string=2) items"')
  .replace('"full"', '""')
  .replace('Code: 200', 'Code: 500')
  .replace('"new" }', '"fresh" }')
  .replace('"no file"', '"no such file"')
  .replace('"milk"}', '"oat", "honey"}')
  .replace('Price: 2.5, Tags: []string{"x", "y"}', 'Price: 3.5, Tags: []string{"x", "z"}');

const test = `package shop

import (
	"fmt"
	"reflect"
	"testing"
)

func TestTable(t *testing.T) {
	tests := []struct {
		name, in string
		want     string
		n        int
	}{
		{name: "ada", in: "Ada", want: "Hi, Ada", n: 3},
		{name: "bob, too", in: "Bob", want: "Hi, Bob", n: 3}, // As it is.
		{"eve", "Eve", \`Hi, Eve\`, 3},
	}
	for _, tt := range tests {
		tt := tt
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := Greet(tt.in)
			if got != tt.want {
				t.Errorf("Greet(%q) = %q, want %q", tt.in, got, tt.want)
			}
			if n := Count(tt.in); n != tt.n {
				t.Errorf("Count(%q) = %d, want %d", tt.in, n, tt.n)
			}
		})
	}
}

func TestMap(t *testing.T) {
	for in, want := range map[string]string{"Ada": "Hi, Ada", "Bob": "Hi, Bob"} {
		if got := Greet(in); got != want {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

func TestLiterals(t *testing.T) {
	if Greet("Ada") != "Hi, Ada" {
		t.Error("another greeting")
	}
	want := 'a'
	if got := Mark(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := Mask(); 0x1F != got {
		t.Errorf("got %x", got)
	}
	const rate = 2.0
	if got := Rate(); got != rate {
		t.Errorf("got %v", got)
	}
	if got := Lines(); got != \`first
second\` {
		t.Errorf("got %v", got)
	}
	if got := State(); got != "new" {
		t.Fatalf("got %v", got)
	}
}

func TestDeep(t *testing.T) {
	want := map[string]*Item{
		"a": {Name: "tea", Price: 2.5, Tags: []string{"x", "y"}, note: "n"},
	}
	if !reflect.DeepEqual(Cart(), want) {
		t.Errorf("got %v, want %v", Cart(), want)
	}
}

func TestOpen(t *testing.T) {
	for _, tt := range []struct{ want bool }{{true}} {
		if got := Open(); got != tt.want {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
}

func TestBroken(t *testing.T) {
	if got := Broken(); got != "2 items" {
		t.Errorf("got %v", got)
	}
}

func TestCalls(t *testing.T) {
	if calls := len(Empty()) + 1; calls != 5 {
		t.Errorf("%d calls", calls)
	}
}

func TestReply(t *testing.T) {
	if got := Reply().Code; got != 200 {
		t.Errorf("got %v", got)
	}
}

func TestEmpty(t *testing.T) {
	if got := Empty(); got != "full" {
		t.Errorf("got %v", got)
	}
}

func TestNames(t *testing.T) {
	if got, want := Names(), []string{"tea", "milk"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	want := []string{"tea", "milk"}
	if got := Names(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestError(t *testing.T) {
	if err := Load(); err.Error() != "no file" {
		t.Errorf("got %v", err)
	}
}

func TestFed(t *testing.T) {
	want := "Hi, Ada"
	if got := Greet(want[4:]); got != want {
		t.Errorf("got %v", got)
	}
}

func TestTwins(t *testing.T) {
	for _, tt := range []struct{ in, want string }{{"Ada", "Hi, Ada"}, {"Ada", "Hi, Ada"}} {
		if got := Greet(tt.in); got != tt.want {
			t.Errorf("got %v, want %v", got, tt.want)
		}
	}
}

var greetings = []struct{ in, want string }{
	{"Ada", "Hi, Ada"},
	{"Bob", "Hi, Bob"},
}

func TestShared(t *testing.T) {
	for i, tt := range greetings {
		if got := Greet(tt.in); got != tt.want {
			t.Fatalf("%d: got %v, want %v", i, got, tt.want)
		}
	}
}

func BenchmarkShared(b *testing.B) {
	for _, tt := range greetings {
		Greet(tt.in)
	}
}

func check(t *testing.T, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestHelper(t *testing.T) { check(t, Greet("Ada"), "Hi, Ada") }

func TestInverse(t *testing.T) {
	if got := Greet("Ada"); got == "Hello, Ada" {
		t.Errorf("got %v", got)
	}
}

func TestNamed(t *testing.T) {
	for _, tt := range []struct{ want string }{{"Hi, Ada"}} {
		t.Run(fmt.Sprint(tt.want), func(t *testing.T) {
			if got := Greet("Ada"); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}
`;
/** What go would download: as much of both modules as the tests use. */
const thirdParties = {
  'third/testify/go.mod': 'module github.com/stretchr/testify\n\ngo 1.20\n',
  'third/testify/assert/assert.go': `package assert

import "reflect"

type TestingT interface{ Errorf(format string, args ...interface{}) }

func Equal(t TestingT, expected, actual interface{}, msgAndArgs ...interface{}) bool {
	if reflect.DeepEqual(expected, actual) {
		return true
	}
	t.Errorf("\\n\\tError:\\tNot equal: \\n\\t\\texpected: %#v\\n\\t\\tactual  : %#v", expected, actual)
	return false
}
`,
  'third/testify/require/require.go': `package require

import "github.com/stretchr/testify/assert"

type TestingT interface {
	assert.TestingT
	FailNow()
}

func Equalf(t TestingT, expected, actual interface{}, msg string, args ...interface{}) {
	if !assert.Equal(t, expected, actual) {
		t.FailNow()
	}
}

func Equal(t TestingT, expected, actual interface{}, msgAndArgs ...interface{}) {
	Equalf(t, expected, actual, "")
}
`,
  'third/cmp/go.mod': 'module github.com/google/go-cmp\n\ngo 1.20\n',
  'third/cmp/cmp/cmp.go': `package cmp

import (
	"fmt"
	"reflect"
)

func Diff(x, y interface{}) string {
	if reflect.DeepEqual(x, y) {
		return ""
	}
	return fmt.Sprintf("-%v +%v", x, y)
}
`,
};
const libraryTest = `package shop_test

import (
	"testing"

	"example.com/shop"
	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestRequire(t *testing.T) {
	require.Equal(t, "Hi, Ada", shop.Greet("Ada"), "for %s", "Ada")
	require.Equalf(t, []string{"new"}, []string{string(shop.State())}, "a %s", "state")
	assert.Equal(t, int64(31), int64(shop.Mask()))
}

func TestDiff(t *testing.T) {
	got := *shop.Cart()["a"]
	if diff := cmp.Diff([]string{"x", "y"}, got.Tags); diff != "" {
		t.Fatalf("mismatch (-want +got):\\n%s", diff)
	}
	if got.Price != 2.5 {
		t.Fatal("another price")
	}
}
`;
/** In the order of the text, the changed lines. */
const mended = [
  '\trequire.Equal(t, "Hello, Ada", shop.Greet("Ada"), "for %s", "Ada")',
  '\trequire.Equalf(t, []string{"fresh"}, []string{string(shop.State())}, "a %s", "state")',
  '\tassert.Equal(t, int64(47), int64(shop.Mask()))',
  '\tif diff := cmp.Diff([]string{"x", "z"}, got.Tags); diff != "" {',
  '\tif got.Price != 3.5 {',
  '\t\t{name: "ada", in: "Ada", want: "Hello, Ada", n: 4},',
  '\t\t{name: "bob, too", in: "Bob", want: "Hello, Bob", n: 4}, // As it is.',
  '\t\t{"eve", "Eve", `Hello, Eve`, 4},',
  '\tfor in, want := range map[string]string{"Ada": "Hello, Ada", "Bob": "Hello, Bob"} {',
  '\tif Greet("Ada") != "Hello, Ada" {',
  "\twant := 'é'",
  '\tif got := Mask(); 0x2F != got {',
  '\tconst rate = 3.0',
  '"last"` {',
  '\tif got := State(); got != "fresh" {',
  '\t\t"a": {Name: "tea", Price: 3.5, Tags: []string{"x", "z"}, note: "n"},',
  '\t{"Ada", "Hello, Ada"},',
  '\t{"Bob", "Hello, Bob"},',
];

describe('changed expectations in Go', () => {
  let workspace: TemporaryWorkspace;
  let report: CycleReport;
  const reasonOf = (name: string): string =>
    report.remaining.find(({ id }) => id.includes(name))?.reason ?? 'nothing';

  before(async function () {
    // Each proof runs `go test` three times.
    this.timeout(280_000);
    if (!hasGo()) return this.skip();
    workspace = await temporaryWorkspace(
      {
        'go.mod': `module example.com/shop

go 1.20

require (
	github.com/google/go-cmp v0.0.0
	github.com/stretchr/testify v0.0.0
)

replace (
	github.com/google/go-cmp => ./third/cmp
	github.com/stretchr/testify => ./third/testify
)
`,
        ...thirdParties,
        'shop.go': oldShop,
        'shop_test.go': test,
        'library_test.go': libraryTest,
      },
      { git: true },
    );
    await workspace.write('shop.go', newShop);
    report = await mendWorkspace(workspace, { assume: 'source-is-right' });
    return undefined;
  });
  after(() => workspace?.dispose());

  it('are patched where they are written: literals, variables, leaves, rows, and nothing else of the file', () => {
    const shown = report.patch
      .split('\n')
      .filter((line) => /^\+(?!\+\+)/.test(line))
      .map((line) => line.slice(1));
    assert.deepEqual(shown, mended);
    const kept = report.fixes.filter(({ state }) => state === 'accepted');
    assert.ok(
      kept.every(
        ({ verdict, trust }) => verdict.verdict === 'verified' && verdict.runs === 3 && trust === 'oracle',
      ),
    );
  });

  it('are only proposed where the value looks like a fault or an answer was turned round', () => {
    for (const [name, stop] of [
      ['TestOpen', /inverted/],
      ['TestBroken', /%!d\(/],
      ['TestEmpty', /empty/],
      ['TestCalls', /The number of calls is behavior/],
      ['TestReply', /outcome changed/],
    ] as const) {
      const fix = report.fixes.find(({ failures }) => failures.some((id) => id.includes(name)));
      assert.deepEqual([fix?.trust, fix?.state], ['propose', 'declined'], name);
      assert.match(fix?.stops?.[0]?.reason ?? '', stop);
    }
  });

  it('are left alone, with the reason, where the literal is no certain expectation or one literal does not do', () => {
    assert.match(reasonOf('TestNames'), /2 elements, but the actual value has 3/);
    assert.match(reasonOf('TestError'), /an error/);
    assert.match(reasonOf('TestFed'), /want is used for more/);
    assert.match(reasonOf('TestTwins'), /another row is identical/);
    assert.match(reasonOf('TestHelper'), /not fail in a Go comparison/);
    assert.match(reasonOf('TestInverse'), /not fail in a Go comparison/);
    assert.match(reasonOf('TestNamed'), /tt\.want is used for more/);
  });
});
