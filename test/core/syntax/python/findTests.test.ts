// Tests found in Python text: what pytest would collect, at exact places, in the scan of lines as in the full parse.
import assert from 'node:assert/strict';
import { parseDefinitions } from '../../../../src/core/syntax/python/parseDefinitions.ts';
import { scanDefinitions } from '../../../../src/core/syntax/python/scanDefinitions.ts';
import { findTests } from '../../../../src/core/syntax/python/findTests.ts';
import { drawTests, drawTitles } from '../../../support/drawTests.ts';

const everything = `import unittest
import pytest

"""
def test_in_a_text(): pass
"""

def test_plain():
    def test_inner(): pass
    assert "def test_quoted" # )


async def test_waits(): ...


@pytest.mark.parametrize(
    "n",  # with a comment (
    [1, 2],
)
@pytest.mark.slow
def test_cases(n):
    assert n

@pytest.fixture
def test_data(): return 1

if True:
    def test_conditional(): pass
else:
    def test_conditional(): pass
    def test_other(): pass

class TestBox:
    size = {
        'a': 1,
    }
    def helper(self): pass
    def test_in(self): pass
    @pytest.mark.skip(reason="later")
    def test_skipped(self): pass
    @property
    def test_property(self): pass
    class TestInner:
        def test_deep(self): pass
    class Helper:
        def test_no(self): pass

class TestMade:
    def __init__(self): pass
    def test_never(self): pass

class Base:
    def test_inherited(self): pass
    def test_replaced(self): pass

class TestChild(Base):
    def test_replaced(self): pass

@pytest.mark.xfail(reason="known")
class CartCase(unittest.TestCase):
    def setUp(self): pass
    def test_adds(self): self.assertEqual(1, \\
        1)
    def check(self): pass
    class TestNot:
        def test_no(self): pass

class TestOff(Base):
    __test__ = False

class TestMarked:
    pytestmark = [pytest.mark.parametrize("a,b", [(1, 2)]), pytest.mark.db]
    def test_pair(self, a, b): pass
`;

const drawn = [
  'test test_plain [8:1-10:29]',
  'test test_waits [13:1-13:28]',
  'template test_cases [16:1-22:13]',
  'test test_conditional [28:5-28:33]',
  'test test_other [31:5-31:27]',
  'suite TestBox [33:1-46:32]',
  '  test test_in [38:5-38:28]',
  '  test test_skipped [39:5-40:33] skip',
  '  suite TestInner [43:5-44:34]',
  '    test test_deep [44:9-44:34]',
  'suite TestChild [56:1-57:34]',
  '  test test_inherited [53:5-53:35]',
  '  test test_replaced [57:5-57:34]',
  'suite CartCase [59:1-66:32] todo',
  '  test test_adds [62:5-63:11] todo',
  'suite TestMarked [71:1-73:36]',
  '  template test_pair [73:5-73:36]',
];

describe('tests in Python text', () => {
  it('are functions and methods that pytest and unittest count, with ranges that begin at decorators', async () => {
    const { tests, warnings } = await findTests(everything);
    assert.deepEqual(drawTests(tests), drawn);
    assert.deepEqual(warnings, []);
  });

  it('stand at the same places with CRLF, a BOM and tabs, and in a full parse', async () => {
    const crlf = '\uFEFF' + everything.replaceAll('\n', '\r\n');
    assert.deepEqual(drawTests((await findTests(crlf)).tests), drawn);
    const tabbed = everything.replaceAll(/^ +/gm, (indent) => '\t'.repeat(indent.length / 4));
    assert.deepEqual(
      drawTitles((await findTests(tabbed)).tests),
      drawTitles((await findTests(everything)).tests),
    );
    const scanned = scanDefinitions(everything);
    assert.deepEqual(scanned, parseDefinitions(everything).module);
    const { tests, warnings } = await findTests(everything, undefined, { thorough: true });
    assert.deepEqual([drawTests(tests), warnings], [drawn, []]);
  });

  it('are found in a text with a syntax error as far as it can be read, with a warning', async () => {
    const broken = 'def test_first(): pass\n\nvalues = [1,\n\ndef test_second(): pass\n';
    const { tests, warnings } = await findTests(broken);
    assert.ok(drawTitles(tests).includes('test test_first'));
    assert.match(warnings.join(), /^Syntax error at line \d+: /);
    const small = await findTests('def test_a():\n    x = = 1\n', undefined, { thorough: true });
    assert.deepEqual(drawTitles(small.tests), ['test test_a']);
    assert.deepEqual(small.warnings, ['Syntax error at line 2: not all tests may be shown.']);
  });

  it('take what the grammar does not know for no error', async () => {
    const text =
      'import contextlib\ndef gen():\n    with open("x"):\n        yield\n    return 1.\nfor *a, b in []: pass\nmatch b:\n    case 1: pass\n' +
      'def test_f[T](x: T): return f"{x["a"]}"\ntype A = int\ntry: pass\nexcept* ValueError: pass\n';
    const { tests, warnings } = await findTests(text, undefined, { thorough: true });
    assert.deepEqual([drawTitles(tests), warnings], [['test test_f'], []]);
  });

  it('go by the names that the configuration gives, and warn of one that another hides', async () => {
    const text =
      'def check_a(): pass\ndef it_works(): pass\ndef test_x(): pass\nclass AddSuite:\n    def check_b(self): pass\n';
    const { tests } = await findTests(text, { classes: ['*Suite'], functions: ['check', 'it_*'] });
    assert.deepEqual(drawTitles(tests), [
      'test check_a',
      'test it_works',
      'suite AddSuite',
      '  test check_b',
    ]);
    const twice = await findTests('def test_a(): pass\n\ndef test_a():\n    assert 0\n');
    assert.deepEqual(drawTests(twice.tests), ['test test_a [3:1-4:13]']);
    assert.match(twice.warnings[0] ?? '', /^test_a at line 1 never runs: .* line 3\.$/);
  });

  it('take time in proportion to the text', async () => {
    const measure = async (copies: number): Promise<number> => {
      const text = everything.replaceAll('test_', 'test_x').repeat(copies);
      const started = performance.now();
      for (let round = 0; round < 5; round++) scanDefinitions(text);
      return performance.now() - started;
    };
    await measure(50);
    const [once, many] = [await measure(50), await measure(400)];
    assert.ok(many < once * 8 * 2.5, `${once} ms became ${many} ms`);
  });
});
