import assert from 'node:assert/strict';
import { access, chmod, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace } from '../support/temporaryWorkspace.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { atTerminal, ctrlC, endAtTerminal, testmend } from '../support/testmendCli.ts';
import type { CliResult } from '../support/testmendCli.ts';
import { errorDocument, fixDocument, verifyDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const greetTest =
  "import { expect, test } from 'vitest';\nimport { greet } from './greet.mjs';\n\ntest('greets', () => {\n  expect(greet('Ada')).toBe('Hi, Ada');\n});\n";
const priceTest =
  "import { expect, test } from 'vitest';\nimport { net } from './price.mjs';\n\ntest('takes the tax off', () => {\n  expect(net(120)).toBe(100);\n});\n";
/** The same as skill tests, which start in a fraction of the time. */
const skillTest = (imports: string, body: string): string =>
  `import assert from 'node:assert/strict';\n${imports}\n\nexport default () => {\n  ${body}\n  return { passed: 1, failed: 0, errors: [] };\n};\n`;
const skillTests = {
  'tests/greet.tests.mjs': skillTest(
    "import { greet } from '../greet.mjs';",
    "assert.equal(greet('Ada'), 'Hi, Ada');",
  ),
  'tests/price.tests.mjs': skillTest("import { net } from '../price.mjs';", 'assert.equal(net(120), 100);'),
};

/** A green commit, then a renamed export (mechanical) and a changed text (an expectation). */
async function brokenShop(framework: 'vitest' | 'skill'): Promise<TemporaryWorkspace> {
  const tests =
    framework === 'skill' ? skillTests : { 'greet.test.ts': greetTest, 'price.test.ts': priceTest };
  const workspace = await temporaryWorkspace(
    {
      'package.json':
        framework === 'skill' ? '{}' : '{ "type": "module", "devDependencies": { "vitest": "4" } }',
      'greet.mjs': 'export const greet = (name) => `Hi, ${name}`;\n',
      'price.mjs': 'export const net = (cents) => cents / 1.2;\n',
      ...tests,
    },
    { vitest: framework === 'vitest', git: true },
  );
  await workspace.write('greet.mjs', 'export const greet = (name) => `Hello, ${name}`;\n');
  await workspace.write('price.mjs', 'export const withoutTax = (cents) => cents / 1.2;\n');
  return workspace;
}

describe('testmend fix', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());
  const fix = (...args: string[]): Promise<CliResult> => testmend(['fix', ...args], { cwd: workspace.root });

  it('changes nothing on a dry run, writes the patch, ends with 1, and is alone in the folder', async () => {
    workspace = await brokenShop('vitest');
    const patch = path.join(workspace.root, '..', 'fixes.patch');
    const results = await Promise.all(['1', '2'].map(() => fix('--dry-run', '--json', '--patch', patch)));
    const [result, refused] = results.sort((a, b) => (a.code ?? 0) - (b.code ?? 0));
    assert.ok(result && refused);
    assert.deepEqual([refused.code, documentOf(errorDocument, refused).error.code], [2, 'busy']);
    const document = documentOf(fixDocument, result);
    assert.equal(result.code, 1);
    assert.equal(document.status, 'needs-attention');
    assert.deepEqual([document.passRate, document.passRateReviewed], [100, 50]);
    assert.deepEqual(
      document.fixes.map(({ trust, verdict, files }) => [trust, verdict, ...files].join(' ')).sort(),
      ['mechanical verified price.test.ts', 'oracle verified greet.test.ts'],
    );
    assert.equal(workspace.git('status', '--porcelain').trim(), 'M greet.mjs\n M price.mjs');
    assert.equal(await readFile(patch, 'utf8'), document.patch);
    workspace.git('apply', patch);
    assert.match(await workspace.read('greet.test.ts'), /toBe\('Hello, Ada'\)/);
    assert.match(await workspace.read('price.test.ts'), /import \{ withoutTax \} from '\.\/price\.mjs'/);
    assert.equal(workspace.git('status', '--porcelain').trim().split('\n').length, 4);
  });

  it('applies only what changes no meaning without a person', async () => {
    workspace = await brokenShop('skill');
    const { code, stdout } = await fix('--apply');
    assert.equal(code, 1);
    assert.equal(await workspace.read('tests/greet.tests.mjs'), skillTests['tests/greet.tests.mjs']);
    assert.match(await workspace.read('tests/price.tests.mjs'), /assert\.equal\(withoutTax\(120\), 100\);/);
    assert.match(
      stdout,
      /NEEDS ATTENTION {2}1 of 2 tests pass: 50\.0 % .*\n {2}100\.0 % with all proven fixes/,
    );
    const left = stdout.slice(stdout.indexOf('Remaining failures'));
    assert.match(left, /tests\/greet\.tests\.mjs:1 · /);
    assert.match(
      left.replace(/\s+/g, ' '),
      /Accept its proven fix where the source is right: expect 'Hello, Ada' \(was 'Hi, Ada'\)/,
    );
    assert.match(stdout, /1 fix applied\.\n1 proven fix not applied/);
  });

  it('takes changed expectations too when the user says that the source is right', async () => {
    workspace = await brokenShop('skill');
    const result = await fix('--apply', '--assume', 'source-is-right', '--json');
    const document = documentOf(fixDocument, result);
    assert.equal(result.code, 0, result.stdout);
    assert.deepEqual([document.status, document.passRateReviewed, document.remaining], ['passed', 100, []]);
    assert.match(await workspace.read('tests/greet.tests.mjs'), /'Hello, Ada'/);
    assert.equal((await testmend(['run'], { cwd: workspace.root })).code, 0);
    const again = await fix('--dry-run', '--json');
    assert.deepEqual([again.code, documentOf(fixDocument, again).status], [0, 'nothing-to-do']);
  });

  it('writes nothing at all when one file is read-only, and keeps what was found', async () => {
    workspace = await brokenShop('skill');
    const patch = path.join(workspace.root, '..', 'kept.patch');
    await chmod(path.join(workspace.root, 'tests/greet.tests.mjs'), 0o444);
    const result = await fix('--apply', '--assume', 'source-is-right', '--json', '--patch', patch);
    assert.equal(result.code, 2);
    assert.match(await readFile(patch, 'utf8'), /^\+.*'Hello, Ada'/m);
    const { error } = documentOf(errorDocument, result);
    assert.deepEqual([error.code, error.file], ['read-only', 'tests/greet.tests.mjs']);
    assert.equal(await workspace.read('tests/price.tests.mjs'), skillTests['tests/price.tests.mjs']);
  });

  it('tells people and a file what is known of a failure that nothing mended', async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{}',
        'echo.mjs': 'export const echo = (word) => word;\n',
        'tests/echo.tests.mjs': skillTest(
          "import { echo } from '../echo.mjs';",
          "const word = 'Ada';\n  assert.equal(echo(word), word);",
        ),
      },
      { git: true },
    );
    await workspace.write('echo.mjs', 'export const echo = (word) => word.toUpperCase();\n');
    const file = path.join(workspace.root, '..', 'left.md');
    const { code, stdout } = await fix('--dry-run', '--hand-over', file);
    assert.equal(code, 1);
    const left = stdout.slice(stdout.indexOf('Remaining failures'));
    assert.match(left, /\n {4}- expected 'Ada'\n {4}\+ actual {3}'ADA'\n/);
    assert.match(left, /\n {4}Changed source that reaches it: echo\.mjs:1\n/);
    assert.match(left, /No fix: /);
    const markdown = await readFile(file, 'utf8');
    assert.match(markdown, /^# A failing test that Testmend did not mend\n/);
    assert.match(markdown, /\n```diff\n-.*=> word;\n\+.*toUpperCase\(\);\n```\n/);
    assert.match(markdown, /\nActual:\n\n```js\n'ADA'\n```\n/);
    assert.ok(!markdown.includes(workspace.root));
    const unwritable = path.join(workspace.root, 'package.json', 'left.md');
    const refused = await fix('--dry-run', '--json', '--hand-over', unwritable);
    assert.match(documentOf(errorDocument, refused).error.remedy, /--hand-over F/);
  });

  it('names tests by their suites: the same title stands in many of them', async () => {
    const suite = (name: string): string =>
      `describe('${name}', () => {\n  it('is zero when empty', () => {\n    const word = '';\n    assert.equal(${name}(word), word);\n  });\n});\n`;
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'words.js': 'export const first = (word) => word;\nexport const last = (word) => word;\n',
        'test/words.test.js': `import assert from 'node:assert/strict';\nimport { describe, it } from 'node:test';\nimport { first, last } from '../words.js';\n\n${suite('first')}${suite('last')}`,
      },
      { git: true },
    );
    await workspace.write(
      'words.js',
      'export const first = (word) => `${word}?`;\nexport const last = (word) => `${word}!`;\n',
    );
    const { stdout } = await fix('--dry-run');
    const [iterations = '', left = ''] = stdout.split('Remaining failures');
    for (const name of ['first', 'last']) {
      assert.ok(iterations.includes(`✗ ${name} › is zero when empty\n`), stdout);
      assert.ok(left.includes(`✗ ${name} › is zero when empty\n`), stdout);
    }
  });

  it('refuses options that contradict each other and unknown providers', async () => {
    workspace = await brokenShop('skill');
    const [both, unknown] = await Promise.all([
      fix('--apply', '--dry-run', '--json'),
      fix('--provider', 'magic', '--json'),
    ]);
    assert.equal(documentOf(errorDocument, both).error.code, 'usage');
    assert.match(documentOf(errorDocument, unknown).error.message, /no fix provider "magic"/);
  });

  it('asks at a terminal, remembers a bug, and does not ask about it again', async function () {
    workspace = await brokenShop('skill');
    const shown = await atTerminal(['fix'], ['b', 'y'], workspace.root);
    if (shown === undefined) return this.skip();
    assert.match(shown, /\? expect 'Hello, Ada' \(was 'Hi, Ada'\)/);
    assert.match(shown, /because of greet\.mjs:1/);
    assert.match(shown, /a Accept · b It's a bug · s Skip/);
    assert.match(shown, /Apply 1 fix that changes no meaning\?/);
    assert.match(shown, /fix_required: 1 failure comes from the source/);
    assert.equal(await workspace.read('tests/greet.tests.mjs'), skillTests['tests/greet.tests.mjs']);
    assert.match(await workspace.read('tests/price.tests.mjs'), /withoutTax/);
    const again = documentOf(fixDocument, await fix('--dry-run', '--json'));
    assert.deepEqual(
      again.remaining.map(({ id, fault }) => [id, fault]),
      [['skill:tests/greet.tests.mjs', 'source']],
    );
    await workspace.write('greet.mjs', 'export const greet = (name) => `Welcome, ${name}`;\n');
    const later = documentOf(fixDocument, await fix('--dry-run', '--json'));
    assert.equal(later.fixes.length, 1, 'the source changed: the question is open again');
  });

  it('tells what was known by then when it is cut off in its first run, and never a pass', async () => {
    const started = "new URL('../../started', import.meta.url)";
    workspace = await temporaryWorkspace({
      'package.json': '{}',
      'tests/a.tests.mjs': skillTest('', 'assert.equal(1, 2);'),
      'tests/b.tests.mjs': `import { writeFileSync } from 'node:fs';\n\nexport default async () => {\n  writeFileSync(${started}, '');\n  await new Promise((resolve) => setTimeout(resolve, 100_000));\n};\n`,
    });
    const beside = (name: string): string => path.join(workspace.root, '..', name);
    const result = await testmend(
      ['fix', '--json', '--max-parallel', '1', '--reporter', `junit=${beside('fix.xml')}`],
      {
        cwd: workspace.root,
        interruptWhen: () =>
          access(beside('started')).then(
            () => true,
            () => false,
          ),
      },
    );
    const document = documentOf(fixDocument, result);
    assert.deepEqual([result.code, document.status, document.passRate], [130, 'needs-attention', 0]);
    assert.equal(document.ended, 'cancelled');
    assert.ok(document.notes.some((note) => note.includes('cut off in its first run')));
    // What was not run to its end failed nobody.
    assert.deepEqual(
      document.remaining.map(({ id, reason }) => [id, reason]),
      [['skill:tests/a.tests.mjs', 'The cycle was stopped before it looked for the cause.']],
    );
    const junit = await readFile(beside('fix.xml'), 'utf8');
    assert.match(junit, /<testsuite name="tests\/a\.tests\.mjs" [^]*Expected values to be strictly equal/);
    assert.match(junit, /<testsuite name="tests\/b\.tests\.mjs" [^]*<skipped\/>/);
  });

  it('reports and writes nothing when it is interrupted at the last question', async function () {
    workspace = await brokenShop('skill');
    const junit = path.join(workspace.root, '..', 'fix.xml');
    const args = ['fix', '--reporter', `junit=${junit}`];
    const ended = await endAtTerminal(args, ['a', ctrlC], workspace.root);
    if (ended === undefined) return this.skip();
    const [, closing = ''] = ended.shown.split('Apply 1 fix that changes no meaning?');
    assert.match(closing, /NEEDS ATTENTION[^]*It was cancelled\.[^]*2 proven fixes not applied\./);
    assert.doesNotMatch(ended.shown, /AbortError|bug in Testmend/);
    assert.equal(ended.code, 130);
    for (const [file, text] of Object.entries(skillTests)) assert.equal(await workspace.read(file), text);
    assert.match(await readFile(junit, 'utf8'), /tests="2" failures="0" errors="2"/);
  });
});

describe('testmend verify', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  before(async () => {
    workspace = await brokenShop('vitest');
  });
  after(() => workspace.dispose());
  const patchOf = (from: string, to: string): string =>
    `--- a/greet.test.ts\n+++ b/greet.test.ts\n@@ -4,3 +4,3 @@\n ${greetTest.split('\n')[3]}\n-${from}\n+${to}\n });\n`;
  const line = "  expect(greet('Ada')).toBe('Hi, Ada');";

  it('verifies a patch from stdin and changes nothing', async () => {
    const input = patchOf(line, "  expect(greet('Ada')).toBe('Hello, Ada');");
    const result = await testmend(['verify', '--patch', '-', '--json'], { cwd: workspace.root, input });
    const document = documentOf(verifyDocument, result);
    assert.deepEqual(
      [result.code, document.verdict, document.runs, document.violations],
      [0, 'verified', 3, []],
    );
    assert.deepEqual(document.expectations, [
      { file: 'greet.test.ts', line: 5, old: "'Hi, Ada'", new: "'Hello, Ada'" },
    ]);
    assert.equal(await workspace.read('greet.test.ts'), greetTest);
  });

  it('says that somebody must want what is expected now, of a patch that is verified, too', async () => {
    const input = patchOf(line, "  expect(greet('Ada')).toBe('Hello, Ada');");
    const { code, stdout } = await testmend(['verify', '--patch', '-'], { cwd: workspace.root, input });
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^verified .*\n {2}Changed expectations: a person must decide whether they are intended\n {4}greet\.test\.ts:5 {2}'Hi, Ada' → 'Hello, Ada'\n/,
    );
  });

  it('rejects a weakened assertion with the rule it breaks', async () => {
    const file = path.join(workspace.root, '..', 'weak.patch');
    await writeFile(file, patchOf(line, "  expect(greet('Ada')).toBeDefined();"));
    const result = await testmend(['verify', '--patch', file, '--json'], { cwd: workspace.root });
    const document = documentOf(verifyDocument, result);
    assert.deepEqual([result.code, document.verdict, document.violations.length > 0], [1, 'rejected', true]);
    assert.equal(document.violations[0]?.file, 'greet.test.ts');
  });

  it('ends with 2 for what is no patch, a missing file, and no --patch at all', async () => {
    for (const [args, input] of [
      [['--patch', '-'], 'hello'],
      [['--patch', 'nowhere.patch'], ''],
      [[], ''],
    ] as const) {
      const result = await testmend(['verify', ...args, '--json'], { cwd: workspace.root, input });
      assert.equal(result.code, 2);
      documentOf(errorDocument, result);
    }
    const much = Array.from({ length: 200_000 }, (_, line) => `-old ${line}\n+new ${line}\n`).join('');
    const input = `--- a/test/a.test.js\n+++ b/test/a.test.js\n@@ -1,200000 +1,200000 @@\n${much}`;
    const result = await testmend(['verify', '--patch', '-', '--json'], { cwd: workspace.root, input });
    assert.equal(result.code, 2);
    assert.match(
      documentOf(errorDocument, result).error.message,
      /too large to be judged: it changes 400,000 lines/,
    );
  });
});
