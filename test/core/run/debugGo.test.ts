// A Go package under dlv itself, with the configuration that VS Code gets: a breakpoint is hit, and `go test -json`'s events arrive.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { debugProcess } from '../../../src/core/run/debugProcess.ts';
import { debugConfiguration } from '../../../src/extension/testing/debugConfiguration.ts';
import { DapClient } from '../../support/dapClient.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const test = `package sum

import "testing"

func TestAdds(t *testing.T) {
	total := 2 + 3
	t.Log("printed")
	if total != 5 {
		t.Fatalf("%d is not 5", total)
	}
}

func TestFails(t *testing.T) { t.Error("as it should") }

func TestNotAsked(t *testing.T) { t.Error("never") }
`;
const eventSchema = z.object({ Action: z.string(), Package: z.string(), Test: z.string().optional() });

describe('a Go package under dlv', function () {
  this.timeout(120_000);

  it('stops at a breakpoint, shows values, goes on, and tells the events of its tests', async function () {
    const [go, dlv] = [programOf('go'), programOf('dlv')];
    if (go === undefined || dlv === undefined) {
      if (process.env['CI'] === 'true') throw new Error('there is no go or no dlv');
      return this.skip();
    }
    const workspace = await temporaryWorkspace({
      'go.mod': 'module example.com/sum\n\ngo 1.20\n',
      'sum_test.go': test,
    });
    const { root } = workspace;
    const values: unknown[] = [];
    let printed = '';
    const start = debugProcess(async (session, onOutput) => {
      const adapter = await DapClient.listenTo(dlv, ['dap', '--listen=127.0.0.1:0']);
      adapter.onEvent((event, { category, output }) => {
        if (event === 'output' && category === 'stdout') onOutput('stdout', String(output));
      });
      try {
        await adapter.request('initialize', { adapterID: 'go', linesStartAt1: true, pathFormat: 'path' });
        const [initialized, stopped, terminated] = ['initialized', 'stopped', 'terminated'].map((event) =>
          adapter.next(event),
        );
        const launched = adapter.request('launch', debugConfiguration(session, {}));
        await Promise.race([initialized, launched]);
        const source = { path: path.join(root, 'sum_test.go') };
        await adapter.request('setBreakpoints', { source, breakpoints: [{ line: 7 }] });
        await adapter.request('configurationDone');
        const { threadId } = (await stopped) ?? {};
        const { stackFrames } = await adapter.request('stackTrace', { threadId });
        const [frame] = z.array(z.object({ id: z.number(), line: z.number() })).parse(stackFrames);
        const { result } = await adapter.request('evaluate', { expression: 'total', frameId: frame?.id });
        values.push(frame?.line, result);
        await adapter.request('continue', { threadId });
        await terminated;
        return { ended: 'exited', exitCode: null };
      } finally {
        adapter.end();
      }
    });
    try {
      const result = await start(
        { command: go, args: [], cwd: root, onOutput: (_stream, text) => (printed += text) },
        {
          // Only its name is told to the user here.
          project: { framework: 'vitest', root },
          program: go,
          debugged: { folder: root, importPath: 'example.com/sum', args: ['-test.run=^Test(Adds|Fails)$'] },
          args: [],
          cwd: root,
          env: {},
          files: [],
          timeoutMs: 1,
        },
      );
      assert.equal(result.ended, 'exited');
      assert.deepEqual(values, [7, '5']);
      const events = printed
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => eventSchema.parse(JSON.parse(line)))
        .filter(({ Action }) => /^(?:run|pass|fail)$/.test(Action));
      assert.deepEqual(
        events.map((event) => `${event.Action} ${event.Package} ${event.Test ?? ''}`.trim()),
        [
          'run example.com/sum TestAdds',
          'pass example.com/sum TestAdds',
          'run example.com/sum TestFails',
          'fail example.com/sum TestFails',
          'fail example.com/sum',
        ],
      );
    } finally {
      await workspace.dispose();
    }
  });
});

/** On the PATH, or where Go and its installer put programs. */
function programOf(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(path.delimiter), '/usr/local/go/bin'];
  const found = [...folders, path.join(os.homedir(), 'go/bin')].map((folder) => path.join(folder, name));
  const program = found.find((file) => existsSync(file));
  if (program !== undefined) execFileSync(program, ['version'], { stdio: 'ignore' });
  return program;
}
