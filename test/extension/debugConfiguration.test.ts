// What the debuggers are told to start.
import assert from 'node:assert/strict';
import { debugConfiguration } from '../../src/extension/testing/debugConfiguration.ts';

const session = { label: 'Any', program: '/bin/program', cwd: '/shop', env: { TESTMEND_CHANNEL: 'one' } };

describe('the configuration of a debug session', () => {
  it('starts node with every argument, and takes the variables of the editor out', () => {
    const args = ['--import', 'tsx', '/shop/runner.mjs', '-x'];
    const host = { VSCODE_PID: '1', ELECTRON_RUN_AS_NODE: '1', TESTMEND_MODEL_KEY: 'sk-1', HOME: '/home' };
    const configuration = debugConfiguration({ ...session, language: 'javascript', args }, host);
    const { type, request, runtimeExecutable, runtimeArgs, env, console: where } = configuration;
    assert.deepEqual([type, request, where], ['pwa-node', 'launch', 'internalConsole']);
    assert.deepEqual([runtimeExecutable, runtimeArgs], ['/bin/program', args]);
    assert.deepEqual(env, {
      VSCODE_PID: null,
      ELECTRON_RUN_AS_NODE: null,
      TESTMEND_MODEL_KEY: null,
      TESTMEND_CHANNEL: 'one',
    });
    assert.equal(configuration['autoAttachChildProcesses'], true);
  });

  it('starts a module of python, with the flags before it', () => {
    const args = ['-X', 'utf8', '-m', 'pytest', '-p', 'reporter', 'test_a.py'];
    const configuration = debugConfiguration({ ...session, language: 'python', args }, {});
    assert.deepEqual(
      ['type', 'python', 'pythonArgs', 'module', 'args', 'program'].map((name) => configuration[name]),
      ['debugpy', '/bin/program', ['-X', 'utf8'], 'pytest', ['-p', 'reporter', 'test_a.py'], undefined],
    );
  });

  it('starts a script of python', () => {
    const configuration = debugConfiguration(
      { ...session, language: 'python', args: ['-B', '/host.py', '--x'] },
      {},
    );
    assert.deepEqual(
      ['pythonArgs', 'module', 'program', 'args'].map((name) => configuration[name]),
      [['-B'], undefined, '/host.py', ['--x']],
    );
  });
});
