import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const priceTest = `import { expect, test } from 'vitest';
import { formatPrice } from '../src/price.js';

test('formats a price', () => {
  expect(formatPrice(1250)).toBe('12.50 EUR');
});
`;
const diagnosticsSchema = z.object({
  uri: z.string(),
  diagnostics: z.array(
    z.object({
      message: z.string(),
      severity: z.number(),
      range: z.object({ start: z.object({ line: z.number() }) }),
    }),
  ),
});
const actionsSchema = z.array(
  z.object({
    title: z.string(),
    command: z.object({ command: z.string(), arguments: z.array(z.unknown()) }),
  }),
);
const editSchema = z.object({
  edit: z.object({
    documentChanges: z.array(
      z.object({
        textDocument: z.object({ uri: z.string(), version: z.number().nullable() }),
        edits: z.array(z.object({ newText: z.string() })),
      }),
    ),
  }),
});

describe('the engine in an editor that knows only LSP', function () {
  this.timeout(300_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let uri: string;
  const shown: z.infer<typeof diagnosticsSchema>[] = [];
  const applied: z.infer<typeof editSchema>[] = [];
  const messages: string[] = [];

  before(async () => {
    workspace = await temporaryWorkspace(
      {
        'package.json': '{ "name": "shop", "type": "module", "devDependencies": { "vitest": "*" } }',
        'src/price.js': 'export const formatPrice = (cents) => `${(cents / 100).toFixed(2)} EUR`;\n',
        'tests/price.test.js': priceTest,
      },
      { git: true, vitest: true },
    );
    await workspace.write(
      'src/price.js',
      'export const formatPrice = (cents) => `EUR ${(cents / 100).toFixed(2)}`;\n',
    );
    uri = pathToFileURL(path.join(workspace.root, 'tests/price.test.js')).href;
    engine = await startEngine('stdio', {
      workspaceFolders: [{ uri: pathToFileURL(workspace.root).href, name: 'shop' }],
      capabilities: { window: { workDoneProgress: true } },
    });
    const { connection } = engine;
    connection.onNotification('textDocument/publishDiagnostics', (params: unknown) => {
      shown.push(diagnosticsSchema.parse(params));
    });
    connection.onNotification('window/showMessage', (params: { readonly message: string }) => {
      messages.push(params.message);
    });
    connection.onRequest('window/workDoneProgress/create', () => null);
    connection.onRequest('workspace/applyEdit', (params: unknown) => {
      applied.push(editSchema.parse(params));
      return { applied: true };
    });
    await connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'javascript', version: 7, text: priceTest },
    });
  });
  after(async () => {
    await engine.end();
    await workspace.dispose();
  });

  const execute = (command: string, ...args: unknown[]): Promise<unknown> =>
    engine.connection.sendRequest('workspace/executeCommand', { command, arguments: args });
  const actionsAt = async (line: number): Promise<z.infer<typeof actionsSchema>> =>
    actionsSchema.parse(
      await engine.connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: { line, character: 2 }, end: { line, character: 2 } },
        context: { diagnostics: [] },
      }),
    );

  it('shows a failing line as an error after a run', async () => {
    await execute('testmend.runFile', uri);
    for (let tries = 0; tries < 200 && shown.length === 0; tries++) await later(50);
    const [last] = shown.slice(-1);
    assert.equal(last?.uri, uri);
    assert.deepEqual(
      last.diagnostics.map(({ range, severity }) => [range.start.line, severity]),
      [[4, 1]],
    );
    assert.match(last.diagnostics[0]?.message ?? '', /formats a price.*EUR 12\.50/s);
  });

  it('offers fixes that say what they change on the failing line only', async () => {
    const titles = (await actionsAt(4)).map(({ title }) => title);
    assert.deepEqual(titles, [
      "Fix (surgical): expect 'EUR 12.50' (was '12.50 EUR')",
      "It's a bug in the source",
    ]);
    assert.deepEqual(await actionsAt(0), []);
  });

  it('proves the chosen fix and hands over one edit for the version of the document', async () => {
    const [fix] = await actionsAt(4);
    assert.ok(fix);
    await execute(fix.command.command, ...fix.command.arguments);
    const [edit] = applied;
    assert.ok(edit, messages.join('\n'));
    assert.deepEqual(edit.edit.documentChanges[0]?.textDocument, { uri, version: 7 });
    assert.match(edit.edit.documentChanges[0]?.edits[0]?.newText ?? '', /EUR/);
    assert.deepEqual(shown.slice(-1)[0], { uri, diagnostics: [] });
  });

  it('refuses the same fix once the document is another one', async () => {
    await execute('testmend.runFile', uri);
    const [fix] = await actionsAt(4);
    assert.ok(fix);
    await engine.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 8 },
      contentChanges: [{ text: `// mine\n${priceTest}` }],
    });
    const before = applied.length;
    await execute(fix.command.command, ...fix.command.arguments);
    assert.equal(applied.length, before);
    assert.match(messages.slice(-1)[0] ?? '', /changed after the fix was proposed\. Nothing was changed/);
  });
});
