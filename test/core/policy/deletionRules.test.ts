// The gate of proposed deletions: what may go with a test, and everything that may not.
import assert from 'node:assert/strict';
import { fileEdit } from '../../../src/core/model/edit.ts';
import { checkDeletion } from '../../../src/core/policy/deletionRules.ts';

const text = `import { expect, test, describe, beforeEach } from 'vitest';
import { add, old } from '../src/add';

const rows = [
  { in: [1, 2], out: 3 },
  { in: [2, 2], out: 4 },
];

beforeEach(() => {});

for (const row of rows) test(String(row.out), () => expect(add(...row.in)).toBe(row.out));

describe('old', () => {
  // As before.
  test('one', () => {
    expect(old(1)).toBe(1);
    expect(old(2)).toBe(2);
  });
  test('two', () => {
    expect(old(3)).toBe(3);
  });
});
`;

/** Rules that the removal of these texts breaks. */
const rulesOf = (
  tests: number,
  ...gone: readonly (string | readonly [string, string])[]
): readonly string[] => {
  const changes = gone.map((one) => {
    const [part, newText] = typeof one === 'string' ? [one, ''] : one;
    const start = text.indexOf(part);
    assert.ok(start >= 0, part);
    return { start, end: start + part.length, newText };
  });
  const edit = fileEdit('test/add.test.ts', text, changes);
  return checkDeletion({ edit, before: text, tests }).map(({ rule }) => rule);
};
const suite = text.slice(text.indexOf("describe('old'"));
const two = "  test('two', () => {\n    expect(old(3)).toBe(3);\n  });\n";

describe('a proposed deletion', () => {
  it('may take a whole test, a row, a suite with all of its tests, and the import of what is gone', () => {
    assert.deepEqual(rulesOf(1, two), []);
    assert.deepEqual(rulesOf(1, '  { in: [2, 2], out: 4 },\n'), []);
    assert.deepEqual(rulesOf(2, suite), []);
    assert.deepEqual(rulesOf(2, suite, ', old'), []);
  });

  it('may take a row of a table that is written in the test, nothing else of it', () => {
    const table =
      "test.each([['a'], ['b'], ['c']])('takes %s', (name) => {\n  expect(add([name])).toBe(1);\n});\n";
    const rules = (part: string): readonly string[] => {
      const start = table.indexOf(part);
      const edit = fileEdit('a.test.js', table, [{ start, end: start + part.length, newText: '' }]);
      return checkDeletion({ edit, before: table, tests: 1 }).map(({ rule }) => rule);
    };
    assert.deepEqual([rules("['b'], "), rules(", ['c']")], [[], []]);
    assert.deepEqual([rules("'a'"), rules('name')], [['removed-test'], ['removed-test']]);
    assert.deepEqual(rules('[name]'), ['removed-test']);
  });

  it('may take no element of a list that is anything else than the table of tests', () => {
    const text = [
      "import { it, vi } from 'vitest';",
      "import { make } from './make';",
      "const FIELDS = ['a', 'b'];",
      'const shared = [{ n: 1 }, { n: 2 }];',
      'const both = [...base, 3];',
      "vi.mock('./x', () => [7, 8]);",
      "it('loops', () => { for (const field of FIELDS) check(field); });",
      'for (const { n } of shared) it(String(n), () => check(n));',
      "it('counts', () => { expect(shared.length).toBe(2); });",
      'for (const n of both) it(`both ${n}`, () => check(n));',
      "it.each([4, 5])('%i', check);",
      'make([1, 2]);',
      '',
    ].join('\n');
    const rules = (...parts: readonly string[]): readonly string[] => {
      const changes = parts.map((part) => {
        const start = text.indexOf(part);
        assert.ok(start >= 0, part);
        return { start, end: start + part.length, newText: '' };
      });
      const edit = fileEdit('a.test.js', text, changes);
      return checkDeletion({ edit, before: text, tests: 1 }).map(({ rule }) => rule);
    };
    for (const part of ["'a', ", '{ n: 1 }, ', '...base, ', '7, ', '1, ', '4, 5'])
      assert.deepEqual(rules(part), ['removed-test'], part);
    assert.deepEqual(rules("import { make } from './make';\n"), ['removed-import', 'removed-import']);
    assert.deepEqual([rules(', 3'), rules('4, ')], [[], []]);
  });

  it('may take a row of a table whose name other suites have for tables of their own, or for something else', () => {
    const text = [
      "describe('a', () => {",
      '  const tests = [{ n: 1 }, { n: 2 }];',
      '  for (const t of tests) test(`a ${t.n}`, () => check(t.n));',
      '});',
      "describe('b', () => {",
      '  const tests = [{ n: 3 }, { n: 4 }];',
      "  test('b', () => check(tests));",
      '});',
      '',
    ].join('\n');
    const rules = (part: string): readonly string[] => {
      const start = text.indexOf(part);
      const edit = fileEdit('a.test.js', text, [{ start, end: start + part.length, newText: '' }]);
      return checkDeletion({ edit, before: text, tests: 1 }).map(({ rule }) => rule);
    };
    assert.deepEqual([rules('{ n: 1 }, '), rules('{ n: 3 }, ')], [[], ['removed-test']]);
  });

  it('may not take a part of a test, a hook, more tests than failed, or an import that is used', () => {
    assert.deepEqual(rulesOf(1, '    expect(old(2)).toBe(2);\n'), ['removed-test']);
    assert.deepEqual(rulesOf(1, 'beforeEach(() => {});\n'), ['removed-test']);
    assert.deepEqual(rulesOf(1, suite), ['removed-test']);
    assert.deepEqual(rulesOf(1, two, ', old'), ['removed-import']);
    assert.deepEqual(rulesOf(1, ', 2]'), ['syntax-error']);
    assert.deepEqual(rulesOf(1, '2, '), ['removed-test']);
  });

  it('may not write anything, and knows no other language', () => {
    assert.deepEqual(rulesOf(1, [two, "  test('two', () => {});\n"]), ['changed-input']);
    const go = 'package a\n\nfunc TestA(t *testing.T) {}\n';
    const edit = fileEdit('a_test.go', go, [{ start: 11, end: go.length, newText: '' }]);
    assert.equal(checkDeletion({ edit, before: go, tests: 1 }).length, 1);
  });
});

const python = `import os
from shop import Cart, legacy, ship as send


@pytest.fixture
def cart():
    return Cart()


@pytest.mark.slow
def test_legacy():
    assert legacy(1) == 2


class TestSend:
    def test_one(self):
        assert send(1) == 5

    def test_two(self, cart):
        assert send(2) == 5

    def helper(self):
        return 1
`;

/** Rules that the removal of these texts from a Python file breaks. */
const pythonRules = (...gone: readonly (string | readonly [string, string])[]): readonly string[] =>
  rulesOfPython(python, ...gone);
const rulesOfPython = (
  python: string,
  ...gone: readonly (string | readonly [string, string])[]
): readonly string[] => {
  const changes = gone.map((one) => {
    const [part, newText] = typeof one === 'string' ? [one, ''] : one;
    const start = python.indexOf(part);
    assert.ok(start >= 0, part);
    return { start, end: start + part.length, newText };
  });
  const edit = fileEdit('tests/test_shop.py', python, changes);
  return checkDeletion({ edit, before: python, tests: 1 }).map(({ rule }) => rule);
};
const legacyTest = '@pytest.mark.slow\ndef test_legacy():\n    assert legacy(1) == 2\n';

describe('a proposed deletion in Python', () => {
  it('may take a whole test with its decorators and the import that it alone used', () => {
    assert.deepEqual(pythonRules(legacyTest), []);
    assert.deepEqual(pythonRules(legacyTest, 'legacy, '), []);
    assert.deepEqual(pythonRules('    def test_one(self):\n        assert send(1) == 5\n'), []);
  });

  it('may not take a part of a test, a helper, a class with a helper, a used import, or write anything', () => {
    assert.deepEqual(pythonRules('    assert legacy(1) == 2\n'), ['syntax-error']);
    assert.deepEqual(pythonRules('@pytest.mark.slow\n'), ['removed-test']);
    assert.deepEqual(pythonRules('\n    def helper(self):\n        return 1\n'), ['removed-test']);
    assert.deepEqual(pythonRules('@pytest.fixture\ndef cart():\n    return Cart()\n'), ['removed-test']);
    assert.deepEqual(pythonRules(python.slice(python.indexOf('class TestSend'))), ['removed-test']);
    assert.deepEqual(pythonRules('legacy, '), ['removed-import']);
    assert.deepEqual(pythonRules('import os\n'), ['removed-test']);
    assert.deepEqual(pythonRules([legacyTest, 'x = 1\n']), ['changed-input']);
  });

  it('may not take an import without a test that used it, nor one that says more than a name', () => {
    const head =
      'from __future__ import annotations\nfrom base import *\nfrom fixtures import clean, db, legacy, store\n\n\n';
    const gone = 'def test_a(store):\n    assert legacy(store)\n\n\n';
    const left = '@pytest.mark.usefixtures("db")\ndef test_b():\n    assert True\n';
    const fixture = '@pytest.fixture\ndef test_data():\n    return 1\n\n\n';
    const rules = (...parts: readonly string[]): readonly string[] =>
      rulesOfPython(head + gone + fixture + left, ...parts);
    assert.deepEqual(rules(gone, 'legacy, '), []);
    assert.deepEqual(rules('legacy, '), ['removed-import']);
    assert.deepEqual(rules(gone, 'clean, '), ['removed-import']);
    assert.deepEqual(rules(gone, 'db, '), ['removed-import']);
    assert.deepEqual(rules(gone, ', store'), ['removed-import']);
    assert.deepEqual(rules(gone, 'from __future__ import annotations\n'), ['removed-test']);
    assert.deepEqual(rules(gone, 'from base import *\n'), ['removed-test']);
    assert.deepEqual(rules(fixture), ['removed-test']);
  });
});
