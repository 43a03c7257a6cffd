// Holds the door that judges any patch: what the gate forbids never runs, what is right is proven, and nothing changes.
import assert from 'node:assert/strict';
import path from 'node:path';
import type { Violation } from '../../../src/core/model/fix.ts';
import type { VerificationRequest } from '../../../src/core/verification/openVerification.ts';
import { verifyPatch } from '../../../src/core/verification/verifyPatch.ts';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { treeSnapshot } from '../../support/treeSnapshot.ts';
import { requestFor } from './request.ts';

const test = `import { expect, test, vi } from 'vitest';
import { greet, say } from './src/greet.ts';
import { ask } from './src/ask.ts';

test('greets', () => {
  expect(greet('Ada')).toBe('Hi, Ada');
});

test('is polite', () => {
  expect(greet('Bob')).toMatch(/Bob/);
  expect({ text: greet('Bob'), loud: false }).toEqual({ text: 'Hello, Bob', loud: false });
});

test('asks', async () => {
  const answer = await ask();
  expect(answer).toBe(42);
}, 1000);
`;
const files = {
  'package.json': '{"type":"module","devDependencies":{"vitest":"4"}}',
  'src/greet.ts': `let word = 'Hello';
export const greet = (name: string) => {
  const [said] = [word, (word = 'Hello')];
  return said + ', ' + name;
};
/** For the next one. */
export const say = (next: string) => (word = next);
`,
  'src/ask.ts': 'export const ask = async () => 42;\n',
  'greet.test.ts': test,
  'other.test.ts': "import { expect, test } from 'vitest';\ntest('stands', () => expect(1).toBe(1));\n",
};

/** The same for node:test, which starts five times as fast: for what is told from runs. */
const nodeTest = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet, say } from './src/greet.js';

test('greets', () => {
  assert.equal(greet('Ada'), 'Hi, Ada');
});

test('is polite', () => {
  assert.match(greet('Bob'), /Bob/);
  assert.deepEqual({ text: greet('Bob'), loud: false }, { text: 'Hello, Bob', loud: false });
});
`;
const nodeFiles = {
  'package.json': '{"type":"module","scripts":{"test":"node --test"}}',
  'src/greet.js': files['src/greet.ts'].replaceAll(': string', ''),
  'greet.test.js': nodeTest,
  'other.test.js': "import { test } from 'node:test';\ntest('stands', () => undefined);\n",
};
type Files = Readonly<Record<string, string>>;

const patchOf = (before: Files, changed: Readonly<Record<string, string | undefined>>): string =>
  Object.entries(changed)
    .map(([file, after]) => unifiedDiff(file, before[file], after))
    .join('');
const replacedIn = (text: string, old: string, now: string): string => {
  assert.equal(text.split(old).length, 2, `${old} is there once`);
  return text.replace(old, () => now);
};

/** Each edit that REPAIR's gate forbids: what is replaced in the test file above, and by what. */
const forbidden: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'a skip': [["test('greets'", "test.skip('greets'"]],
  'a todo': [
    ["test('greets', () => {\n  expect(greet('Ada')).toBe('Hi, Ada');\n});", "test.todo('greets');"],
  ],
  'an only': [["test('is polite'", "test.only('is polite'"]],
  'an expected failure': [["test('greets'", "test.fails('greets'"]],
  'a suppressed type error': [["  expect(greet('Ada'))", "  // @ts-expect-error\n  expect(greet('Ada'))"]],
  'an ignored type error': [["  expect(greet('Ada'))", "  // @ts-ignore\n  expect(greet('Ada'))"]],
  'as any': [["greet('Ada')", "(greet as any)('Ada')"]],
  'as unknown': [["greet('Ada')", '(greet as unknown as () => string)()']],
  'a disabled lint rule': [
    ["  expect(greet('Ada'))", "  // eslint-disable-next-line\n  expect(greet('Ada'))"],
  ],
  'an empty test': [["  expect(greet('Ada')).toBe('Hi, Ada');\n", '']],
  'a deleted test': [["test('greets', () => {\n  expect(greet('Ada')).toBe('Hi, Ada');\n});\n", '']],
  'a swallowed error': [
    [
      "  expect(greet('Ada')).toBe('Hi, Ada');",
      "  try {\n    expect(greet('Ada')).toBe('Hi, Ada');\n  } catch {}",
    ],
  ],
  'fewer assertions': [["  expect(greet('Bob')).toMatch(/Bob/);\n", '']],
  'a weaker matcher': [["toBe('Hi, Ada')", 'toBeTruthy()']],
  'a partial match': [['toEqual(', 'toMatchObject(']],
  'an asymmetric matcher': [["text: 'Hello, Bob', loud", 'text: expect.any(String), loud']],
  'a turned-around assertion': [['.toBe(', '.not.toBe(']],
  'a larger time limit': [['}, 1000);', '}, 60000);']],
  'a conditional assertion': [
    ["  expect(greet('Ada'))", "  if (greet('Ada') === 'Hi, Ada') expect(greet('Ada'))"],
  ],
  'an unreachable assertion': [["  expect(greet('Ada'))", "  return;\n  expect(greet('Ada'))"]],
  'a vacuous assertion': [["toBe('Hi, Ada')", "toBe(greet('Ada'))"]],
  'an assertion nobody waits for': [
    [
      '  const answer = await ask();\n  expect(answer).toBe(42);',
      '  void ask().then((answer) => expect(answer).toBe(42));',
    ],
  ],
  'a mocked subject': [
    ['import { ask }', "vi.mock('./src/greet.ts', () => ({ greet: () => 'Hi, Ada' }));\nimport { ask }"],
  ],
};

describe('verifying a patch', () => {
  let workspace: TemporaryWorkspace;
  let request: VerificationRequest;
  let untouched: Readonly<Record<string, string>>;
  const patch = (changed: Readonly<Record<string, string | undefined>>): string => patchOf(files, changed);
  const replaced = (old: string, now: string): string => replacedIn(test, old, now);
  const rules = (violations: readonly Violation[]): readonly string[] => violations.map(({ rule }) => rule);

  before(async () => {
    workspace = await temporaryWorkspace(files, { git: true, vitest: true });
    request = await requestFor(workspace);
    untouched = await treeSnapshot(workspace.root);
  });
  after(() => workspace.dispose());

  for (const [name, edits] of Object.entries(forbidden)) {
    it(`rejects ${name} without running it`, async () => {
      for (const [old, now] of edits) {
        const text = name === 'a turned-around assertion' ? test.replace(old, now) : replaced(old, now);
        const verdict = await verifyPatch(patch({ 'greet.test.ts': text }), request);
        assert.equal(verdict.verdict, 'rejected');
        assert.equal(verdict.runs, 0);
        assert.notEqual(verdict.violations.length, 0);
        assert.ok(verdict.violations.every(({ file, line }) => file === 'greet.test.ts' && line > 0));
      }
    });
  }

  it('rejects edits of sources, also beside a good edit, by renaming, and of the configuration', async () => {
    const good = { 'greet.test.ts': replaced("'Hi, Ada'", "'Hello, Ada'") };
    const source = patch({ ...good, 'src/greet.ts': "export const greet = () => 'Hi, Ada';\n" });
    assert.deepEqual(rules((await verifyPatch(source, request)).violations), ['only-test-files']);
    const config = patch({ 'vitest.config.ts': 'export default { test: { passWithNoTests: true } };\n' });
    assert.deepEqual(rules((await verifyPatch(config, request)).violations), ['only-test-files']);
    const renamed =
      'diff --git a/src/greet.ts b/support/greet.ts\nsimilarity index 100%\nrename from src/greet.ts\nrename to support/greet.ts\n';
    assert.ok(rules((await verifyPatch(renamed, request)).violations).includes('only-test-files'));
    const deleted = patch({ 'other.test.ts': undefined });
    assert.deepEqual(rules((await verifyPatch(deleted, request)).violations), ['removed-file']);
    assert.deepEqual(await treeSnapshot(workspace.root), untouched);
  });

  it('throws for what is no patch, leaves the root or does not fit', async () => {
    await assert.rejects(verifyPatch('hello', request), { code: 'bad-input' });
    await assert.rejects(verifyPatch(unifiedDiff('../x.test.ts', '1\n', '2\n'), request), {
      code: 'bad-input',
    });
    await assert.rejects(verifyPatch(unifiedDiff('other.test.ts', '1\n', '2\n'), request), { code: 'stale' });
  });

  it('does not run a test that reaches what the file could not reach before', async () => {
    const tampering = "test('first', () => { [Object.is] = [() => true]; });\n\ntest('greets', async";
    const text = patch({ 'greet.test.ts': replaced("test('greets',", tampering) });
    const { verdict, runs, violations } = await verifyPatch(text, request);
    assert.deepEqual([verdict, runs, [...new Set(rules(violations))]], ['rejected', 0, ['new-capability']]);
  });

  it('proves nothing by another input, with its place', async () => {
    const text = patch({ 'greet.test.ts': replaced("greet('Ada')", "greet('Ada', 'en')") });
    const { verdict, reason, runs } = await verifyPatch(text, request);
    assert.deepEqual([verdict, runs], ['unverifiable', 0]);
    assert.match(
      reason ?? '',
      /greet\.test\.ts:\d+: a person must decide whether `greet\('Ada', 'en'\)` is right/,
    );
  });

  it('verifies a changed expectation in three runs of its file, and changes nothing', async () => {
    const text = patch({ 'greet.test.ts': replaced("'Hi, Ada'", "'Hello, Ada'") });
    const { verdict, runs, scope, tests, violations } = await verifyPatch(text, request);
    assert.deepEqual([verdict, runs, scope, violations], ['verified', 3, 'file', []]);
    assert.deepEqual(
      tests.map(({ title, before, after }) => [title, before, after]),
      [
        ['greets', 'failed', 'passed'],
        ['is polite', 'passed', 'passed'],
        ['asks', 'passed', 'passed'],
      ],
    );
    const now = await treeSnapshot(workspace.root);
    // The baseline runs the tests where they are, so vitest's own cache may appear; nothing else.
    const sources = (tree: Readonly<Record<string, string>>): unknown =>
      Object.entries(tree).filter(([file]) => !file.startsWith('node_modules'));
    assert.deepEqual(sources(now), sources(untouched));
  });

  it('proves no value that broken code gives as well', async () => {
    for (const [was, is] of [
      ["'Hi, Ada'", "'Hi, undefined'"],
      ['42', '0'],
      ['42', '-42'],
      ['loud: false });', "loud: false, error: 'no' });"],
    ] as const) {
      const verdict = await verifyPatch(patch({ 'greet.test.ts': replaced(was, is) }), request);
      assert.deepEqual(
        [verdict.verdict, verdict.runs, rules(verdict.violations)],
        ['rejected', 0, ['suspect-value']],
      );
      assert.match(verdict.reason ?? '', /^greet\.test\.ts:\d+ suspect-value: .*a person must decide/);
    }
  });
});

describe('verifying a patch by its runs', () => {
  let workspace: TemporaryWorkspace;
  let request: VerificationRequest;
  const patch = (changed: Readonly<Record<string, string | undefined>>): string =>
    patchOf(nodeFiles, changed);
  const replaced = (old: string, now: string): string => replacedIn(nodeTest, old, now);

  before(async () => {
    workspace = await temporaryWorkspace(nodeFiles, { git: true });
    request = await requestFor(workspace);
  });
  after(() => workspace.dispose());

  it('proves nothing by a test that turns green for the sake of another one', async () => {
    const first = "test('first', () => {\n  assert.equal(say('Hi'), 'Hi');\n});\n\ntest('greets',";
    const text = patch({ 'greet.test.js': replaced("test('greets',", first) });
    const { verdict, reason, tests } = await verifyPatch(text, request);
    assert.deepEqual(
      [verdict, tests.find(({ title }) => title === 'greets')?.after],
      ['unverifiable', 'passed'],
    );
    assert.match(reason ?? '', /"greets" passes only together with the tests that the patch adds/);
  });

  it('verifies tests with other titles and places, and lists what changed', async () => {
    const polite = nodeTest.slice(nodeTest.indexOf("test('is polite'"));
    const moved = nodeTest
      .replace(polite, '')
      .replace("test('greets'", () => `${polite.replace('is polite', 'stays polite')}\ntest('greets'`)
      .replace("import { test } from 'node:test'", "import { describe, test } from 'node:test'");
    const wrapped = moved
      .replace("test('stays", "describe('manners', () => {\ntest('stays")
      .replace("});\n\ntest('greets'", "});\n});\n\ntest('greets'");
    const { verdict, kind, reason, tests, changes } = await verifyPatch(
      patch({ 'greet.test.js': wrapped }),
      request,
    );
    assert.deepEqual([verdict, kind], ['unverifiable', 'cannot-tell'], reason);
    assert.match(reason ?? '', /^"greets" failed before, and the patch gives tests of its file other titles/);
    assert.equal(changes.filter(({ kind: one }) => one === 'import').length, 1);
    const other = await verifyPatch(
      patch({ 'greet.test.js': nodeTest.replace('is polite', 'stays polite') }),
      request,
    );
    assert.equal(other.verdict, 'verified', other.reason);
    assert.deepEqual(
      other.changes.map(({ kind: one, line, old, new: now }) => [one, line, old, now]),
      [['title', 9, "test('is polite', () => {", "test('stays polite', () => {"]],
    );
    assert.ok(tests.length > 0, 'what cannot be told ran all the same');
  });

  it('rejects a patch that adds a test which fails', async () => {
    const added =
      "'Hello, Ada');\n});\n\ntest('added', () => {\n  assert.equal(greet('Cy'), 'Hi, Cy');\n});\n";
    const text = patch({ 'greet.test.js': replaced("'Hi, Ada');\n});\n", added) });
    const { verdict, reason } = await verifyPatch(text, request);
    assert.equal(verdict, 'rejected');
    assert.match(reason ?? '', /"added" does not pass with the patch/);
  });

  it('rejects a patch that mends nothing or breaks what passed', async () => {
    const useless = await verifyPatch(
      patch({ 'greet.test.js': replaced("'Hi, Ada'", "'Hey, Ada'") }),
      request,
    );
    assert.deepEqual([useless.verdict, useless.runs], ['rejected', 1]);
    assert.match(useless.reason ?? '', /^"greets" still fails/);
    const breaking = patch({
      'greet.test.js': replaced("'Hi, Ada'", "'Hello, Ada'").replace("'Hello, Bob'", "'Hey, Bob'"),
    });
    const broken = await verifyPatch(breaking, request);
    assert.equal(broken.verdict, 'rejected');
    assert.match(broken.reason ?? '', /"is polite"/);
  });

  it('follows a renamed test file, and takes a new one into the suite', async () => {
    const renamed = unifiedDiff('hello.test.js', nodeTest, replaced("'Hi, Ada'", "'Hello, Ada'"))
      .replace('diff --git a/hello.test.js', 'diff --git a/greet.test.js')
      .replace('--- a/hello', 'rename from greet.test.js\nrename to hello.test.js\n--- a/greet');
    const moved = await verifyPatch(renamed, request);
    assert.deepEqual([moved.verdict, moved.reason], ['verified', undefined]);
    const text = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { greet } from './src/greet.js';
test('greets Cy', () => assert.equal(greet('Cy'), 'Hello, Cy'));
`;
    const added = unifiedDiff('added.test.js', undefined, text);
    const fresh = await verifyPatch(added, request);
    assert.deepEqual([fresh.reason, fresh.scope], [undefined, 'suite']);
    assert.deepEqual(
      fresh.tests.filter(({ before }) => before === undefined).map(({ id, after }) => [id, after]),
      [['nodeTest:added.test.js#greets Cy', 'passed']],
    );
    await assert.rejects(workspace.read(path.join('added.test.js')));
  });
});
