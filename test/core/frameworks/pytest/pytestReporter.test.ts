// Our plugin inside the machine's pytest: what becomes of each test, and of those that cannot become anything.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { pythonWith } from '../../../support/python.ts';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const everything = `import os
import sys
import unittest

import pytest


def test_ok():
    print("printed")
    print("warned", file=sys.stderr)
    assert "TESTMEND_CHANNEL" not in os.environ
    assert "testmend" not in os.environ.get("PYTHONPATH", "")


def test_fails():
    got = {"a": 1}
    assert got == {"a": 2}


@pytest.mark.parametrize("n,s", [(1, "a"), (2, "b::c [x]")])
def test_cases(n, s):
    assert n == 1


class TestBox:
    def test_in(self, letter):
        assert letter in "ab"

    class TestInner:
        def test_deep(self):
            raise ValueError("boom")


def test_setup(broken):
    pass


def test_teardown(late):
    pass


def test_missing(nothing):
    pass


@pytest.mark.skip(reason="later")
def test_skipped():
    pass


@pytest.mark.xfail(reason="known")
def test_xfail():
    assert 0


@pytest.mark.xfail(strict=True)
def test_xpass():
    pass


class Case(unittest.TestCase):
    def test_equal(self):
        self.assertEqual([1], [2])


def test_stale():
    with pytest.raises(AssertionError):
        assert 1 == 2
    assert not [1]


def test_multiline():
    assert "a\\nb" == "a\\nc"


@pytest.mark.slow
def test_left_out():
    pass
`;

const conftest = `import pytest


@pytest.fixture
def broken():
    raise RuntimeError("no database")


@pytest.fixture
def late():
    yield 1
    raise RuntimeError("tear")


@pytest.fixture(params=["a", "b"])
def letter(request):
    return request.param
`;

const files = {
  'pyproject.toml':
    '[tool.pytest.ini_options]\ntestpaths = ["tests"]\naddopts = ["-x", "-q", "-m", "not slow", "--strict-markers"]\nmarkers = ["slow"]\n',
  'tests/conftest.py': conftest,
  'tests/test_a.py': everything,
  'tests/test_lost.py': 'import os\nimport nowhere\n\n\ndef test_x():\n    pass\n',
  'tests/test_skips.py':
    'import pytest\n\npytest.importorskip("nowhere")\n\n\ndef test_x():\n    pass\n\n\nclass TestY:\n    def test_z(self):\n        pass\n',
  'tests/test_syntax.py': 'x = 1\ndef test_x(:\n    pass\n',
};

const expected = [
  'passed pytest:tests/test_a.py#test_ok',
  'failed pytest:tests/test_a.py#test_fails',
  'passed pytest:tests/test_a.py#test_cases::1',
  'failed pytest:tests/test_a.py#test_cases::2',
  'passed pytest:tests/test_a.py#TestBox › test_in::1',
  'passed pytest:tests/test_a.py#TestBox › test_in::2',
  'failed pytest:tests/test_a.py#TestBox › TestInner › test_deep',
  'errored pytest:tests/test_a.py#test_setup',
  'errored pytest:tests/test_a.py#test_teardown',
  'errored pytest:tests/test_a.py#test_missing',
  'skipped pytest:tests/test_a.py#test_skipped',
  'skipped pytest:tests/test_a.py#test_xfail',
  'failed pytest:tests/test_a.py#test_xpass',
  'failed pytest:tests/test_a.py#Case › test_equal',
  'failed pytest:tests/test_a.py#test_stale',
  'failed pytest:tests/test_a.py#test_multiline',
  'skipped pytest:tests/test_a.py#test_left_out',
  'errored pytest:tests/test_lost.py',
  'skipped pytest:tests/test_skips.py#test_x',
  'skipped pytest:tests/test_skips.py#TestY › test_z',
  'errored pytest:tests/test_syntax.py',
];

describe('the pytest plugin', () => {
  let workspace: TemporaryWorkspace | undefined;
  const open = async (more: Readonly<Record<string, string>>): Promise<TemporaryWorkspace> =>
    (workspace = await temporaryWorkspace(more));
  const inTests = (name: string): string => path.join(workspace?.root ?? '', 'tests', name);

  before(function () {
    if (pythonWith() === undefined) this.skip();
  });
  afterEach(() => workspace?.dispose());

  it('tells what became of each test, whatever else does not load, and whatever the options of the user stop at', async () => {
    const { root } = await open(files);
    const { summary } = await runWorkspace(root);
    assert.deepEqual(drawn(summary.tests), expected);
    assert.deepEqual(summary.notes, [
      'pytest alone would stop at these 2 collection errors; the other 16 tests were run.',
    ]);
    const of = (name: string): ReturnType<typeof resultOf> =>
      resultOf(summary, `pytest:tests/test_a.py#${name}`);
    assert.equal(of('test_ok').output, 'printed\nwarned\n');
    const { failure: fails } = of('test_fails');
    assert.deepEqual([fails?.kind, fails?.expected, fails?.actual], ['assertion', "{'a': 2}", "{'a': 1}"]);
    assert.deepEqual(fails?.location, { file: 'tests/test_a.py', line: 17, column: 1 });
    assert.equal(of('test_cases::2').title, 'test_cases[2-b::c [x]]');
    assert.deepEqual(of('test_setup').failure?.location, { file: 'tests/conftest.py', line: 6, column: 1 });
    assert.equal(of('test_setup').failure?.message, 'RuntimeError: no database');
    assert.match(of('test_missing').failure?.message ?? '', /^fixture 'nothing' not found/);
    assert.equal(of('test_missing').failure?.location?.line, of('test_missing').line);
    assert.match(of('test_skipped').output ?? '', /later/);
    assert.match(of('test_xfail').output ?? '', /Expected to fail: known/);
    assert.match(of('test_xpass').failure?.message ?? '', /XPASS\(strict\)/);
    assert.deepEqual(
      [of('Case › test_equal').failure?.expected, of('Case › test_equal').failure?.actual],
      ['[2]', '[1]'],
    );
    assert.equal(of('test_stale').failure?.expected, undefined);
    assert.deepEqual(
      [of('test_multiline').failure?.expected, of('test_multiline').failure?.actual],
      ['a\nc', 'a\nb'],
    );
    const lost = resultOf(summary, 'pytest:tests/test_lost.py');
    assert.deepEqual(
      [lost.line, lost.failure?.kind, lost.failure?.message, lost.failure?.severity],
      [2, 'load', "ModuleNotFoundError: No module named 'nowhere'", 'critical'],
    );
    assert.equal(resultOf(summary, 'pytest:tests/test_syntax.py').line, 2);
    assert.equal(existsSync(path.join(root, 'tests/__pycache__/testmend_pytest.pyc')), false);
  });

  it('runs what is selected, by names, filters and expressions, also beside a name that is gone', async () => {
    const { root } = await open(files);
    const file = inTests('test_a.py');
    const selections = [
      { tests: [['test_ok'], ['test_gone']].map((names) => ({ file, names })) },
      { files: [file], filter: 'TEST_OK' },
      { nativeFilter: 'test_ok and not gone' },
    ];
    for (const selection of selections) {
      const { summary } = await runWorkspace(root, { selection });
      const ran = drawn(summary.tests).filter((line) => line.includes('test_a.py'));
      assert.deepEqual(ran, [expected[0]], JSON.stringify(selection));
    }
    const cases = { tests: [['test_cases'], ['TestBox', 'test_in[b]']].map((names) => ({ file, names })) };
    const { summary } = await runWorkspace(root, { selection: cases });
    assert.deepEqual(
      summary.tests.map(({ title }) => title),
      ['test_cases[1-a]', 'test_cases[2-b::c [x]]', 'test_in[b]'],
    );
    for (const nativeFilter of ['--co', 'a and', '(a', 'a b', 'not'])
      await assert.rejects(runWorkspace(root, { selection: { nativeFilter } }), { code: 'bad-input' });
    await assert.rejects(runWorkspace(root, { selection: { filter: '../x' } }), { code: 'bad-input' });
    const none = await runWorkspace(root, { selection: { files: [file], filter: 'matches nothing' } });
    assert.deepEqual([none.summary.tests, none.summary.notes], [[], ['no tests ran']]);
  });

  it('tells what is expected by which side is written down', async () => {
    const { root } = await open({
      'test_sides.py': `import unittest


def total():
    return 8


def test_first():
    assert 9 == total()


def test_second():
    assert total() == 9


def test_lines():
    assert [
        9,
        1,
    ] == [total(), 1]


def test_both():
    assert 9 == 8


class Case(unittest.TestCase):
    def test_method(self):
        self.assertEqual(9, total())

    def test_turned(self):
        self.assertEqual(total(), 9)
`,
    });
    const { summary } = await runWorkspace(root);
    assert.deepEqual(
      summary.tests.map(({ title, failure }) => [title, failure?.expected, failure?.actual]),
      [
        ['test_first', '9', '8'],
        ['test_second', '9', '8'],
        ['test_lines', '[9, 1]', '[8, 1]'],
        ['test_both', '8', '9'],
        ['test_method', '9', '8'],
        ['test_turned', '9', '8'],
      ],
    );
  });

  it('reports subtests at the test around them', async function () {
    const { root } = await open({
      'test_subs.py':
        'import unittest\n\n\ndef test_parts(subtests):\n    for i in range(3):\n        with subtests.test(msg="m", i=i):\n            assert i != 1\n\n\nclass Case(unittest.TestCase):\n    def test_sub(self):\n        for i in range(3):\n            with self.subTest("part", i=i):\n                self.assertNotEqual(i, 1)\n',
    });
    const { summary } = await runWorkspace(root);
    if (summary.tests.some(({ failure }) => failure?.message.includes("'subtests' not found"))) this.skip();
    assert.deepEqual(
      summary.tests.map(({ outcome, title, failure }) => [outcome, title, failure?.message.split('\n')[0]]),
      [
        ['failed', 'test_parts', '[m] (i=1): assert 1 != 1'],
        ['failed', 'test_sub', '[part] (i=1): 1 == 1'],
      ],
    );
  });

  it('ends every test when the process dies, is ended from within, or is interrupted', async () => {
    const { root } = await open({
      'pytest.ini': '[pytest]\n',
      'tests/test_dies.py':
        'import os\n\n\ndef test_a():\n    pass\n\n\ndef test_b():\n    os._exit(0)\n\n\ndef test_c():\n    pass\n',
      'tests/test_exit.py':
        'import pytest\n\n\ndef test_a():\n    pytest.exit("enough")\n\n\ndef test_b():\n    pass\n',
      'tests/test_segv.py':
        'import os, signal\n\n\ndef test_a():\n    os.kill(os.getpid(), signal.SIGSEGV)\n',
      'tests/test_stop.py': 'def test_a():\n    raise KeyboardInterrupt\n',
      'tests/test_hang.py': 'import time\n\n\ndef test_a():\n    time.sleep(60)\n',
    });
    const told = async (name: string, timeoutMs = 30_000): Promise<readonly string[]> => {
      const { summary } = await runWorkspace(root, {
        selection: { files: [inTests(name)] },
        limits: { timeoutMs },
      });
      return summary.tests.map(
        ({ outcome, title, failure }) =>
          `${outcome} ${title} ${failure?.message.replace(/\n(?!Then )[^]*$/, '').replace('\n', ' ') ?? ''}`,
      );
    };
    const died = 'It did not end: its process exited with code 0 before.';
    assert.deepEqual(await told('test_dies.py'), [
      'passed test_a ',
      `errored test_b ${died}`,
      // It waited for its turn: the one that ended it all is named.
      `errored test_c ${died} Then this was running: "test_b" (tests/test_dies.py).`,
    ]);
    const ended = 'It did not end: pytest was ended: _pytest.outcomes.Exit: enough';
    assert.deepEqual(await told('test_exit.py'), [
      `errored test_a ${ended}`,
      `errored test_b ${ended} Then this was running: "test_a" (tests/test_exit.py).`,
    ]);
    assert.deepEqual(await told('test_segv.py'), [
      'errored test_a It did not end: its process was killed by SIGSEGV before.',
    ]);
    assert.match(
      (await told('test_stop.py')).join(),
      /^errored test_a It did not end: pytest was ended: KeyboardInterrupt/,
    );
    assert.match(
      (await told('test_hang.py', 2_000)).join(),
      /^errored test_a It did not end within the time limit/,
    );
  });

  it('takes a test that discovery does not know for itself, and not for a case of another', async () => {
    const { root } = await open({
      'pytest.ini': '[pytest]\n',
      'tests/test_made.py':
        'import pytest\n\n\n@pytest.mark.parametrize("n", [1, 2])\ndef test_cases(n):\n    pass\n\n\ntest_made = lambda: None\n',
    });
    const { summary } = await runWorkspace(root);
    assert.deepEqual([...drawn(summary.tests)].sort(), [
      'passed pytest:tests/test_made.py#test_cases::1',
      'passed pytest:tests/test_made.py#test_cases::2',
      'passed pytest:tests/test_made.py#test_made',
    ]);
    const selection = { tests: [{ file: inTests('test_made.py'), names: ['test_cases'] }] };
    const cases = await runWorkspace(root, { selection });
    assert.deepEqual([...drawn(cases.summary.tests)].sort(), [
      'passed pytest:tests/test_made.py#test_cases::1',
      'passed pytest:tests/test_made.py#test_cases::2',
    ]);
  });

  it('names a conftest.py that does not load, at the root and below', async () => {
    const { root } = await open({
      'pytest.ini': '[pytest]\n',
      'conftest.py': '',
      'tests/test_a.py': 'def test_a():\n    pass\n',
      'tests/below/conftest.py': 'import os\nimport nowhere\n',
      'tests/below/test_b.py': 'def test_b():\n    pass\n',
    });
    const { summary } = await runWorkspace(root);
    assert.deepEqual(drawn(summary.tests), [
      'errored pytest:tests/below/conftest.py',
      'passed pytest:tests/test_a.py#test_a',
    ]);
    assert.equal(summary.tests[0]?.failure?.location?.line, 2);
    assert.deepEqual(summary.notes, [
      'pytest alone would stop at this collection error; the other test was run.',
    ]);
    await workspace?.write('pytest.ini', '[pytest]\naddopts = --continue-on-collection-errors\n');
    assert.deepEqual((await runWorkspace(root)).summary.notes, []);
    await workspace?.write('conftest.py', 'raise OSError("no")\n');
    const broken = await runWorkspace(root);
    assert.deepEqual(drawn(broken.summary.tests), ['errored pytest:conftest.py']);
    assert.equal(broken.summary.tests[0]?.failure?.message, 'conftest.py did not load. OSError: no');
    const one = await runWorkspace(root, { selection: { files: [inTests('test_a.py')] } });
    assert.deepEqual(drawn(one.summary.tests), [
      'errored pytest:conftest.py',
      'errored pytest:tests/test_a.py',
    ]);
  });

  it('says what is wrong with the options of the user, and that zero tests ran', async () => {
    const { root } = await open({
      'pytest.ini': '[pytest]\naddopts = --no-such-option\n',
      'test_a.py': 'def test_a(): pass\n',
    });
    const { summary } = await runWorkspace(root);
    assert.match(summary.tests[0]?.failure?.message ?? '', /exited with code 4[\s\S]*--no-such-option/);
    await workspace?.write('pytest.ini', '[pytest]\n');
    await workspace?.write('test_a.py', 'x = 1\n');
    const empty = await runWorkspace(root);
    assert.deepEqual(
      [empty.summary.tests, empty.summary.passRate, empty.summary.notes],
      [[], null, ['no tests ran']],
    );
    const asked = await runWorkspace(root, { selection: { files: [path.join(root, 'test_a.py')] } });
    assert.equal(asked.summary.tests[0]?.failure?.kind, 'empty');
  });

  it('runs the tests that the options of the user would only have shown', async () => {
    const { root } = await open({ 'test_a.py': 'def test_a():\n    assert False\n' });
    for (const option of ['--setup-plan', '--setup-only', '--collect-only']) {
      await workspace?.write('pytest.ini', `[pytest]\naddopts = ${option}\n`);
      const { summary } = await runWorkspace(root);
      assert.deepEqual(drawn(summary.tests), ['failed pytest:test_a.py#test_a'], option);
    }
  });

  it('takes no exit of "no tests were collected" from a process whose test passed', async () => {
    const { root } = await open({
      'test_a.py':
        'import atexit\nimport os\n\natexit.register(lambda: os._exit(5))\n\n\ndef test_a():\n    pass\n',
    });
    const { summary } = await runWorkspace(root);
    assert.deepEqual(summary.tests.map(({ outcome }) => outcome).toSorted(), ['errored', 'passed']);
    assert.match(summary.tests[0]?.failure?.message ?? '', /the process of pytest ended with exit code 5/);
  });

  it('tells the same with the workers of pytest-xdist', async function () {
    if (pythonWith('xdist') === undefined) this.skip();
    const { root } = await open({
      ...files,
      'pyproject.toml': files['pyproject.toml'].replace('"-x"', '"-n", "2", "-x"'),
      'tests/test_dies.py': 'import os\n\n\ndef test_dies():\n    os._exit(3)\n',
    });
    const { summary } = await runWorkspace(root);
    // The workers keep to themselves which tests skip with their file, and which are left out.
    const unknown = /test_skips|test_left_out/;
    assert.deepEqual(
      drawn(summary.tests).filter((line) => !line.includes('test_skips')),
      [
        ...expected.filter((line) => line.includes('test_a.py') && !unknown.test(line)),
        'errored pytest:tests/test_dies.py#test_dies',
        ...expected.filter((line) => /test_lost|test_syntax/.test(line)),
      ],
    );
    const selection = { tests: [{ file: inTests('test_a.py'), names: ['test_ok'] }] };
    assert.deepEqual(drawn((await runWorkspace(root, { selection })).summary.tests), [expected[0]]);
  });
});
