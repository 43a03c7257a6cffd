// A healed step in an editor: its healing is accepted or rejected from its lines, which rewrites the file.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { proposedHealing } from '../support/proposedHealing.ts';
import { HealingStore } from '../../src/core/scenario/healing/healingStore.ts';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const file = 'e2e/checkout.scenario.yaml';
const step = (id: string): string => `  - id: ${id}
    type: click
    config:
      locator:
        displayName: Buy # the big one
        strategies:
          - { type: testId, value: buy }
`;
const text = `id: checkout\nname: Check out\nsteps:\n${step('first')}${step('second')}`;
const actionsSchema = z.array(
  z.object({
    title: z.string(),
    command: z.object({ command: z.string(), arguments: z.array(z.unknown()) }),
  }),
);

describe('a healed step in an editor', function () {
  this.timeout(120_000);
  let workspace: TemporaryWorkspace;
  let engine: EngineProcess;
  let store: HealingStore;
  let uri: string;
  const messages: string[] = [];

  beforeEach(async () => {
    workspace = await temporaryWorkspace({ 'package.json': '{ "name": "shop" }', [file]: text });
    store = new HealingStore(workspace.root);
    await store.propose(proposedHealing(text, { scenarioId: 'checkout', file, stepId: 'first' }));
    uri = pathToFileURL(path.join(workspace.root, file)).href;
    messages.length = 0;
    engine = await startEngine('stdio', {
      workspaceFolders: [{ uri: pathToFileURL(workspace.root).href, name: 'shop' }],
    });
    engine.connection.onNotification('window/showMessage', ({ message }: { readonly message: string }) => {
      messages.push(message);
    });
    await engine.connection.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId: 'yaml', version: 1, text },
    });
  });
  afterEach(async () => {
    await engine.end();
    await workspace.dispose();
  });

  const actionsAt = async (line: number): Promise<z.infer<typeof actionsSchema>> =>
    actionsSchema.parse(
      await engine.connection.sendRequest('textDocument/codeAction', {
        textDocument: { uri },
        range: { start: { line, character: 6 }, end: { line, character: 6 } },
        context: { diagnostics: [] },
      }),
    );
  const choose = async (title: RegExp): Promise<string> => {
    const action = (await actionsAt(5)).find((one) => title.test(one.title));
    assert.ok(action);
    await engine.connection.sendRequest('workspace/executeCommand', action.command);
    return readFile(path.join(workspace.root, file), 'utf8');
  };

  it('offers the decisions on its lines only, and none once the text is another one', async () => {
    assert.deepEqual(
      (await actionsAt(5)).map(({ title }) => title),
      [
        'Accept healed locator of "Buy" (testId → role)',
        'Accept everywhere: all locators "Buy" (testId → role)',
        'Reject healed locator of "Buy"',
      ],
    );
    assert.deepEqual(await actionsAt(1), []);
    assert.deepEqual(await actionsAt(12), []);
    await engine.connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text: `# changed\n${text}` }],
    });
    assert.deepEqual(await actionsAt(6), []);
  });

  it('is rewritten when its locator is accepted, comments kept', async () => {
    const after = await choose(/^Accept healed/);
    assert.equal(after.match(/button/g)?.length, 1);
    assert.equal(after.match(/# the big one/g)?.length, 2);
    assert.match(messages.join('\n'), /written into e2e\/checkout\.scenario\.yaml/);
    assert.deepEqual(
      (await store.list()).map(({ status }) => status),
      ['approved'],
    );
  });

  it('is rewritten with all of that name when it is accepted everywhere', async () => {
    const after = await choose(/^Accept everywhere/);
    assert.equal(after.match(/button/g)?.length, 2);
  });

  it('stays as it is when the locator is rejected, which is remembered', async () => {
    assert.equal(await choose(/^Reject/), text);
    assert.deepEqual(
      (await store.list()).map(({ status }) => status),
      ['rejected'],
    );
    assert.deepEqual(await actionsAt(5), []);
  });
});
