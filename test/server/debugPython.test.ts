// Tests of pytest under debugpy itself, with the configuration that VS Code gets: a breakpoint is hit, and results arrive.
import assert from 'node:assert/strict';
import path from 'node:path';
import { z } from 'zod';
import { debugConfiguration } from '../../src/extension/testing/debugConfiguration.ts';
import type { DebugEnd } from '../../src/core/model/debugSession.ts';
import { editorNotifications, editorRequests, requests } from '../../src/server/messages.ts';
import { DapClient } from '../support/dapClient.ts';
import type { EngineProcess } from '../support/engineProcess.ts';
import { startEngineFor } from '../support/greetingShop.ts';
import { pythonWith } from '../support/python.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const tests = `import os

def test_adds():
    total = 2 + 3
    print("printed")
    assert total == 5

def test_fails():
    assert "TESTMEND_CHANNEL" in os.environ
`;

describe('pytest under debugpy', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let python: string;

  before(async function () {
    const found = pythonWith('debugpy');
    if (found === undefined) return this.skip();
    python = found;
    workspace = await temporaryWorkspace({ 'pytest.ini': '[pytest]\n', 'test_sum.py': tests });
    engine = await startEngineFor([workspace.root]);
  });
  after(async () => {
    await engine?.end();
    await workspace?.dispose();
  });

  it('stops at a breakpoint, shows values, goes on, and has results', async () => {
    const values: unknown[] = [];
    engine.connection.onRequest(editorRequests.debug.method, async (params: unknown): Promise<DebugEnd> => {
      const { session, sessionId } = editorRequests.debug.params.parse(params);
      assert.equal(session.language, 'python');
      const adapter = DapClient.start(python, ['-m', 'debugpy.adapter']);
      let exitCode: number | null = null;
      adapter.onEvent((event, body) => {
        if (event === 'exited') exitCode = Number(body['exitCode']);
        if (event !== 'output' || (body['category'] !== 'stdout' && body['category'] !== 'stderr')) return;
        const output = { sessionId, stream: body['category'], text: String(body['output']) };
        void engine.connection.sendNotification(editorNotifications.debugOutput.method, output);
      });
      try {
        await adapter.request('initialize', {
          adapterID: 'debugpy',
          linesStartAt1: true,
          pathFormat: 'path',
        });
        const [initialized, stopped, terminated] = ['initialized', 'stopped', 'terminated'].map((event) =>
          adapter.next(event),
        );
        const launched = adapter.request('launch', debugConfiguration(session, {}));
        await initialized;
        const file = path.join(workspace.root, 'test_sum.py');
        await adapter.request('setBreakpoints', { source: { path: file }, breakpoints: [{ line: 5 }] });
        await adapter.request('configurationDone');
        await launched;
        const { threadId } = (await stopped) ?? {};
        const { stackFrames } = await adapter.request('stackTrace', { threadId });
        const [frame] = z.array(z.object({ id: z.number(), line: z.number() })).parse(stackFrames);
        const { result } = await adapter.request('evaluate', { expression: 'total', frameId: frame?.id });
        values.push(frame?.line, result);
        await adapter.request('continue', { threadId });
        await terminated;
        return { ended: 'exited', exitCode };
      } finally {
        adapter.end();
      }
    });
    const { root } = workspace;
    const end = await engine.request(requests.run, { runId: '1', root, debug: true });
    const results = engine.runEvents.flatMap((event) =>
      event.type === 'testEnded' ? `${event.result.outcome} ${event.result.id}` : [],
    );
    assert.deepEqual(results, [
      'passed pytest:test_sum.py#test_adds',
      'failed pytest:test_sum.py#test_fails',
    ]);
    assert.deepEqual(values, [5, '5']);
    assert.deepEqual([end.ended, end.notes], ['complete', []]);
  });
});
