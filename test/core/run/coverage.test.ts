// Runs with coverage: every JavaScript framework counts the same source alike, and says so when it cannot.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { RunSummary } from '../../../src/core/model/testResult.ts';
import { body, draw, expected, exportLine, source } from '../../support/coverageSource.ts';
import { runWorkspace, type RunOptions } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const withExport = { ...expected, lines: expected.lines + exportLine };
const imported = (from: string): string => `import { grade, Cart, wait } from '${from}';\n`;
const required = `const { grade, Cart, wait } = require('../src/shape.js');\n`;
const test = `it('works', async () => { ${body} });\n`;
const packageJson = (content: object): string => JSON.stringify(content);

describe('a run with coverage', () => {
  const open: TemporaryWorkspace[] = [];
  const workspace = async (
    files: Readonly<Record<string, string>>,
    packages: readonly string[] = [],
  ): Promise<string> => {
    const made = await temporaryWorkspace(files, { packages });
    open.push(made);
    return made.root;
  };
  const run = async (root: string, options: RunOptions = {}): Promise<RunSummary> =>
    (await runWorkspace(root, { coverage: {}, ...options })).summary;
  after(() => Promise.all(open.map((one) => one.dispose())));

  it('counts in jest, also what no test loads, and takes missed thresholds for no failure', async () => {
    const root = await workspace(
      {
        'package.json': packageJson({
          jest: {
            collectCoverageFrom: ['src/**'],
            coverageReporters: ['text'],
            coverageThreshold: { global: { lines: 100 } },
          },
        }),
        'src/shape.js': source.commonJs,
        'src/unloaded.js': 'function nobody() {\n  return 1;\n}\nmodule.exports = nobody;\n',
        'tests/shape.test.js': required + test,
      },
      ['jest'],
    );
    const { passed, errored, notes, coverage } = await run(root);
    assert.deepEqual([passed, errored, notes], [1, 0, []]);
    assert.deepEqual(draw(coverage, 'src/shape.js'), withExport);
    assert.deepEqual(draw(coverage, 'src/unloaded.js'), { lines: '2:0 4:0', functions: '1:0', branches: '' });
    assert.deepEqual(await readdir(root), ['node_modules', 'package.json', 'src', 'tests']);
  });

  it('counts in jest with its provider v8', async () => {
    const root = await workspace(
      {
        'package.json': packageJson({ jest: { coverageProvider: 'v8' } }),
        'src/shape.js': source.commonJs,
        'tests/shape.test.js': required + test,
      },
      ['jest'],
    );
    const { coverage } = await run(root);
    // Its provider counts every line of the text, those without a statement too.
    assert.deepEqual(draw(coverage, 'src/shape.js').lines.match(/\b(?:31|32|35):\d+/g), [
      '31:0',
      '32:0',
      '35:1',
    ]);
  });

  it('counts in vitest, with its include, and takes missed thresholds for no failure', async () => {
    const root = await workspace(
      {
        'package.json': packageJson({ type: 'module' }),
        'vitest.config.js': `export default { test: { coverage: {
          include: ['src/**'], reporter: ['text', 'html'], reportsDirectory: 'report',
          thresholds: { 100: true, perFile: true, 'src/**': { lines: 100 } },
        } } };\n`,
        'src/shape.ts': source.typescript,
        'src/unloaded.js': 'export function nobody() {\n  return 1;\n}\n',
        'tests/shape.test.ts': `import { it } from 'vitest';\n${imported('../src/shape.ts')}${test}it('fails', () => { throw new Error('no'); });\n`,
      },
      ['vitest', 'vite', '@vitest/coverage-v8'],
    );
    const { passed, failed, errored, notes, coverage } = await run(root);
    assert.deepEqual([passed, failed, errored, notes], [1, 1, 0, []]);
    assert.deepEqual(draw(coverage, 'src/shape.ts'), expected);
    assert.deepEqual(draw(coverage, 'src/unloaded.js'), { lines: '2:0', functions: '1:0', branches: '' });
    assert.ok(!(await readdir(root)).includes('report'));
  });

  it('passes without coverage in a vitest that has no provider, and says what to install', async () => {
    const root = await workspace(
      {
        'package.json': packageJson({ type: 'module', devDependencies: { vitest: '*' } }),
        'pnpm-lock.yaml': '',
        'tests/a.test.js': `import { it } from 'vitest';\nit('works', () => {});\n`,
      },
      ['vitest', 'vite'],
    );
    const { passed, errored, notes, coverage } = await run(root);
    assert.deepEqual([passed, errored, coverage?.files], [1, 0, []]);
    assert.match(notes[0] ?? '', /not installed\. Run `pnpm add -D @vitest\/coverage-v8@\d+\.\d+\.\d+`\.$/);
  });

  it('counts in mocha, whatever else counts in the script of the user', async () => {
    const root = await workspace(
      {
        'package.json': packageJson({ scripts: { test: 'NODE_V8_COVERAGE=own nyc --all mocha tests' } }),
        'src/shape.js': source.commonJs,
        'tests/shape.test.js': required + test,
      },
      ['mocha'],
    );
    const { passed, notes, coverage } = await run(root);
    assert.deepEqual([passed, notes], [1, []]);
    assert.deepEqual(
      coverage?.files.map(({ file }) => file),
      ['src/shape.js'],
    );
    assert.deepEqual(draw(coverage, 'src/shape.js'), withExport);
    assert.deepEqual(
      coverage?.files[0]?.functions.map(({ name }) => name),
      ['grade', 'constructor', 'add', 'total', '', 'clear', '', '', 'wait'],
    );
    assert.deepEqual(await readdir(root), ['node_modules', 'package.json', 'src', 'tests']);
  });

  it('counts TypeScript at its own lines, with tsx, parallel workers, CRLF and a byte order mark', async () => {
    const root = await workspace(
      {
        'package.json': packageJson({ scripts: { test: 'mocha --parallel --import=tsx tests/*.ts' } }),
        'src/shape.ts': `\uFEFF${source.typescript.replaceAll('\n', '\r\n')}`,
        'tests/a.test.ts': imported('../src/shape.ts') + test,
        'tests/b.test.ts': `import { grade } from '../src/shape.ts';\nit('grades', () => { grade(11); });\n`,
      },
      ['mocha', 'tsx'],
    );
    const { passed, notes, coverage } = await run(root);
    assert.deepEqual([passed, notes], [2, []]);
    const drawn = draw(coverage, 'src/shape.ts');
    // The second file grades once more; which of the workers loads a module depends on who gets which file.
    assert.equal(drawn.branches, expected.branches.replace('3:4 3:4 4:1,3', '3:5 3:5 4:2,3'));
    assert.equal(drawn.functions, expected.functions.replace('3:4', '3:5'));
  });

  it('counts in node:test', async () => {
    const root = await workspace({
      'package.json': packageJson({ scripts: { test: 'c8 node --test tests/*.test.js' } }),
      'src/shape.js': source.commonJs,
      'tests/shape.test.js': `const { it } = require('node:test');\n${required}${test}`,
      'tests/other.test.js':
        "const { it } = require('node:test');\nit('grades', () => void require('../src/shape.js').grade(11));\n",
    });
    const { passed, notes, coverage } = await run(root);
    assert.deepEqual([passed, notes], [2, []]);
    assert.equal(
      draw(coverage, 'src/shape.js').branches,
      expected.branches.replace('3:4 3:4 4:1,3', '3:5 3:5 4:2,3'),
    );
    assert.equal(coverage?.files.length, 1);
  });

  it('counts in ava', async () => {
    const root = await workspace(
      {
        'package.json': packageJson({ type: 'module', devDependencies: { ava: '*' } }),
        'src/shape.js': source.module,
        'tests/shape.js': `import test from 'ava';\n${imported('../src/shape.js')}test('works', async (t) => { ${body} t.pass(); });\n`,
      },
      ['ava'],
    );
    const { passed, notes, coverage } = await run(root);
    assert.deepEqual([passed, notes], [1, []]);
    assert.deepEqual(draw(coverage, 'src/shape.js'), expected);
    assert.equal(coverage?.files.length, 1);
  });

  it('counts in skill tests and the processes they start', async () => {
    const root = await workspace({
      'package.json': packageJson({ type: 'module' }),
      'src/shape.js': source.module,
      'src/tool.js': "import { grade } from './shape.js';\ngrade(11);\n",
      'tests/shape.tests.mjs': `${imported('../src/shape.js')}import { execFileSync } from 'node:child_process';
export default async () => {
  ${body}
  execFileSync(process.execPath, [new URL('../src/tool.js', import.meta.url).pathname]);
  return { passed: 1, failed: 0, errors: [] };
};\n`,
    });
    const { passed, notes, coverage } = await run(root);
    assert.deepEqual([passed, notes], [1, []]);
    assert.equal(
      draw(coverage, 'src/shape.js').branches,
      expected.branches.replace('3:4 3:4 4:1,3', '3:5 3:5 4:2,3'),
    );
    assert.equal(draw(coverage, 'src/tool.js').lines, '2:1');
  });

  it('keeps what other processes told when one is killed in mid-run, and says that something is missing', async () => {
    const root = await workspace({
      'src/a.mjs': 'export const a = () => 1;\n',
      'tests/fine.tests.mjs':
        "import { a } from '../src/a.mjs';\nexport default () => (a(), { passed: 1, failed: 0, errors: [] });\n",
      'tests/killed.tests.mjs': "export default () => process.kill(process.pid, 'SIGKILL');\n",
    });
    const { passed, errored, coverage, notes } = await run(root);
    assert.deepEqual([passed, errored], [1, 1]);
    assert.equal(draw(coverage, 'src/a.mjs').lines, '1:1');
    assert.ok(
      notes.includes(
        'Processes that were ended before their time: 1 of 2. What they counted may be missing.',
      ),
      notes.join('\n'),
    );
  });

  it('has no coverage and a note when no test runs, and leaves no folder behind', async () => {
    const temporary = await realpath(await mkdtemp(path.join(os.tmpdir(), 'testmend-empty-')));
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = temporary;
    try {
      const root = await workspace({ 'tests/a.tests.mjs': 'export default () => ({});\n' });
      const { coverage, notes } = await run(root, { selection: { filter: 'nothing like it' } });
      assert.deepEqual(coverage?.files, []);
      assert.ok(notes.includes('no tests ran'));
      assert.ok(
        notes.some((note) => note.startsWith('No coverage:')),
        notes.join('\n'),
      );
      const left = (await readdir(temporary)).filter((name) => name.startsWith('testmend-coverage-'));
      assert.deepEqual(left, []);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      await rm(temporary, { recursive: true, force: true });
    }
  });
});
