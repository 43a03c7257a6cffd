// A failing line of a Go test in an editor that knows only LSP: what is offered there, and what becomes of the file.
import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { startEngine } from '../../../support/engineProcess.ts';
import { hasGo } from '../../../support/hasGo.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const test = `package shop

import "testing"

func TestPrice(t *testing.T) {
	if got := Price(1250); got != "12.50 EUR" {
		t.Errorf("got %q", got)
	}
}
`;
const actionsSchema = z.array(
  z.object({
    title: z.string(),
    command: z.object({ command: z.string(), arguments: z.array(z.unknown()) }),
  }),
);

describe('a failing line of a Go test', function () {
  this.timeout(120_000);

  it('has fixes that say what they change, and takes the chosen one as an edit of the document', async function () {
    if (!hasGo()) return this.skip();
    const source = 'package shop\n\nfunc Price(cents int) string { return "12.50 EUR" }\n';
    // What is written beside the tests for a while must be fine for an old version of the language.
    const workspace = await temporaryWorkspace(
      { 'go.mod': 'module example.com/shop\n\ngo 1.12\n', 'shop.go': source, 'shop_test.go': test },
      { git: true },
    );
    await workspace.write('shop.go', source.replace('12.50 EUR', 'EUR 12.50'));
    const uri = pathToFileURL(path.join(workspace.root, 'shop_test.go')).href;
    const engine = await startEngine('stdio', {
      workspaceFolders: [{ uri: pathToFileURL(workspace.root).href, name: 'shop' }],
      capabilities: { window: { workDoneProgress: true } },
    });
    try {
      const { connection } = engine;
      const applied: string[] = [];
      connection.onRequest('window/workDoneProgress/create', () => null);
      connection.onRequest('workspace/applyEdit', (params: unknown) => {
        applied.push(JSON.stringify(params));
        return { applied: true };
      });
      const execute = (command: string, ...args: unknown[]): Promise<unknown> =>
        connection.sendRequest('workspace/executeCommand', { command, arguments: args });
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'go', version: 3, text: test },
      });
      await execute('testmend.runFile', uri);
      const at = { line: 6, character: 2 };
      const actions = actionsSchema.parse(
        await connection.sendRequest('textDocument/codeAction', {
          textDocument: { uri },
          range: { start: at, end: at },
          context: { diagnostics: [] },
        }),
      );
      assert.deepEqual(
        actions.map(({ title }) => title),
        ['Fix (surgical): expect "EUR 12.50" (was "12.50 EUR")', "It's a bug in the source"],
      );
      const [fix] = actions;
      if (fix) await execute(fix.command.command, ...fix.command.arguments);
      assert.equal(applied.length, 1);
      assert.ok(applied[0]?.includes('EUR 12.50') && applied[0].includes('"version":3'));
    } finally {
      await engine.end();
      await workspace.dispose();
    }
    return undefined;
  });
});
