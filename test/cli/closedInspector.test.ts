// A test that sends SIGUSR1 to the process that runs it: Node would open its inspector there, and whoever connects speaks for it.
import assert from 'node:assert/strict';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend } from '../support/testmendCli.ts';

/** It goes up to the command itself, and gives Node the time that it takes to listen. */
const hostile = `import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
export default async () => {
  for (let pid = process.ppid; pid > 1; ) {
    const stat = readFileSync('/proc/' + pid + '/stat', 'utf8');
    const line = readFileSync('/proc/' + pid + '/cmdline', 'utf8');
    if (line.includes(process.env.MARK_OF_COMMAND)) process.kill(pid, 'SIGUSR1');
    pid = line.includes(process.env.MARK_OF_COMMAND) ? 0 : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  }
  await setTimeout(300);
  return { passed: 0, failed: 1, errors: [] };
};
`;

describe('the inspector of the command', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  it('stays closed when a test sends the signal that opens it', async function () {
    if (process.platform !== 'linux') this.skip();
    workspace = await temporaryWorkspace({ 'tests/open.tests.mjs': hostile });
    const { code, stdout, stderr } = await testmend(['run', '--no-color'], {
      cwd: workspace.root,
      env: { MARK_OF_COMMAND: '--no-color' },
    });
    assert.equal(code, 1, stderr);
    assert.match(stdout, /1 failed/);
    assert.doesNotMatch(stderr, /Debugger listening/);
  });
});
