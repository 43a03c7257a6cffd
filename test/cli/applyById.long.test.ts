// `testmend fix --apply ID`: fixes that an earlier command proved are written without another cycle, or refused with what to do.
import assert from 'node:assert/strict';
import { cp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fixDocument, type FixJson } from '../../src/core/engine/documentSchemas.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { endAtTerminal, testmend, type CliResult } from '../support/testmendCli.ts';
import { documentOf } from './schemas.ts';

const head = `import { test } from 'node:test';\nimport assert from 'node:assert/strict';\n`;
const net = `${head}import { net } from '../shop.mjs';\ntest('net', () => assert.equal(net(120), 100));\n`;
const both = `${head}import { greet, part } from '../words.mjs';
test('greets', () => assert.equal(greet('Ada'), 'Hi, Ada'));
test('parts', () => assert.equal(part('Ada'), 'Bye, Ada'));
`;
const shop = (name: string): string => `export const ${name} = (cents) => cents / 1.2;\n`;
const words = (hello: string, bye: string): string =>
  `export const greet = (name) => \`${hello}, \${name}\`;\nexport const part = (name) => \`${bye}, \${name}\`;\n`;

describe('a fix that is applied by its id', function () {
  this.timeout(240_000);
  let workspace: TemporaryWorkspace;
  let fixes: FixJson['fixes'];
  const fix = (...args: string[]): Promise<CliResult> => testmend(['fix', ...args], { cwd: workspace.root });
  const texts = (): Promise<string[]> =>
    Promise.all(['test/net.test.mjs', 'test/words.test.mjs'].map((file) => workspace.read(file)));
  const idOf = (text: string): string =>
    fixes.find(({ edits }) => JSON.stringify(edits).includes(text))?.id ?? assert.fail(text);
  const refused = async (message: RegExp, ...args: string[]): Promise<void> => {
    const before = await texts();
    const { code, stdout, stderr } = await fix(...args);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
    assert.deepEqual(await texts(), before);
  };

  // One cycle proves them, and each test finds them again: the workspace with its caches.
  let folder: string;
  let found: string;
  const faithfully = { recursive: true, preserveTimestamps: true, verbatimSymlinks: true };
  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "scripts": { "test": "node --test" } }',
        'shop.mjs': shop('net'),
        'words.mjs': words('Hi', 'Bye'),
        'test/net.test.mjs': net,
        'test/words.test.mjs': both,
      },
      { git: true },
    );
    await workspace.write('shop.mjs', shop('netOf'));
    await workspace.write('words.mjs', words('Hello', 'Farewell'));
    const document = documentOf(fixDocument, await fix('--json'));
    assert.match(document.cycleId ?? '', /^cycle-[0-9a-f]{12}$/);
    fixes = document.fixes.filter(({ verdict }) => verdict === 'verified');
    folder = path.dirname(workspace.root);
    found = `${folder}-found`;
    await cp(folder, found, faithfully);
  });
  beforeEach(async () => {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    await cp(found, folder, faithfully);
  });
  after(async () => {
    await workspace.dispose();
    await rm(found, { recursive: true, force: true });
  });

  it('is written, and then another of the same file; one that was written is refused', async () => {
    const one = await fix('--apply', idOf('netOf'), '--json');
    assert.equal(one.code, 1, one.stderr);
    assert.equal(documentOf(fixDocument, one).status, 'needs-attention');
    assert.match((await texts()).join(''), /import \{ netOf[\s\S]*'Hi, Ada'[\s\S]*'Bye, Ada'/);
    await refused(/is in its files already[\s\S]*Run the tests/, '--apply', idOf('netOf'));
    await refused(/nobody has agreed[\s\S]*--assume source-is-right/, '--apply', idOf('Hello'));
    const agreed = ['--assume', 'source-is-right'];
    await fix('--apply', idOf('Hello'), ...agreed);
    assert.match((await texts()).join(''), /'Hello, Ada'[\s\S]*'Bye, Ada'/);
    const all = await fix('--apply', idOf('Farewell').slice(0, 12), ...agreed);
    assert.match(all.stdout, /PASSED {2}3 of 3 tests pass[\s\S]*1 fix applied\./);
    assert.equal(all.code, 0);
    assert.match((await texts()).join(''), /'Hello, Ada'[\s\S]*'Farewell, Ada'/);
  });

  it('is refused where it is not known, another option goes with it, or a file is no longer what it was proven against', async () => {
    const id = idOf('netOf');
    await refused(
      /No fix cycle of this folder is known[\s\S]*Run a fix cycle again/,
      '--apply',
      '0'.repeat(40),
    );
    await refused(/--strategy belongs to a fix cycle/, '--apply', id, '--strategy', 'surgical');
    await workspace.write('shop.mjs', `${shop('netOf')}// later\n`);
    await refused(/shop\.mjs changed after the fix[\s\S]*Run a fix cycle again/, '--apply', id);
    await workspace.write('shop.mjs', shop('netOf'));
    await workspace.write('test/net.test.mjs', `${net}// mine\n`);
    await refused(/test\/net\.test\.mjs changed after the fix/, '--apply', id);
  });

  it('is not known where its cycle cannot be read, which is set aside', async () => {
    const [corner = ''] = await readdir(path.join(workspace.root, '../caches/testmend'));
    const folder = path.join(workspace.root, '../caches/testmend', corner, 'cycles-1');
    const [name = ''] = await readdir(folder);
    await writeFile(path.join(folder, name), `{"id":"${idOf('netOf')}`);
    await refused(/No fix cycle of this folder is known/, '--apply', idOf('netOf'));
    assert.deepEqual(await readdir(folder), [`${name}.torn`]);
  });

  it('is shown at a terminal, where somebody has to agree to a changed expectation', async function () {
    const no = await endAtTerminal(['fix', '--apply', idOf('netOf'), idOf('Hello')], ['n'], workspace.root);
    if (no === undefined) return this.skip();
    assert.match(no.shown, /Hello, Ada[\s\S]*Apply this fix\?[\s\S]*Nothing was applied/);
    assert.deepEqual(await texts(), [net, both]);
    const yes = await endAtTerminal(['fix', '--apply', idOf('netOf'), idOf('Hello')], ['y'], workspace.root);
    assert.equal(yes?.code, 1, yes?.shown);
    assert.match((await texts()).join(''), /netOf[\s\S]*'Hello, Ada'/);
  });
});
