// A patch of tests in Python through the command line: a changed expectation is proven by pytest, everything else is refused with its reason.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { unifiedDiff } from '../../../../src/core/workspace/unifiedDiff.ts';
import { testmend } from '../../../support/testmendCli.ts';
import { makeEnvironment, pythonWith } from '../../../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const test = `import pytest
from shop import greet, price


def test_greets():
    assert greet("Ada") == "Hi, Ada"


@pytest.mark.parametrize("name, text", [("Bob", "Hello, Bob"), ("Eve", "Hi, Eve")])
def test_greets_all(name, text):
    assert greet(name) == text


def test_price():
    assert price("tea") == 3
    with pytest.raises(KeyError, match="no coffee"):
        price("coffee")


@pytest.mark.skipif(True, reason="not here")
def test_elsewhere():
    assert price("milk") == 1
`;
const files: Readonly<Record<string, string>> = {
  'pytest.ini': '[pytest]\n',
  '.gitignore': '.venv/\n',
  'shop.py':
    'def greet(name):\n    return f"Hello, {name}"\n\n\ndef price(name):\n    if name == "coffee":\n        raise KeyError("no coffee")\n    return 3\n',
  'test_shop.py': test,
  'test_limit.py':
    'from shop import price\n\nEXPECTED = 2\n\n\ndef test_limit():\n    assert price("tea") == EXPECTED\n\n\ndef test_other():\n    assert price("tea") == 9\n',
};
const verdictSchema = z.object({
  verdict: z.string(),
  reason: z.string().optional(),
  runs: z.number(),
  violations: z.array(z.object({ rule: z.string(), file: z.string(), line: z.number() })),
});

describe('verifying a patch of tests in Python', () => {
  let workspace: TemporaryWorkspace;

  before(async function () {
    const python = pythonWith();
    if (python === undefined) return this.skip();
    workspace = await temporaryWorkspace(files, { git: true });
    makeEnvironment(python, path.join(workspace.root, '.venv'), '--system-site-packages');
  });
  after(() => workspace?.dispose());

  const verify = async (file: string, edits: readonly (readonly [string, string])[]) => {
    const before = files[file] ?? '';
    const after = edits.reduce((text, [old, now]) => text.replace(old, () => now), before);
    assert.notEqual(after, before);
    await writeFile(path.join(workspace.root, '../fix.patch'), unifiedDiff(file, before, after));
    const { stdout, stderr } = await testmend(['verify', '--patch', '../fix.patch', '--json'], {
      cwd: workspace.root,
    });
    assert.notEqual(stdout, '', stderr);
    return verdictSchema.parse(JSON.parse(stdout));
  };

  it('proves a value in an assertion and in a row of a table, in three runs and one of the suite, and changes nothing', async () => {
    const verdict = await verify('test_shop.py', [
      ['"Hi, Ada"', '"Hello, Ada"'],
      ['"Hi, Eve"', '"Hello, Eve"'],
    ]);
    assert.deepEqual([verdict.verdict, verdict.reason, verdict.runs], ['verified', undefined, 4]);
    assert.equal(await workspace.read('test_shop.py'), test);
  });

  it('proves a constant by the tests that use it, and rejects one that does not fit', async () => {
    const verdict = await verify('test_limit.py', [['EXPECTED = 2', 'EXPECTED = 3']]);
    assert.deepEqual([verdict.verdict, verdict.reason], ['verified', undefined]);
    assert.equal((await verify('test_limit.py', [['EXPECTED = 2', 'EXPECTED = 4']])).verdict, 'rejected');
  });

  it('rejects a value that the code does not give', async () => {
    const verdict = await verify('test_shop.py', [['"Hi, Ada"', '"Hey, Ada"']]);
    assert.equal(verdict.verdict, 'rejected');
    assert.match(verdict.reason ?? '', /test_greets" still fails/);
  });

  it('rejects what changes an expectation in a test that does not run', async () => {
    const verdict = await verify('test_shop.py', [
      ['"Hi, Ada"', '"Hello, Ada"'],
      ['price("milk") == 1', 'price("milk") == 7'],
    ]);
    assert.equal(verdict.verdict, 'rejected');
    assert.match(verdict.reason ?? '', /test_elsewhere" is skipped/);
  });

  for (const [name, rule, edits] of [
    ['a skip', 'skip', [['def test_greets():', '@pytest.mark.skip\ndef test_greets():']]],
    ['a weaker comparison', 'weaker-assertion', [['greet("Ada") == "Hi, Ada"', '"Ada" in greet("Ada")']]],
    [
      'an expectation that the code computes',
      'computed-expectation',
      [['== "Hi, Ada"', '== str(greet("Ada"))']],
    ],
    ['a wider exception', 'widened-exception', [['KeyError, match="no coffee"', 'Exception']]],
    ['a test that is not collected', 'removed-test', [['def test_greets():', 'def greets():']]],
  ] as const)
    it(`rejects ${name} with its rule and its line, without a run`, async () => {
      const verdict = await verify('test_shop.py', edits);
      assert.deepEqual([verdict.verdict, verdict.runs], ['rejected', 0]);
      assert.ok(verdict.violations.some((found) => found.rule === rule && found.line > 0));
    });

  it('rejects a change of how pytest runs, and of the source', async () => {
    const changed = await verify('pytest.ini', [['[pytest]\n', '[pytest]\naddopts = -k nothing\n']]);
    assert.deepEqual(
      changed.violations.map(({ rule }) => rule),
      ['only-test-files'],
    );
    const source = await verify('shop.py', [['Hello', 'Hi']]);
    assert.deepEqual(
      source.violations.map(({ rule }) => rule),
      ['only-test-files'],
    );
  });

  it('calls unverifiable what it does not understand', async () => {
    const verdict = await verify('test_shop.py', [
      ['def test_price():\n', 'def test_price():\n    greet("x")\n'],
    ]);
    assert.equal(verdict.verdict, 'unverifiable');
    assert.match(verdict.reason ?? '', /test_shop\.py:15/);
  });
});
