import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { transform } from 'esbuild';
import { describeFailure } from '../../../src/core/failures/describeFailure.ts';
import { parseStack } from '../../../src/core/failures/parseStack.ts';
import { severityOf } from '../../../src/core/failures/severity.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const root = path.resolve('/shop');
const testFile = path.join(root, 'test/cart.test.ts');
const describeIt = (
  raw: Parameters<typeof describeFailure>[0],
  rest: Partial<Parameters<typeof describeFailure>[1]> = {},
): ReturnType<typeof describeFailure> =>
  describeFailure(raw, { root, testFile, title: 'cart adds', ...rest });

describe('parseStack', () => {
  it('reads the frames that V8 prints', () => {
    const stack = `Error: at first glance (fine:1:2)
    at /shop/test/cart.test.ts:8:29
    at Cart.add (file:///shop/src/my%20cart.ts:4:9)
    at async Promise.all (index 0)
    at async loadAll (/shop/src/load.ts?v=12ab:10:3)
    at new Cart (/shop/src/a (b)/cart.ts:1:1)
    at Object.<anonymous> (node:internal/process:5:6)
    at eval (eval at run (/shop/x.js:1:1), <anonymous>:1:7)
    at <anonymous>
    at http://localhost:5173/@fs/shop/src/browser.ts?import&t=1:3:4`;
    assert.deepEqual(
      parseStack(stack).map(({ name, file, line, column }) => `${name}|${file}|${line}:${column}`),
      [
        '|/shop/test/cart.test.ts|8:29',
        'Cart.add|/shop/src/my cart.ts|4:9',
        'loadAll|/shop/src/load.ts|10:3',
        'new Cart|/shop/src/a (b)/cart.ts|1:1',
        'Object.<anonymous>|node:internal/process|5:6',
        '|/shop/src/browser.ts|3:4',
      ],
    );
  });
});

describe('describeFailure', () => {
  it('puts a failure at the first frame in the test file, else at the first inside the root', () => {
    const stack = `Error: no
    at lib (/shop/node_modules/lib/index.js:1:1)
    at add (/shop/src/cart.ts:4:9)
    at /shop/test/cart.test.ts:8:29`;
    const failure = describeIt({ message: 'no', stack });
    assert.deepEqual(failure.location, { file: 'test/cart.test.ts', line: 8, column: 29 });
    assert.deepEqual(failure.stack[0], {
      name: 'lib',
      file: 'node_modules/lib/index.js',
      line: 1,
      column: 1,
    });
    const elsewhere = describeIt({ message: 'no', stack }, { testFile: path.join(root, 'other.test.ts') });
    assert.deepEqual(elsewhere.location, { file: 'src/cart.ts', line: 4, column: 9 });
    assert.equal(describeIt({ message: 'no' }).location, undefined);
  });

  it('tells kinds apart by name and message, never by what stands in paths', () => {
    const stack = 'Error: x\n    at /shop/src/Test timed out in 5ms/AssertionError.ts:1:1';
    const kinds: readonly (readonly [string, Parameters<typeof describeFailure>[0]])[] = [
      ['assertion', { name: 'AssertionError', message: 'expected 1 to be 2' }],
      ['assertion', { name: 'Error', message: 'Snapshot `a 1` mismatched' }],
      ['assertion', { name: 'Error', message: 'custom', expected: '1', actual: '2' }],
      ['error', { name: 'Error', message: 'custom', expected: 'undefined', actual: 'undefined' }],
      ['timeout', { name: 'Error', message: 'Test timed out in 5000ms.\nIf this is …' }],
      ['timeout', { name: 'Error', message: 'Hook timed out in 10ms.' }],
      ['error', { name: 'Error', message: 'The request Test timed out in 5ms', stack }],
      ['error', { name: 'SyntaxError', message: 'Unexpected token } in JSON', stack }],
      [
        'load',
        { name: 'Error', message: "Cannot find module '../gone' imported from /shop/test/cart.test.ts" },
      ],
      ['empty', { name: 'Error', message: 'No test suite found in file /shop/test/cart.test.ts' }],
    ];
    assert.deepEqual(
      kinds.map(([, raw]) => `${describeIt(raw).kind} ${raw.message}`),
      kinds.map(([kind, raw]) => `${kind} ${raw.message}`),
    );
  });

  it('removes colours and drops values where nothing was compared', () => {
    const failure = describeIt({
      name: 'AssertionError',
      message: '\u001b[31mexpected\u001b[39m 1',
      expected: '\u001b[32m"b"\u001b[0m',
      actual: '"a"',
    });
    assert.equal(failure.message, 'expected 1');
    assert.equal(failure.expected, '"b"');
    const thrown = describeIt({
      name: 'AssertionError',
      message: 'expected [Function] to throw an error',
      expected: 'null',
      actual: 'undefined',
    });
    assert.equal('expected' in thrown, false);
  });

  it('keeps a real comparison with null', () => {
    const failure = describeIt({
      message: 'expected undefined to be null',
      expected: 'null',
      actual: 'undefined',
    });
    assert.deepEqual([failure.expected, failure.actual], ['null', 'undefined']);
  });

  it('finds the line of a load error in the words of each parser and resolver', async () => {
    const workspace = await temporaryWorkspace({
      'test/a.test.ts': `import { it } from 'vitest';\nimport { gone } from '../src/gone';\nconst = 3;\n`,
      'src/b.ts': `// uses it\nimport x from "left-pad";\n`,
    });
    const file = path.join(workspace.root, 'test/a.test.ts');
    const at = (message: string): string => {
      const { location, kind, severity } = describeFailure(
        { message },
        { root: workspace.root, testFile: file, title: 'a', kind: 'load' },
      );
      return `${kind} ${severity} ${location?.file}:${location?.line}:${location?.column}`;
    };
    const found = [
      `Transform failed with 1 error:\n${file}:3:6: ERROR: Expected identifier but found "="`,
      'Transform failed with 1 error:\n\n[PARSE_ERROR] Unexpected token\n   ╭─[ test/a.test.ts:3:7 ]\n   │\n 3 │ const = 3;',
      `Cannot find module '../src/gone' imported from ${file}`,
      `Cannot find module '../src/gone' imported from '${file}'`,
      `Cannot find module '${path.join(workspace.root, 'src/gone')}' imported from ${file}`,
      'Failed to resolve import "../src/gone" from "test/a.test.ts". Does the file exist?',
      `Failed to load url ../src/gone (resolved id: ../src/gone) in ${file}. Does the file exist?`,
      `Cannot find module '../src/gone' from 'test/a.test.ts'\n\nRequire stack:\n  test/a.test.ts`,
      `Cannot find package 'left-pad' imported from ${path.join(workspace.root, 'src/b.ts')}`,
      `${file}: Unexpected token (3:6)\n\n> 3 | const = 3;`,
      'total.ts: wrong sum (3:6) in the book',
    ].map(at);
    await workspace.dispose();
    assert.deepEqual(found, [
      'load critical test/a.test.ts:3:7',
      'load critical test/a.test.ts:3:7',
      ...Array.from({ length: 6 }, () => 'load critical test/a.test.ts:2:22'),
      'load critical src/b.ts:2:15',
      'load medium test/a.test.ts:3:7',
      'load medium undefined:undefined:undefined',
    ]);
  });

  for (const inline of [true, false]) {
    it(`leads compiled code back to its source through ${inline ? 'an inline map' : 'a map beside it'}`, async () => {
      const source = `export interface Box {\n  x: number;\n}\n\nexport function open(box: Box): never {\n  throw new Error('boom ' + box.x);\n}\n\nopen({ x: 1 });\n`;
      const compiled = await transform(source, {
        loader: 'ts',
        format: 'esm',
        minify: true,
        sourcefile: '../src/box.ts',
        sourcemap: inline ? 'inline' : 'external',
      });
      const workspace = await temporaryWorkspace({
        'src/box.ts': source,
        'dist/box.mjs': inline ? compiled.code : `${compiled.code}\n//# sourceMappingURL=box.mjs.map\n`,
        ...(inline ? {} : { 'dist/box.mjs.map': compiled.map }),
      });
      const { stderr } = spawnSync(process.execPath, [path.join(workspace.root, 'dist/box.mjs')], {
        encoding: 'utf8',
      });
      const failure = describeFailure(
        { message: 'boom 1', stack: stderr },
        { root: workspace.root, title: 'box' },
      );
      await workspace.dispose();
      assert.deepEqual(failure.location, { file: 'src/box.ts', line: 6, column: 9 });
    });
  }
});

describe('severityOf', () => {
  it('goes by the first name that matches, and is raised by errors that keep code from running', () => {
    const told = [
      ['handles login and data', ''],
      ['core prices', ''],
      ['edge cases', ''],
      ['adds', ''],
      ['edge cases', 'ReferenceError: x is not defined'],
      ['edge cases', "Error: Cannot find module './gone'"],
      ['edge cases', 'SyntaxError: Unexpected token'],
      ['adds', 'TypeError: x is not a function'],
    ].map(([name = '', error = '']) => severityOf(name, error));
    assert.deepEqual(told, [
      'critical',
      'high',
      'low',
      'medium',
      'critical',
      'critical',
      'critical',
      'medium',
    ]);
  });
});
