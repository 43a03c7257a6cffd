// Killed in the very write of accepted fixes: the next start, of a command or of the engine, makes the workspace whole again.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { requests } from '../../src/server/messages.ts';
import { startEngineFor } from '../support/greetingShop.ts';
import { renamedShop } from '../support/renamedShop.ts';
import type { TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const names = ['first', 'second'];

describe('testmend, killed while it writes fixes', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  beforeEach(async () => {
    workspace = await renamedShop(names);
  });
  afterEach(() => workspace.dispose());

  const run = (...args: string[]): Promise<CliResult> => testmend(args, { cwd: workspace.root });
  const status = (): string => workspace.git('status', '--porcelain', '--untracked-files=all').trim();

  /** Applies two fixes in a process that dies when `call` of node:fs/promises gets to the second file. */
  const applyAndDie = async (call: 'rename' | 'open'): Promise<void> => {
    const script = path.join(workspace.root, '../die.mjs');
    const folder = JSON.stringify(path.join(workspace.root, 'tests'));
    await writeFile(
      script,
      `import fs from 'node:fs/promises';
import path from 'node:path';
import { syncBuiltinESMExports } from 'node:module';
const original = fs.${call};
let calls = 0;
fs.${call} = async (...args) => {
  const isWrite = ${call === 'rename' ? 'true' : "args[1] === 'wx'"};
  if (isWrite && path.dirname(String(args[0])) === ${folder} && ++calls === 2) process.kill(process.pid, 'SIGKILL');
  return original(...args);
};
syncBuiltinESMExports();
`,
    );
    const { code, stdout } = await testmend(['fix', '--apply'], {
      cwd: workspace.root,
      env: { NODE_OPTIONS: `--import=${pathToFileURL(script).href}` },
    });
    assert.equal(code, null, stdout);
  };

  it('is followed by a command that takes the half back and says so', async () => {
    const before = status();
    await applyAndDie('rename');
    const half = status();
    assert.match(half, /^ ?M tests\//m, 'the kill came after the first file');
    const { stderr } = await run('discover');
    assert.match(stderr, /killed while it wrote fixes: tests\/\w+\.tests\.mjs got its former text back/);
    assert.equal(status(), before);
  });

  it('leaves no temporary file behind once an engine has started', async () => {
    const before = status();
    await applyAndDie('open');
    assert.notEqual(status(), before, 'the kill came after the first temporary file');
    const cache = process.env['XDG_CACHE_HOME'];
    process.env['XDG_CACHE_HOME'] = path.join(workspace.root, '../caches');
    const engine = await startEngineFor([workspace.root]);
    try {
      await engine.request(requests.listFiles, {});
      assert.equal(status(), before);
    } finally {
      await engine.end();
      if (cache === undefined) delete process.env['XDG_CACHE_HOME'];
      else process.env['XDG_CACHE_HOME'] = cache;
    }
  });
});
