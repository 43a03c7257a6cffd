// What `testmend fix --apply` does with a proven fix that does not help in the workspace itself: the file is as before, and that is said.
import assert from 'node:assert/strict';
import { chmod, link, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { fixDocument } from '../../src/core/engine/documentSchemas.ts';
import { documentOf } from './schemas.ts';

const test = (body: string): string =>
  `import assert from 'node:assert/strict';\nimport { existsSync, readFileSync, appendFileSync } from 'node:fs';\nimport { net } from '../shop.mjs';\n\nexport default () => {\n  ${body}\n  return { passed: 1, failed: 0, errors: [] };\n};\n`;
const source = (name: string): string => `export const ${name} = (cents) => cents / 1.2;\n`;
/** Git ignores it, so that no copy has it. */
const held = "new URL('../held.lock', import.meta.url)";
const helped = test('assert.equal(net(120), 100);');
const unhelped = test(
  `assert.equal(net(240), 200);\n  assert.ok(!existsSync(${held}), 'somebody holds the shop');`,
);

describe('a written fix that does not help on disk', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());
  const fix = (...args: string[]): Promise<CliResult> => testmend(['fix', ...args], { cwd: workspace.root });
  const broken = async (files: Record<string, string>): Promise<void> => {
    workspace = await temporaryWorkspace(
      { 'package.json': '{}', '.gitignore': 'held.lock\n', 'shop.mjs': source('net'), ...files },
      { git: true },
    );
    await workspace.write('shop.mjs', source('netOf'));
    await workspace.write('held.lock', '');
  };

  it('is taken back, with what the file was, and the others stay; pass rate and exit code count what is left', async () => {
    await broken({ 'tests/net.tests.mjs': helped, 'tests/held.tests.mjs': unhelped });
    const [file, twin] = ['tests/held.tests.mjs', 'held.twin'].map((name) => path.join(workspace.root, name));
    assert.ok(file !== undefined && twin !== undefined);
    await chmod(file, 0o755);
    await link(file, twin);
    const patch = path.join(workspace.root, '..', 'fixes.patch');
    const events = path.join(workspace.root, '..', 'events.ndjson');
    const json = await fix('--apply', '--json', '--patch', patch, '--events', `ndjson=${events}`);
    const { fixes, notes, remaining, passRate, passRateReviewed, status } = documentOf(fixDocument, json);
    assert.deepEqual(
      [json.code, status, passRate, passRateReviewed],
      [1, 'needs-attention', 50, 50],
      json.stderr,
    );
    assert.equal(await workspace.read('tests/held.tests.mjs'), unhelped);
    assert.equal(await readFile(twin, 'utf8'), unhelped);
    assert.equal((await stat(file)).mode & 0o777, 0o755);
    assert.match(await workspace.read('tests/net.tests.mjs'), /import \{ netOf/);
    const back = fixes.find(({ files }) => files.includes('tests/held.tests.mjs'));
    assert.equal(back?.verdict, 'rejected');
    assert.match(back.reason ?? '', /^Taken back: its test still fails on disk: .*somebody holds the shop/);
    assert.match(notes.join('\n'), /Taken back: .*held\.tests\.mjs/);
    assert.match(remaining[0]?.reason ?? '', /taken back/);
    const text = await readFile(patch, 'utf8');
    assert.deepEqual([text.includes('net.tests.mjs'), text.includes('held.tests.mjs')], [true, false]);
    const told = await readFile(events, 'utf8');
    assert.match(told.trimEnd().split('\n').at(-1) ?? '', /"fixRolledBack".*still fails on disk/);
    const shown = await fix('--apply');
    assert.match(shown.stdout, /! Taken back: /);
    assert.equal(shown.code, 1);
  });

  it('stays where its file changed meanwhile; one after which another test fails goes alone', async () => {
    const other = `if (existsSync(${held})) assert.match(readFileSync(new URL('./net.tests.mjs', import.meta.url), 'utf8'), /\\{ net \\}/);`;
    const writes = test(
      `assert.equal(net(240), 200);\n  if (existsSync(${held})) {\n    appendFileSync(new URL(import.meta.url), '// mine\\n');\n    assert.fail('not here');\n  }`,
    );
    await broken({
      'tests/net.tests.mjs': helped,
      'tests/second.tests.mjs': helped,
      'tests/writes.tests.mjs': writes,
      'tests/other.tests.mjs': test(other).replace(/^import \{ net \}.*\n/m, ''),
    });
    const json = await fix('--apply', '--json');
    const { notes, remaining } = documentOf(fixDocument, json);
    const told = notes.join('\n');
    assert.equal(await workspace.read('tests/net.tests.mjs'), helped, told);
    assert.match(await workspace.read('tests/second.tests.mjs'), /netOf/);
    assert.match(await workspace.read('tests/writes.tests.mjs'), /netOf[^]*\/\/ mine/);
    assert.match(told, /passed before and fails with this fix/);
    assert.match(told, /tests\/writes\.tests\.mjs changed since/);
    assert.deepEqual(remaining.map(({ id }) => id.replace(/.*\/|#.*/g, '')).sort(), [
      'net.tests.mjs',
      'writes.tests.mjs',
    ]);
    assert.equal(json.code, 1);
  });
});
