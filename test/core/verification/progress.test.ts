// When a test counts as getting further, by where it fails before and after: never by what it says.
import assert from 'node:assert/strict';
import { applyChanges, fileEdit } from '../../../src/core/model/edit.ts';
import { summarize } from '../../../src/core/model/summarize.ts';
import type { Failure, RunSummary, TestResult } from '../../../src/core/model/testResult.ts';
import { hookPhases } from '../../../src/core/frameworks/vocabularies.ts';
import { testPlaces } from '../../../src/core/syntax/testPlaces.ts';
import { Comparison } from '../../../src/core/verification/compareRuns.ts';
import { getsFurther } from '../../../src/core/verification/progress.ts';

type Kind = Failure['kind'];

/** A test that failed at the place where the mark stands. */
function failed(
  text: string,
  file: string,
  title: string,
  kind: Kind,
  mark: number,
  message: string = kind,
): TestResult {
  const failure: Failure = { message, stack: [], kind, severity: 'medium' };
  const id = title === '' ? `x:${file}` : `x:${file}#${title}`;
  const result = { id, file, line: 1, title, suites: [], durationMs: 1 };
  const before = text.slice(0, mark).split('\n');
  const place = { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  // Frames of the library and of a helper stand inside the test's own.
  const stack = [
    { name: 'equal', file: 'node:assert', line: 1, column: 1 },
    { name: 'helper', file: 'test/helper.js', line: 900, column: 1 },
    { name: '', ...place },
  ];
  return {
    ...result,
    outcome: 'failed',
    failure: { ...failure, location: place, ...(kind !== 'load' && { stack }) },
  };
}

const summary = (...tests: TestResult[]): RunSummary =>
  summarize(tests, { durationMs: 1, notes: [], ended: 'complete' });

interface Situation {
  /** `①` and `②`: where the test fails before and after; without `②` it fails where it did. */
  readonly text: string;
  readonly kinds: readonly [before: Kind, after: Kind];
  readonly file?: string;
  /** What the fix in place changes. */
  readonly edit?: readonly [old: string, now: string];
}

function isFurther({ text: marked, kinds, file = 'test/cart.test.js', edit }: Situation): boolean {
  const marks = [...marked.matchAll(/[①②]/g)];
  const text = marked.replace(/[①②]/g, '');
  const at = (mark: string): number => {
    const index = marks.findIndex(([found]) => found === mark);
    return (marks[index]?.index ?? -1) - index;
  };
  const [first, second] = [at('①'), at(marked.includes('②') ? '②' : '①')];
  const edits = [];
  let [after, shift] = [text, 0];
  if (edit !== undefined) {
    const start = text.indexOf(edit[0]);
    const change = { start, end: start + edit[0].length, newText: edit[1] };
    edits.push(fileEdit(file, text, [change]));
    after = applyChanges([change], text);
    shift = start < second ? edit[1].length - edit[0].length : 0;
  }
  const was = failed(text, file, 'a', kinds[0], first, 'one reason');
  const now = failed(after, file, 'a', kinds[1], second + shift, 'another reason');
  const results = new Map([[was.id, was]]);
  const comparison = new Comparison(results, summary(now), () => true);
  return getsFurther(was.id, { results, edits: [] }, { comparison, edits }, () =>
    testPlaces(file, text, hookPhases),
  );
}

const script = (body: string, around = ''): string => `test('a', () => {\n${body}});\n${around}`;
const python = (body: string): string => `def test_a():\n${body}`;
const inPython = 'test_cart.py';

const further: Readonly<Record<string, Situation>> = {
  'at a later assertion': {
    text: script('①equal(a, 1);\n②equal(b, 2);\n'),
    kinds: ['assertion', 'assertion'],
  },
  'at a later assertion of the same line': {
    text: script('①equal(a, 1); ②equal(b, 2);\n'),
    kinds: ['assertion', 'assertion'],
  },
  'at a later line that throws': { text: script('①equal(a, 1);\n②b();\n'), kinds: ['assertion', 'error'] },
  'in a statement that threw, and compares now': {
    text: script('equal(①cart.total(), 1);\n'),
    kinds: ['error', 'assertion'],
  },
  'where a statement over several lines threw on its last one, and compares on its first': {
    text: script('②assert.equal(\n  cart\n    .①total(),\n  1,\n);\n'),
    kinds: ['error', 'assertion'],
  },
  'in the next call of a statement over several lines': {
    text: script('cart\n  .①open()\n  .②close();\n'),
    kinds: ['error', 'error'],
  },
  'behind lines that the fix adds': {
    text: script('①equal(a, 1);\n②equal(b, 2);\n'),
    kinds: ['assertion', 'assertion'],
    edit: ['equal(a, 1)', 'equal(\n  a,\n  2,\n)'],
  },
  'inside a block whose head threw': {
    text: script('for (const a of ①all()) {\n  ②equal(a, 1);\n}\n'),
    kinds: ['error', 'assertion'],
  },
  'in the test, and no longer in a hook that stands below it': {
    text: script('②equal(a, 1);\n', 'beforeEach(() => {\n  ①a = make();\n});\n'),
    kinds: ['error', 'assertion'],
  },
  'in a hook after the test that stands above it': {
    text: `afterEach(() => {\n  ②close();\n});\n${script('①equal(a, 1);\n')}`,
    kinds: ['assertion', 'error'],
  },
  'at a later assertion of Python': {
    file: inPython,
    text: python('    ①assert a == 1\n    ②assert b == 2\n'),
    kinds: ['assertion', 'assertion'],
  },
  'where an assertion of Python over several lines threw on a later one, and compares now': {
    file: inPython,
    text: python('②    assert (\n①        cart.total()\n        == 1\n    )\n'),
    kinds: ['error', 'assertion'],
  },
  'in a test of Python, and no longer in a fixture below it': {
    file: inPython,
    text: `${python('②    assert a == 1\n')}\n\n@pytest.fixture\ndef cart():\n①    return make()\n`,
    kinds: ['error', 'assertion'],
  },
  'at a later line of a function that is given to a test elsewhere': {
    text: 'const cases = {\n  a() {\n    ①equal(a, 1);\n    ②equal(b, 2);\n  },\n};\n',
    kinds: ['assertion', 'assertion'],
  },
  'behind the yield of a fixture': {
    file: inPython,
    text: `@pytest.fixture\ndef cart():\n    yield make()\n②    close()\n\n\n${python('①    assert a == 1\n')}`,
    kinds: ['assertion', 'error'],
  },
  'at another import than the one that the fix changes': {
    text: "import {\n  a,\n} from ①'./a.js';\nimport { b } from ②'./b.js';\n",
    kinds: ['load', 'load'],
    edit: ['./a.js', './moved/a.js'],
  },
};

const notFurther: Readonly<Record<string, Situation>> = {
  'for another reason in the same place': { text: script('①cart.total();\n'), kinds: ['error', 'error'] },
  'with another difference at the same assertion': {
    text: script('①equal(a, 1);\n'),
    kinds: ['assertion', 'assertion'],
  },
  'at an earlier assertion': {
    text: script('②equal(a, 1);\n①equal(b, 2);\n'),
    kinds: ['assertion', 'assertion'],
  },
  'at another line of the same assertion': {
    text: script('①expect(a)\n  .②toEqual({ a: 1 });\n'),
    kinds: ['assertion', 'assertion'],
  },
  'where an assertion threw before it compared anything': {
    text: script('equal(①a(), 1);\n'),
    kinds: ['assertion', 'error'],
  },
  'at the first assertion of a later round of a loop': {
    text: script('for (const a of all) {\n  ②equal(a, 1);\n  ①equal(a, 2);\n}\n'),
    kinds: ['assertion', 'assertion'],
  },
  'in a hook before the test that stands below it': {
    text: script('①equal(a, 1);\n', 'beforeEach(() => {\n  ②a = make();\n});\n'),
    kinds: ['assertion', 'error'],
  },
  'in a hook before all tests, where it was one before each': {
    text: script('', 'beforeEach(() => {\n  ①a();\n});\nbefore(() => {\n  ②b();\n});\n'),
    kinds: ['error', 'error'],
  },
  'in a helper that may be called from anywhere': {
    text: script('①equal(a, 1);\n', 'function helper() {\n  ②equal(a, 1);\n}\n'),
    kinds: ['assertion', 'assertion'],
  },
  'in a fixture of Python below the test': {
    file: inPython,
    text: `${python('①    assert a == 1\n')}\n\n@pytest.fixture\ndef cart():\n②    return make()\n`,
    kinds: ['assertion', 'error'],
  },
  'when its time is over': { text: script('①equal(a, 1);\n②b();\n'), kinds: ['assertion', 'timeout'] },
  'when its process ends': { text: script('①equal(a, 1);\n②b();\n'), kinds: ['assertion', 'crash'] },
  'at another import, where the fix changed none that failed': {
    text: "import { a } from ①'./a.js';\nimport { b } from ②'./b.js';\n",
    kinds: ['load', 'load'],
    edit: ['./b.js', './moved/b.js'],
  },
  'at the import that the fix changes': {
    text: "import { a } from ①'./a.js';\n",
    kinds: ['load', 'load'],
    edit: ['./a.js', './moved/a.js'],
  },
  'where the fix only adds lines above': {
    text: script('①equal(a, 1);\n'),
    kinds: ['assertion', 'assertion'],
    edit: ['test(', '// one\n// two\ntest('],
  },
};

describe('a failing test', () => {
  for (const [name, situation] of Object.entries(further))
    it(`gets further when it fails ${name}`, () => assert.equal(isFurther(situation), true));
  for (const [name, situation] of Object.entries(notFurther))
    it(`gets no further when it fails ${name}`, () => assert.equal(isFurther(situation), false));

  const file = 'test/cart.test.js';
  const text = script('equal(a, 1);\nequal(b, 2);\n');
  const [one, two] = [text.indexOf('equal(a'), text.indexOf('equal(b')];
  const fails = (title: string, mark: number, kind: Kind = 'assertion'): TestResult =>
    failed(text, file, title, kind, mark);
  const ends = (title: string, outcome: 'passed' | 'skipped'): TestResult => {
    const { id, line, suites } = fails(title, one);
    return { id, file, line, title, suites, durationMs: 1, outcome };
  };
  const judged = (before: readonly TestResult[], after: readonly TestResult[]): readonly string[] => {
    const results = new Map(before.map((test) => [test.id, test]));
    const comparison = new Comparison(results, summary(...after), () => true);
    const known = () => testPlaces(file, text, hookPhases);
    return before
      .filter(({ id }) => getsFurther(id, { results, edits: [] }, { comparison, edits: [] }, known))
      .map(({ title }) => title);
  };

  it('gets no further by vanishing, by being skipped, or when it passed before', () => {
    assert.deepEqual(judged([fails('a', one)], []), []);
    assert.deepEqual(judged([fails('a', one), fails('b', one)], [fails('b', one)]), []);
    assert.deepEqual(judged([fails('a', one)], [ends('a', 'skipped')]), []);
    assert.deepEqual(judged([ends('a', 'passed')], [fails('a', two)]), []);
    assert.deepEqual(judged([ends('a', 'skipped')], [fails('a', two)]), []);
  });

  it('is known again under another title, by its order, unless fewer came than went', () => {
    assert.deepEqual(
      judged([fails('is 1', one), fails('is 2', one)], [fails('is 3', two), fails('is 4', one)]),
      ['is 1'],
    );
    assert.deepEqual(judged([fails('is 1', one), fails('is 2', one)], [fails('is 3', two)]), []);
  });

  it('stands for its file until that loads: further is that one of its tests runs, be it a single one', () => {
    const unloaded = { ...fails('', 0, 'load'), title: 'file' };
    assert.deepEqual(judged([unloaded], [fails('a', one)]), ['file']);
    assert.deepEqual(judged([unloaded], [fails('a', one, 'error'), fails('b', one)]), ['file']);
    assert.deepEqual(judged([unloaded], [ends('a', 'skipped')]), []);
    assert.deepEqual(judged([unloaded], []), []);
    const timedOut = { ...fails('', 0, 'timeout'), title: 'file' };
    assert.deepEqual(judged([timedOut], [fails('a', one)]), []);
  });

  it('is compared by the place in the file alone where that cannot be read', () => {
    const deep = `equal(${'('.repeat(20_000)}1${')'.repeat(20_000)});\n`;
    const at = (kinds: Situation['kinds'], marks: string): boolean =>
      isFurther({ kinds, text: `${marks}${deep}` });
    assert.equal(at(['error', 'assertion'], '①a();\n②b();\n'), true);
    assert.equal(at(['assertion', 'assertion'], '②a();\n①b();\n'), false);
    assert.equal(
      isFurther({ file: 'cart_test.go', text: '①a()\n②b()\n', kinds: ['assertion', 'error'] }),
      true,
    );
  });
});
