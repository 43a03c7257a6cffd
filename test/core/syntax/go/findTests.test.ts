// Tests of Go files: what is one, what it is called, and exactly where it stands.
import assert from 'node:assert/strict';
import { drawTests, drawTitles } from '../../../support/drawTests.ts';
import { findGoTests } from '../../../../src/core/syntax/go/findTests.ts';

const titles = (body: string): readonly string[] => drawTitles(findGoTests(`package a\n${body}`));

describe('finding the tests of a Go file', () => {
  it('finds tests, fuzz tests and examples, and nothing else', () => {
    assert.deepEqual(
      titles(`
func TestA(t *testing.T) {}
func Test(t *testing.T) {}
func Test_b(tt *T) {}
func TestÄ(t *testing.T,) {}
func Testify(t *testing.T) {}
func TestMain(m *testing.M) {}
func TestHelper(t *testing.T, n int) {}
func BenchmarkA(b *testing.B) {}
func FuzzA(f *testing.F) { f.Fuzz(func(t *testing.T, a int) { t.Run("in", nil) }) }
func ExampleA() {
	fmt.Println("// Output:")
	// Output: 1
}
func ExampleB() { /* no result */ }
func ExampleC() {
	// Unordered output:
	// 1
}
func helper() { /* func TestInside(t *testing.T) {} */ }
var text = \`
func TestInText(t *testing.T) {}
\`
`),
      [
        'test TestA',
        'test Test',
        'test Test_b',
        'test TestÄ',
        'test FuzzA',
        '  test in',
        'test ExampleA',
        'test ExampleC',
      ],
    );
  });

  it('names subtests as go test prints them, below the tests they stand in', () => {
    assert.deepEqual(
      titles(`func TestA(t *testing.T) {
	t.Run("with a space\\tand \\u00e4 \\x01", func(t *testing.T) {
		t.Run(\`raw "text"\`, func(t *testing.T) {})
	})
	t.Run(fmt.Sprintf("n %d", 1), func(t *testing.T) {})
	t.Run("", f)
	t.Run("twice", f)
	t.Run("twice", f)
	run(t, "no test")
	for i := 0; i < 3; i++ {
		t.Run("again", func(t *testing.T) {})
	}
}`),
      [
        'test TestA',
        '  test with_a_space_and_ä_\\x01',
        '    test raw_"text"',
        '  template fmt.Sprintf("n %d", 1)',
        '  test #00',
        '  test twice',
        '  test twice#01',
        '  template again',
      ],
    );
  });

  it('tells the cases of a table that is written out, at their own lines', () => {
    const keyed = `package a
func TestTable(t *testing.T) {
	tests := []struct {
		name string
		a, b int
		f    func(int) map[string]int
	}{
		{name: "one", a: 1},
		{
			a:    2,
			name: "two words",
		},
		{"three", 1, 2, nil},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {})
	}
}
`;
    assert.deepEqual(drawTests(findGoTests(keyed)), [
      'test TestTable [2:1-18:2]',
      '  test one [8:3-8:22]',
      '  test two_words [9:3-12:4]',
      '  test three [13:3-13:23]',
    ]);
    const loops = (table: string, loop: string): readonly string[] =>
      titles(`func TestT(t *testing.T) {\n${table}\n${loop}\n}`).slice(1);
    assert.deepEqual(
      loops('m := map[string]int{"a": 1, "b c": 2}', 'for name, n := range m { t.Run(name, f) }'),
      ['  test a', '  test b_c'],
    );
    assert.deepEqual(loops('l := []string{"x", "y"}', 'for _, s := range l { t.Run(s, f) }'), [
      '  test x',
      '  test y',
    ]);
    assert.deepEqual(loops('l := []case{{name: "x"}, {}}', 'for _, tc := range l { t.Run(tc.name, f) }'), [
      '  template tc.name',
    ]);
    assert.deepEqual(loops('l := load()', 'for _, tc := range l { t.Run(tc.name, f) }'), [
      '  template tc.name',
    ]);
    assert.deepEqual(
      loops('l := []c{{name: "x"}}\nl = append(l, more...)', 'for _, tc := range l { t.Run(tc.name, f) }'),
      ['  template tc.name'],
    );
  });

  it("puts the methods of testify's suites below the tests that run them", () => {
    assert.deepEqual(
      titles(`type Cart struct { suite.Suite }
func (s *Cart) SetupTest() {}
func (s *Cart) TestAdds() { s.Run("inner", func() {}) }
func TestCart(t *testing.T) { suite.Run(t, new(Cart)) }
func (o *Other) TestNever() {}`),
      ['test TestCart', '  test TestAdds', '    test inner'],
    );
  });

  it('reads what is broken as far as it goes', () => {
    assert.deepEqual(titles('func TestA(t *testing.T) {\n\tt.Run("a", func(t *testing.T) {'), [
      'test TestA',
      '  test a',
    ]);
    for (const broken of ['func', 'func (', 'func Test', 'func TestA(', '"', '`', "'", '/*', 'for', '}{)('])
      assert.ok(Array.isArray(titles(broken)), broken);
  });
});
