// Go tests under dlv itself, with the configuration that VS Code gets: a breakpoint is hit, and results arrive.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { DebugSession, RunSession } from '../../../src/core/model/debugSession.ts';
import type { Selection } from '../../../src/core/model/frameworkProject.ts';
import { debugProcess } from '../../../src/core/run/debugProcess.ts';
import { debugConfiguration } from '../../../src/extension/testing/debugConfiguration.ts';
import { DapClient } from '../../support/dapClient.ts';
import { drawn, resultOf, runWorkspace } from '../../support/runWorkspace.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const test = `package sum

import (
	"os"
	"testing"
)

func TestAdds(t *testing.T) {
	total := 2 + 3
	t.Log("printed")
	t.Run("a case", func(t *testing.T) {
		if total != 5 {
			t.Fatalf("%d is not 5", total)
		}
	})
}

func TestFails(t *testing.T) { t.Error("as it should") }

func TestExits(t *testing.T) { os.Exit(0) }
`;
const line = 10;

describe('Go tests under dlv', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let dlv: string;
  const { PATH = '' } = process.env;

  before(async function () {
    const [go, found] = [programOf('go'), programOf('dlv')];
    if (go === undefined || found === undefined) {
      if (process.env['CI'] === 'true') throw new Error('there is no go or no dlv');
      return this.skip();
    }
    dlv = found;
    process.env['PATH'] = [path.dirname(go), PATH].join(path.delimiter);
    workspace = await temporaryWorkspace({
      'go.mod': 'module example.com/sum\n\ngo 1.20\n',
      'sum_test.go': test,
      'more/more_test.go': 'package more\n\nimport "testing"\n\nfunc TestMore(t *testing.T) {}\n',
    });
  });
  after(async () => {
    process.env['PATH'] = PATH;
    await workspace?.dispose();
  });

  const debug = (selection: Selection, session: RunSession) =>
    runWorkspace(workspace.root, {
      selection: { ...selection, debug: true },
      start: debugProcess(session),
      limits: { timeoutMs: 60_000 },
    });
  const inRoot = (name: string): string => path.join(workspace.root, name);

  it('stop at a breakpoint, show values, go on, and have results', async () => {
    const values: unknown[] = [];
    const file = inRoot('sum_test.go');
    const tests = ['TestAdds', 'TestFails'].map((name) => ({ file, names: [name] }));
    const { summary } = await debug(
      { tests },
      underDlv(async (adapter, stopped) => {
        const { threadId } = (await stopped) ?? {};
        const { stackFrames } = await adapter.request('stackTrace', { threadId });
        const [frame] = z.array(z.object({ id: z.number(), line: z.number() })).parse(stackFrames);
        const { result } = await adapter.request('evaluate', { expression: 'total', frameId: frame?.id });
        values.push(frame?.line, result);
        await adapter.request('continue', { threadId });
      }),
    );
    assert.deepEqual(values, [line, '5']);
    assert.deepEqual([...drawn(summary.tests)].sort(), [
      'failed goTest:sum_test.go#TestFails',
      'passed goTest:sum_test.go#TestAdds',
      'passed goTest:sum_test.go#TestAdds › a_case',
    ]);
    const { failure } = resultOf(summary, 'goTest:sum_test.go#TestFails');
    assert.equal(failure?.message, 'as it should');
    assert.equal(failure?.location?.line, 18);
    assert.deepEqual(summary.notes, []);
  });

  it('are no pass when one of them exits, and follow each other package by package', async () => {
    const sessions: DebugSession[] = [];
    const { summary } = await debug({}, async (session, ...rest) => {
      sessions.push(session);
      return underDlv()(session, ...rest);
    });
    assert.deepEqual(
      sessions.map(({ program }) => program),
      [inRoot('more'), workspace.root],
    );
    assert.deepEqual([...drawn(summary.tests)].sort(), [
      'errored goTest:sum_test.go#TestExits',
      'failed goTest:sum_test.go#TestFails',
      'passed goTest:more/more_test.go#TestMore',
      'passed goTest:sum_test.go#TestAdds',
      'passed goTest:sum_test.go#TestAdds › a_case',
    ]);
  });

  /** A session of dlv as VS Code has it. With `atBreakpoint` there is a breakpoint in the first file. */
  function underDlv(
    atBreakpoint?: (adapter: DapClient, stopped: Promise<Record<string, unknown>>) => Promise<void>,
  ): RunSession {
    return async (session, onOutput) => {
      const adapter = await DapClient.listenTo(dlv, ['dap', '--listen=127.0.0.1:0']);
      adapter.onEvent((event, { category, output, threadId }) => {
        if (event === 'output' && category === 'stdout') onOutput('stdout', String(output));
        // Without a breakpoint it is a panic, where a person would look around and go on.
        if (event === 'stopped' && !atBreakpoint) void adapter.request('continue', { threadId });
      });
      try {
        await adapter.request('initialize', { adapterID: 'go', linesStartAt1: true, pathFormat: 'path' });
        const [initialized, stopped, terminated] = [
          adapter.next('initialized'),
          adapter.next('stopped'),
          adapter.next('terminated'),
        ];
        const launched = adapter.request('launch', debugConfiguration(session, {}));
        await Promise.race([initialized, launched]);
        const source = { path: inRoot('sum_test.go') };
        const breakpoints = atBreakpoint ? [{ line }] : [];
        await adapter.request('setBreakpoints', { source, breakpoints });
        await adapter.request('configurationDone');
        await atBreakpoint?.(adapter, stopped);
        await terminated;
        return { ended: 'exited', exitCode: null };
      } finally {
        adapter.end();
      }
    };
  }
});

/** On the PATH, or where Go and its installer put programs. */
function programOf(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/local/go/bin'];
  const found = [...folders, path.join(os.homedir(), 'go/bin')].map((folder) => path.join(folder, name));
  return found.find((file) => existsSync(file));
}
