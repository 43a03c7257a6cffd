'use strict';
// A cancelled run leaves no process of the user's.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const vscode = require('vscode');
const { commandsBelow, open, root, until } = require('./support.cjs');

const endless = `import { writeFileSync } from 'node:fs';
import { it } from 'vitest';

it('never ends', async () => {
  writeFileSync(new URL('../endless.pid', import.meta.url), String(process.pid));
  await new Promise(() => setInterval(() => undefined, 1000));
}, 600_000);
`;

describe('cancelling a run', () => {
  const file = () => path.join(root(), 'tests/endless.test.ts');
  const pidFile = () => path.join(root(), 'endless.pid');

  afterEach(async () => {
    for (const made of [file(), pidFile()]) fs.rmSync(made, { force: true });
    await vscode.commands.executeCommand('testing.refreshTests');
  });

  it('ends the test process and vitest itself', async function () {
    if (!fs.existsSync('/proc/self/stat')) this.skip();
    fs.writeFileSync(file(), endless);
    await vscode.commands.executeCommand('testing.refreshTests');
    await open('tests/endless.test.ts');
    // The command does nothing while the view does not know the new file's tests yet: asked for again until it runs.
    const runs = [];
    let lastAsked = 0;
    const pid = await until('the test runs', () => {
      const written = fs.existsSync(pidFile()) ? fs.readFileSync(pidFile(), 'utf8') : '';
      if (written !== '') return Number(written);
      if (Date.now() - lastAsked > 5000) {
        lastAsked = Date.now();
        runs.push(vscode.commands.executeCommand('testing.runCurrentFile'));
      }
      return undefined;
    });
    assert.ok(isAlive(pid));
    await vscode.commands.executeCommand('testing.cancelRun');
    await until('the test process is gone', () => !isAlive(pid));
    await Promise.all(runs);
    assert.deepEqual(
      commandsBelow().filter((command) => /vitest/.test(command)),
      [],
    );
  });
});

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
