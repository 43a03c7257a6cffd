// Fixes tried in the workspace itself (`--sandbox in-place`): it is as it was afterwards, also after a kill and beside somebody who edits.
import assert from 'node:assert/strict';
import {
  chmod,
  link,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';
import { treeSnapshot } from '../support/treeSnapshot.ts';

const test = 'tests/price.tests.mjs';
const testText = `import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { net } from '../price.mjs';

export default async () => {
  const beside = path.join(import.meta.dirname, '../..');
  // Not in a run on the former source, where it loads as it is.
  const isTrial = readFileSync(new URL(import.meta.url), 'utf8').includes('without' + 'Tax');
  if (isTrial) writeFileSync(path.join(beside, 'trial has begun'), '');
  while (isTrial && existsSync(path.join(beside, 'hold'))) await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(net(120), 100);
  return { passed: 1, failed: 0, errors: [] };
};
`;

describe('testmend fix --sandbox in-place', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let beside: string;
  beforeEach(async () => {
    workspace = await temporaryWorkspace(
      { 'package.json': '{}', 'price.mjs': 'export const net = (cents) => cents / 1.2;\n', [test]: testText },
      { git: true },
    );
    beside = path.dirname(workspace.root);
    await workspace.write('price.mjs', 'export const withoutTax = (cents) => cents / 1.2;\n');
  });
  afterEach(() => workspace.dispose());

  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<CliResult> =>
    testmend(args, { cwd: workspace.root, env });
  const inPlace = (...args: string[]): string[] => ['fix', '--sandbox', 'in-place', ...args];
  const files = async (): Promise<Readonly<Record<string, string>>> =>
    Object.fromEntries(
      Object.entries(await treeSnapshot(workspace.root)).filter(
        ([name, text]) => !name.startsWith('.git') && !text.endsWith('folder'),
      ),
    );
  const journals = async (): Promise<readonly string[]> => {
    const caches = path.join(beside, 'state/testmend');
    const [corner = ''] = await readdir(caches);
    return readdir(path.join(caches, corner, 'journal'));
  };
  /** Starts a cycle, waits until the fix is on trial, does the work, and lets the trial end. */
  const amidTrial = async (work: () => Promise<void>, ...args: string[]): Promise<CliResult> => {
    await writeFile(path.join(beside, 'hold'), '');
    const cycle = run(inPlace(...args));
    const over = new AbortController();
    void cycle.then(() => over.abort());
    const hasBegun = (): Promise<boolean> =>
      readdir(beside).then((names) => names.includes('trial has begun'));
    while (!(await hasBegun()) && !over.signal.aborted)
      await new Promise((resolve) => setTimeout(resolve, 10));
    assert.match(await workspace.read(test), /withoutTax/, 'the fix stands in the workspace');
    await work();
    await rm(path.join(beside, 'hold'));
    return cycle;
  };

  it('proves a fix without a copy, and gives the very file back', async () => {
    await chmod(path.join(workspace.root, test), 0o755);
    await workspace.write(test, `\uFEFF${testText.replaceAll('\n', '\r\n')}`);
    const [before, { ino }] = [await files(), await stat(path.join(workspace.root, test))];
    const { stdout } = await amidTrial(async () => {
      assert.ok(!(await readdir(beside)).includes('sandboxes'), 'nothing was copied');
    });
    assert.match(stdout, /verified/);
    assert.deepEqual(await files(), before);
    assert.equal((await stat(path.join(workspace.root, test))).ino, ino);
    assert.deepEqual(await journals(), []);
  });

  it('writes accepted fixes like any other cycle', async () => {
    const { code } = await run(inPlace('--apply'));
    assert.equal(code, 0);
    assert.equal(await workspace.read(test), testText.replaceAll('net', 'withoutTax'));
  });

  it('gives files back to their other names and through links', async () => {
    const file = path.join(workspace.root, test);
    await rename(file, path.join(workspace.root, 'real.mjs'));
    await symlink('../real.mjs', file);
    await link(path.join(workspace.root, 'real.mjs'), path.join(beside, 'second name'));
    await workspace.write('real.mjs', testText.replace("'../price.mjs'", "'./price.mjs'"));
    const before = await files();
    await run(inPlace());
    assert.deepEqual(await files(), before);
    const [one, other] = [path.join(workspace.root, 'real.mjs'), path.join(beside, 'second name')];
    assert.equal((await stat(one)).ino, (await stat(other)).ino);
  });

  it('keeps what somebody writes during a trial, says so, and where the former text is', async () => {
    const { code, stdout, stderr } = await amidTrial(() => workspace.write(test, '// mine\n'), '--apply');
    assert.equal(await workspace.read(test), '// mine\n');
    assert.equal(code, 1);
    assert.match(stdout.replace(/\s+/g, ' '), /ended early: \S+ was changed while a fix was tried in it\./);
    const kept = /left as it is now\. Its text from before is in (\S+?)\.\n/.exec(stderr)?.[1] ?? '';
    assert.equal(await readFile(kept, 'utf8'), testText);
    assert.deepEqual(await journals(), []);
  });

  it('keeps a file deleted that somebody deletes during a trial', async () => {
    const { stderr } = await amidTrial(() => rm(path.join(workspace.root, test)));
    await assert.rejects(workspace.read(test), /ENOENT/);
    assert.match(stderr, /was changed while fixes were tried/);
  });

  it('lets no second cycle of any kind into the folder, and no run, nor one of another root of the repository', async () => {
    const before = await files();
    await amidTrial(async () => {
      await workspace.write('packages/web/package.json', '{}');
      await workspace.write(
        'packages/web/tests/one.tests.mjs',
        'export default () => ({ passed: 1, failed: 0, errors: [] });\n',
      );
      await writeFile(path.join(beside, 'empty.patch'), '');
      const elsewhere = ['--root', 'packages/web'];
      for (const args of [
        ['fix'],
        inPlace(),
        ['run'],
        ['verify', '--patch', '../empty.patch'],
        ['run', ...elsewhere],
        inPlace(...elsewhere),
      ]) {
        const { code, stdout, stderr } = await run(args);
        assert.doesNotMatch(stdout, /passed/);
        assert.equal(code, 2);
        assert.match(
          stderr,
          /A fix cycle is already running for this folder|being tried in this folder itself/,
        );
      }
      const { stderr } = await run(['discover']);
      assert.match(stderr, /tests may meet files that are not yours/);
      assert.match(await workspace.read(test), /withoutTax/, 'the trial goes on');
      await rm(path.join(workspace.root, 'packages'), { recursive: true });
    });
    assert.deepEqual(await files(), before);
  });

  it('begins nothing while tests are run', async () => {
    const before = await files();
    await writeFile(path.join(beside, 'hold'), '');
    await workspace.write(test, testText.replaceAll('net', 'withoutTax'));
    const running = run(['run']);
    while (!(await readdir(beside)).includes('trial has begun'))
      await new Promise((resolve) => setTimeout(resolve, 10));
    const { code, stderr } = await run(inPlace());
    assert.equal(code, 2);
    assert.match(stderr, /Tests of this folder are being run or proven since \d\d:\d\d, in process \d+/);
    await rm(path.join(beside, 'hold'));
    assert.equal((await running).code, 0);
    assert.deepEqual(Object.keys(await files()), Object.keys(before));
  });

  it('touches nothing where the journal cannot be written', async () => {
    const before = await files();
    await writeFile(path.join(beside, 'no folder'), '');
    const unwritable = await run(inPlace(), { XDG_STATE_HOME: path.join(beside, 'no folder') });
    assert.equal(unwritable.code, 2);
    assert.match(unwritable.stderr, /cannot be written[\s\S]*XDG_STATE_HOME/);
    // A disk that is full: no byte more goes into files of the journal.
    const script = path.join(beside, 'full.mjs');
    await writeFile(
      script,
      `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { openSync, writeSync } = fs;
const journal = new Set();
fs.openSync = (file, ...rest) => {
  const handle = openSync(file, ...rest);
  if (String(file).includes('in-place-')) journal.add(handle); else journal.delete(handle);
  return handle;
};
fs.writeSync = (handle, ...rest) => {
  if (journal.has(handle)) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  return writeSync(handle, ...rest);
};
syncBuiltinESMExports();
`,
    );
    const full = await run(inPlace(), { NODE_OPTIONS: `--import=${pathToFileURL(script).href}` });
    assert.equal(full.code, 2);
    assert.match(full.stderr, /cannot be written: ENOSPC/);
    assert.deepEqual(await files(), before);
  });

  it('keeps originals as copies where the journal lies on another disk', async function () {
    const other = await mkdtemp('/dev/shm/testmend-').catch(() => undefined);
    if (other === undefined || (await stat(other)).dev === (await stat(beside)).dev) this.skip();
    try {
      await chmod(path.join(workspace.root, test), 0o755);
      const before = await files();
      const env = { XDG_STATE_HOME: other };
      assert.match((await run(inPlace(), env)).stdout, /verified/);
      const rounded = (tree: Readonly<Record<string, string>>): readonly string[] =>
        Object.entries(tree).map(([name, text]) => `${name} ${text.replace(/\.\d+ /, ' ')}`);
      assert.deepEqual(rounded(await files()), rounded(before));
      await link(path.join(workspace.root, test), path.join(beside, 'second name'));
      const { stdout } = await run(inPlace(), env);
      assert.match(stdout, /has a second name \(a hard link\)/);
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });

  it('gives a file back that a kill left without its name', async () => {
    const before = await files();
    const script = path.join(beside, 'die.mjs');
    // The first link to the name is the trial's, the second the original's.
    for (const nth of [1, 2]) {
      await writeFile(
        script,
        `import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
const { linkSync } = fs;
let calls = 0;
fs.linkSync = (from, to) => {
  if (to === ${JSON.stringify(path.join(workspace.root, test))} && ++calls === ${nth}) process.kill(process.pid, 'SIGKILL');
  return linkSync(from, to);
};
syncBuiltinESMExports();
`,
      );
      const { code } = await run(inPlace(), { NODE_OPTIONS: `--import=${pathToFileURL(script).href}` });
      assert.equal(code, null);
      await assert.rejects(workspace.read(test), /ENOENT/);
      await run(['discover']);
      assert.deepEqual(await files(), before);
      assert.deepEqual(await journals(), []);
    }
  });

  it('proves nothing with a source that was corrected while the first runs went on', async () => {
    await workspace.write(
      'tests/other.tests.mjs',
      `import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
export default async () => {
  const once = path.join(root, '../corrected');
  if (!existsSync(once)) {
    writeFileSync(once, '');
    writeFileSync(path.join(root, 'price.mjs'), 'export const withoutTax = (cents) => Math.round(cents / 1.2);\\n');
  }
  return { passed: 1, failed: 0, errors: [] };
};
`,
    );
    await workspace.write(test, testText.replace('net(120)', 'net(121)').replace('100)', '101)'));
    const { stdout } = await run(inPlace('--apply'));
    assert.match(stdout, /price\.mjs, which is not a test file, changed during the fix cycle/);
    assert.doesNotMatch(await workspace.read(test), /withoutTax/);
  });

  it('lets no agent into the workspace', async () => {
    const { code, stderr } = await run(inPlace('--agent', 'true'));
    assert.equal(code, 2);
    assert.match(stderr, /--agent and --sandbox in-place exclude each other/);
  });

  it('verifies a patch there, too', async () => {
    const before = await files();
    await workspace.write(test, testText.replaceAll('net', 'withoutTax'));
    await writeFile(path.join(beside, 'fix.patch'), workspace.git('diff', '--', 'tests'));
    await workspace.write(test, testText);
    const { code, stdout } = await run(['verify', '--patch', '../fix.patch', '--sandbox', 'in-place']);
    assert.equal(code, 0, stdout);
    assert.deepEqual(Object.keys(await files()), Object.keys(before));
    assert.equal(await workspace.read(test), testText);
  });
});
