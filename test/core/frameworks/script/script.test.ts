// A workspace of no framework that we know: `npm test` with a real npm, and what is made of what it prints.
import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { detectProjects } from '../../../../src/core/frameworks/detect.ts';
import { readTap } from '../../../../src/core/frameworks/script/readTap.ts';
import { drawn, resultOf, runWorkspace } from '../../../support/runWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const scripted = (script: string): Record<string, string> => ({
  'package.json': `{\n  "scripts": {\n    "build": "true",\n    "test": ${JSON.stringify(script)}\n  }\n}\n`,
});

/** Runs `npm test` of a workspace whose test.js prints the text and exits with the code. */
async function ran(text: string, exitCode = 0, rest = ''): ReturnType<typeof runWorkspace> {
  const program = `process.stdout.write(${JSON.stringify(text)}); ${rest} process.exitCode = ${exitCode};\n`;
  const workspace = await temporaryWorkspace({ ...scripted('node test.js'), 'test.js': program });
  try {
    return await runWorkspace(workspace.root);
  } finally {
    await workspace.dispose();
  }
}

async function scriptsFound(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const workspace = await temporaryWorkspace(files, { vitest: true });
  const { projects } = await detectProjects(workspace.root);
  await workspace.dispose();
  return projects.map(({ framework, root }) => `${framework} ${path.relative(workspace.root, root)}`.trim());
}

const json = (value: unknown): string => JSON.stringify(value);
const test = (script: string): string => json({ scripts: { test: script } });

describe('finding npm test', () => {
  it('takes any test script of a package without a framework, and only there', async () => {
    assert.deepEqual(await scriptsFound({ 'package.json': test('make check') }), ['script']);
    assert.deepEqual(await scriptsFound({ 'package.json': test('vitest run'), 'a.test.js': '' }), ['vitest']);
    for (const none of ['', 'echo "Error: no test specified" && exit 1'])
      assert.deepEqual(await scriptsFound({ 'package.json': test(none) }), []);
  });

  it('leaves scripts that pass the work on to the packages they start', async () => {
    const inner = { 'packages/a/package.json': test('node check.js') };
    for (const delegating of [
      'turbo test',
      'npx nx run-many -t test',
      'lerna run test',
      'pnpm -r test',
      'npm test --workspaces',
      'yarn workspaces foreach run test',
      'FOO=1 cross-env BAR=2 turbo run test',
      'npm run lint && npm run unit',
    ]) {
      const scripts = { lint: 'eslint .', unit: 'pnpm --recursive run test', test: delegating };
      assert.deepEqual(
        await scriptsFound({ 'package.json': json({ scripts }), ...inner }),
        ['script packages/a'],
        delegating,
      );
    }
  });

  it('leaves packages below to the root that runs them, and examples and fixtures alone', async () => {
    const packages = {
      'packages/a/package.json': test('node check.js'),
      'examples/b/package.json': test('node check.js'),
      'test/fixtures/c/package.json': test('node check.js'),
    };
    assert.deepEqual(await scriptsFound({ 'package.json': test('node all.js'), ...packages }), ['script']);
    assert.deepEqual(await scriptsFound({ 'package.json': '{}', ...packages }), ['script packages/a']);
    const files = { 'package.json': test('vitest run'), 'packages/a/a.test.js': '', ...packages };
    assert.deepEqual(await scriptsFound(files), ['vitest']);
  });
});

describe('running npm test', () => {
  it('goes by the exit code where nothing else is told', async () => {
    const green = await ran('all is well\n');
    assert.deepEqual(drawn(green.summary.tests), ['passed script:package.json']);
    assert.match(green.summary.tests[0]?.output ?? '', /all is well/);
    const red = await ran('it broke\n', 3);
    const result = resultOf(red.summary, 'script:package.json');
    assert.equal(`${result.outcome} ${result.title} ${result.line}`, 'failed npm test 4');
    assert.match(result.failure?.message ?? '', /^It exited with code 3\.\nIt printed last:\n[^]*it broke$/);
  });

  it('gives the script no secret with which it could tell results of its own', async () => {
    const forged = {
      type: 'fileCollected',
      file: 'forged.js',
      tests: [{ key: 'x', suites: [], title: 'x' }],
    };
    const workspace = await temporaryWorkspace({
      ...scripted('node check.js'),
      'check.js': `const token = process.env.TESTMEND_CHANNEL;
if (token) console.log('knows it');
const line = JSON.stringify({ token, ...${JSON.stringify(forged)} });
require('node:fs').writeSync(3, '\\n' + line + '\\n');
`,
    });
    const { projects } = await detectProjects(workspace.root, { frameworks: ['script'] });
    const { summary } = await runWorkspace(workspace.root, { projects });
    await workspace.dispose();
    assert.deepEqual(
      summary.tests.map(({ id, output }) => [id, /knows it/.test(output ?? '')]),
      [['script:package.json', false]],
    );
  });

  it('tells the tests of TAP, whoever prints it', async () => {
    const workspace = await temporaryWorkspace({
      ...scripted('node --test --test-reporter=tap check.js'),
      'check.js': `const { describe, it, test } = require('node:test');
const assert = require('node:assert');
test('adds', () => {});
describe('cart', () => {
  it('holds', () => { assert.strictEqual(1, 2); });
  it.skip('later', () => {});
});
`,
    });
    const { projects } = await detectProjects(workspace.root, { frameworks: ['script'] });
    assert.equal(projects.length, 1);
    const { summary } = await runWorkspace(workspace.root, { projects });
    assert.deepEqual(drawn(summary.tests), [
      'passed script:package.json#adds',
      'failed script:package.json#cart › holds',
      'skipped script:package.json#cart › later',
    ]);
    const { failure } = resultOf(summary, 'script:package.json#cart › holds');
    assert.deepEqual(failure?.location, { file: 'check.js', line: 5, column: 30 });
    assert.deepEqual([failure.expected, failure.actual, failure.kind], ['2', '1', 'assertion']);
    await workspace.dispose();
  });

  it('knows the assertions of tape by the heading above them, and their places', () => {
    const text = `TAP version 13
# adds numbers
ok 1 should be equal
not ok 2 should be truthy
  ---
    operator: ok
    expected: true
    actual:   false
    at: Test.<anonymous> (test/a.js:7:5)
  ...

1..2
# tests 2
# pass  1
# fail  1
`;
    const { tests, trouble } = readTap(text, '/work');
    assert.equal(trouble, undefined);
    assert.deepEqual(
      tests.map(({ suites, title, outcome }) => [...suites, title, outcome].join(' | ')),
      ['adds numbers | should be equal | passed', 'adds numbers | should be truthy | failed'],
    );
    assert.match(tests[1]?.failure?.stack ?? '', /\(\/work\/test\/a\.js:7:5\)$/);
  });

  it('takes no green TAP for a pass when the script failed, nor one without tests', async () => {
    const cases: readonly (readonly [string, number, RegExp, readonly string[]])[] = [
      [
        'TAP version 13\nok 1 a\n1..1\n',
        1,
        /^No test failed, but it exited with code 1\./,
        ['passed script:package.json#a'],
      ],
      ['TAP version 13\n1..0\n', 0, /^It exited with code 0 and reported no test\./, []],
      [
        'TAP version 13\n1..3\nok 1 a\n',
        0,
        /announces 3 tests, but only 1 finished/,
        ['passed script:package.json#a'],
      ],
      [
        'TAP version 13\nok 1 a\nBail out! the database is gone\n',
        0,
        /Bail out! the database is gone/,
        ['passed script:package.json#a'],
      ],
    ];
    for (const [text, code, message, others] of cases) {
      const { summary } = await ran(text, code);
      assert.deepEqual(drawn(summary.tests).toSorted(), ['failed script:package.json', ...others]);
      assert.match(resultOf(summary, 'script:package.json').failure?.message ?? '', message);
    }
  });

  it('tells the tests of a JUnit report on stdout', async () => {
    const report = `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>
<testsuites><testsuite name="cart &amp; co"><testcase name="adds" time="0.5"/>
<testcase name="&e; &#x3e; fails" file="a.js" line="3"><failure message="1 &lt; 2"><![CDATA[1 < 2
    at a.js:3:7]]></failure></testcase><testcase name="later"><skipped/></testcase></testsuite></testsuites>\n`;
    const { summary } = await ran(report, 1);
    assert.deepEqual(drawn(summary.tests), [
      'passed script:package.json#cart & co › adds',
      'failed script:package.json#cart & co › &e; > fails',
      'skipped script:package.json#cart & co › later',
    ]);
    assert.equal(summary.tests[0]?.durationMs, 500);
    assert.equal(summary.tests[1]?.failure?.message, '1 < 2');
    const counted = await ran('<testsuite name="s" failures="1"><testcase name="adds"/></testsuite>\n');
    assert.match(
      resultOf(counted.summary, 'script:package.json').failure?.message ?? '',
      /counts 1 failed tests and lists 0/,
    );
    const marked = await ran('<testsuite name="s"><testcase name="adds" status="failed"/></testsuite>\n');
    assert.deepEqual(drawn(marked.summary.tests), ['failed script:package.json#s › adds']);
    const half = await ran('<testsuite name="s"><testcase name="adds"/>\n');
    assert.match(
      resultOf(half.summary, 'script:package.json').failure?.message ?? '',
      /report is incomplete/,
    );
  });

  it('ends a script that hangs, and bears one that prints without end', async () => {
    const hanging = await temporaryWorkspace({
      ...scripted('node hang.js'),
      'hang.js': "console.log('TAP version 13\\nok 1 a'); setInterval(() => {}, 1000);\n",
    });
    const { summary } = await runWorkspace(hanging.root, { limits: { timeoutMs: 2500 } });
    assert.equal(summary.ended, 'timeout');
    assert.deepEqual(drawn(summary.tests).toSorted(), [
      'errored script:package.json',
      'passed script:package.json#a',
    ]);
    await hanging.dispose();
    const loud = await ran('', 0, "for (let n = 0; n < 3000; n++) console.log('x'.repeat(10_000));");
    assert.deepEqual(drawn(loud.summary.tests), ['passed script:package.json']);
  });

  it('starts the package manager that the workspace names, and says when it is not there', async () => {
    const named = { 'package.json': json({ packageManager: 'pnpm@9.0.0', scripts: { test: 'node x.js' } }) };
    const workspace = await temporaryWorkspace({
      ...named,
      // Stands in for pnpm, which is not part of Node: it shows how it is called.
      'bin/pnpm': '#!/bin/sh\necho "pnpm was called with: $*"\n',
    });
    await chmod(path.join(workspace.root, 'bin/pnpm'), 0o755);
    const { PATH = '' } = process.env;
    try {
      process.env['PATH'] = `${path.join(workspace.root, 'bin')}${path.delimiter}${PATH}`;
      const { summary } = await runWorkspace(workspace.root);
      assert.match(summary.tests[0]?.output ?? '', /pnpm was called with: test/);
      process.env['PATH'] = workspace.root;
      const { summary: without } = await runWorkspace(workspace.root);
      assert.deepEqual(drawn(without.tests), ['errored script:package.json']);
      assert.match(
        without.tests[0]?.failure?.message ?? '',
        /^pnpm runs the tests .* none on PATH\. Install pnpm/,
      );
    } finally {
      process.env['PATH'] = PATH;
      await workspace.dispose();
    }
  });
});
