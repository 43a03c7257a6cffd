// What happens around a capture run: files come back whatever happens, and printed values count only when they are certain.
import assert from 'node:assert/strict';
import path from 'node:path';
import { captureValues } from '../../../src/core/diagnosis/captureValues.ts';
import { reportedAssertion } from '../../../src/core/diagnosis/reportedAssertion.ts';
import { summarize } from '../../../src/core/model/summarize.ts';
import type { TestResult } from '../../../src/core/model/testResult.ts';
import { readText } from '../../../src/core/workspace/readText.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { writerIn } from '../../support/writerIn.ts';

const result = (file: string, message: string, expected?: string, actual?: string): TestResult => ({
  id: `vitest:${file}#test`,
  file,
  line: 1,
  title: 'test',
  suites: [],
  outcome: 'failed',
  durationMs: 1,
  failure: {
    message,
    ...(expected !== undefined && { expected }),
    ...(actual !== undefined && { actual }),
    stack: [{ name: '', file, line: 2, column: 3 }],
    kind: 'assertion',
    severity: 'medium',
  },
});

describe('instrumented test files', () => {
  const files = {
    'package.json': '{}',
    'plain.test.ts': `// @vitest-environment jsdom\nimport { it } from 'vitest';\n`,
    'deep/strict.test.js': `\uFEFF'use strict';\r\nit('x', () => {});`,
    'deep/shebang.test.mjs': `#!/usr/bin/env node\nit('x', () => {});\n`,
    'empty.test.ts': '',
  };

  it('keep their lines while they run, and come back byte for byte when the run is cancelled', async () => {
    const workspace = await temporaryWorkspace(files);
    const during: Record<string, string> = {};
    try {
      const tests = Object.keys(files).filter((file) => file !== 'package.json');
      const run = async (): Promise<never> => {
        for (const file of tests) during[file] = (await readText(path.join(workspace.root, file))) ?? '';
        throw new Error('cancelled');
      };
      const results = tests.map((file) => result(file, 'failed'));
      await assert.rejects(
        captureValues({ root: workspace.root, write: writerIn(workspace.root), results, run }),
        /cancelled/,
      );
      for (const [file, text] of Object.entries(files)) {
        assert.equal(await workspace.read(file), text);
        assert.equal((during[file] ?? text).split('\n').length, text.split('\n').length, file);
      }
      assert.match(
        during['plain.test.ts'] ?? '',
        /^\/\/ @vitest-environment jsdom\nimport "\.\/testmend-capture-\w+\.mjs"; import \{ it \}/,
      );
      assert.match(
        during['deep/strict.test.js'] ?? '',
        /^\uFEFFimport "\.\.\/testmend-capture-\w+\.mjs"; 'use strict';\r\n/,
      );
      assert.match(during['deep/shebang.test.mjs'] ?? '', /^#!.*\nimport "\.\.\/testmend-capture-/);
    } finally {
      await workspace.dispose();
    }
  });

  it('say nothing for a test that passes this time', async () => {
    const workspace = await temporaryWorkspace(files);
    try {
      const failed = result('plain.test.ts', `expected 'b' to be 'a' // Object.is equality`, 'a', 'b');
      const { failure: _failure, ...passing } = failed;
      const run = async () =>
        summarize([{ ...passing, outcome: 'passed' }], { durationMs: 1, notes: [], ended: 'complete' });
      const captured = await captureValues({
        root: workspace.root,
        write: writerIn(workspace.root),
        results: [failed],
        run,
      });
      assert.deepEqual([...captured], [[failed.id, []]]);
    } finally {
      await workspace.dispose();
    }
  });
});

describe('printed values', () => {
  const printed = (message: string, expected: string, actual: string): unknown[] | undefined => {
    const found = reportedAssertion(result('a.test.ts', message, expected, actual), '/shop');
    return found && [found.expected, found.actual];
  };
  const text = (value: string): unknown => ({ kind: 'string', value });

  it('are texts where the message shows quotes, whole or cut', () => {
    assert.deepEqual(printed(`expected 'Hello' to be 'Hi' // Object.is equality`, 'Hi', 'Hello'), [
      text('Hi'),
      text('Hello'),
    ]);
    assert.deepEqual(
      printed(`expected 'a long te…' to deeply equal 'another l…'`, 'another long one', 'a long text'),
      [text('another long one'), text('a long text')],
    );
  });

  it('are numbers where it shows none', () => {
    assert.deepEqual(printed('expected 5 to be 4.5 // Object.is equality', '4.5', '5'), [
      { kind: 'number', text: '4.5' },
      { kind: 'number', text: '5' },
    ]);
  });

  it('are nothing where they could be either, or belong to another comparison', () => {
    assert.equal(printed('expected x to be y', '4', '5'), undefined);
    assert.equal(printed(`expected 'a' to be 'b' // Object.is equality`, 'other', 'a'), undefined);
    assert.equal(
      printed(
        `expected { a: 1 } to deeply equal { a: 2 }`,
        'Object {\n  "a": 2,\n}',
        'Object {\n  "a": 1,\n}',
      ),
      undefined,
    );
    assert.equal(printed(`expected 'a' to contain 'b'`, 'b', 'a'), undefined);
  });

  it('are nothing where a part of them was left out', () => {
    const cut = 'x\n… 900 characters left out …\nx';
    assert.equal(printed(`expected 'x…' to be 'x…' // Object.is equality`, cut, `${cut}y`), undefined);
  });

  it('keep the place of the failure', () => {
    const found = reportedAssertion(result('a.test.ts', 'expected 5 to be 4', '4', '5'), '/shop');
    assert.equal(found?.stack, '    at /shop/a.test.ts:2:3');
  });
});
