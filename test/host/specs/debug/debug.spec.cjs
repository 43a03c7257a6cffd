'use strict';
// Breakpoints hit in TypeScript tests, the debugger knows the values, and results arrive when it goes on.
const assert = require('node:assert/strict');
const vscode = require('vscode');
const { ask, messages, open, rowOf, until } = require('../support.cjs');

/** Line of `const total` in every test file, from 0; see debugWorkspace.ts. */
const line = 10;

/** The frame in which the debugger stands, with the answers of its session. */
async function stoppedFrame() {
  const item = vscode.debug.activeStackItem;
  if (!(item instanceof vscode.DebugStackFrame)) return undefined;
  const { stackFrames } = await item.session.customRequest('stackTrace', { threadId: item.threadId });
  return { session: item.session, frame: stackFrames[0] };
}

const evaluate = async ({ session, frame }, expression) =>
  (await session.customRequest('evaluate', { expression, frameId: frame.id, context: 'repl' })).result;

describe('the Debug profile', function () {
  this.timeout(400_000);
  /** The editor's own idea of the active session outlives the sessions. */
  const sessions = new Set();
  before(() => {
    vscode.debug.onDidStartDebugSession((session) => sessions.add(session.id));
    vscode.debug.onDidTerminateDebugSession((session) => sessions.delete(session.id));
  });
  afterEach(async () => {
    vscode.debug.removeBreakpoints(vscode.debug.breakpoints);
    await vscode.debug.stopDebugging();
    await until('no session is left', () => sessions.size === 0);
  });

  async function debugToBreakpoint(file) {
    await vscode.commands.executeCommand('workbench.view.extension.test');
    const { uri } = await open(file);
    vscode.debug.addBreakpoints([
      new vscode.SourceBreakpoint(new vscode.Location(uri, new vscode.Position(line, 0))),
    ]);
    let run;
    let lastAsked = 0;
    // The command does nothing while the tests of the file are not known.
    const stopped = await until(
      `the breakpoint in ${file} is hit`,
      () => {
        if (sessions.size === 0 && Date.now() - lastAsked > 10_000) {
          lastAsked = Date.now();
          run = vscode.commands.executeCommand('testing.debugCurrentFile');
        }
        return stoppedFrame();
      },
      150_000,
    );
    // On a remote host it is a URI.
    assert.ok(stopped.frame.source.path.endsWith(uri.fsPath), stopped.frame.source.path);
    assert.equal(stopped.frame.line, line + 1);
    return { ...stopped, run };
  }

  for (const [folder, label] of [
    ['vi', 'Vitest'],
    ['je', 'Jest'],
    ['mo', 'Mocha'],
    ['pw', 'Playwright'],
    ['no', 'node:test'],
    ['av', 'AVA'],
  ]) {
    it(`stops in a TypeScript test of ${label}, shows values, goes on, and has results`, async () => {
      const stopped = await debugToBreakpoint(`packages/${folder}/sum.test.ts`);
      assert.equal(await evaluate(stopped, 'items.length'), '2');
      // Longer than the time limit of the tests.
      await new Promise((resolve) => setTimeout(resolve, 1000));
      await vscode.commands.executeCommand('workbench.action.debug.continue');
      await stopped.run;
      await until('the session has ended', () => sessions.size === 0);
      // The editor has turned to its debug view meanwhile.
      await vscode.commands.executeCommand('workbench.view.extension.test');
      await vscode.commands.executeCommand('testing.collapseAll');
      // AVA knows no suites.
      for (const row of [label, 'sum.test.ts', ...(label === 'AVA' ? [] : [folder])])
        await ask('expand', row);
      assert.equal(await until('a result', () => rowOf(`${folder} adds`)), `✔ ${folder} adds`);
      assert.equal(await rowOf(`${folder} fails`), `✖ ${folder} fails`);
      assert.deepEqual(await messages(), []);
    });
  }
});
