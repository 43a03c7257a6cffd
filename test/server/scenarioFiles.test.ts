// Scenario files in an editor that knows only LSP: problems while typing, completion, hover, declarations, outline and quick fixes.
import assert from 'node:assert/strict';
import path from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { startEngine, type EngineProcess } from '../support/engineProcess.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';

const checkout = `id: checkout
name: Check out
steps:
  - type: navgate
    config: { url: '/{{shop}}' }
  - type: component
    config: { component: Log in, parameters: { user: anna } }
`;

interface Shown {
  readonly uri: string;
  readonly diagnostics: readonly {
    readonly message: string;
    readonly severity: number;
    readonly range: unknown;
  }[];
}

const fixesSchema = z.array(
  z.object({ title: z.string(), edit: z.object({ changes: z.record(z.string(), z.unknown()) }) }),
);
const itemsSchema = z.array(z.object({ label: z.string(), textEdit: z.unknown() }));
const symbolsSchema = z.array(z.object({ children: z.array(z.object({ name: z.string() })) }));

const dynamic = { dynamicRegistration: true };
const ways = [
  { name: 'that cannot be told later', textDocument: {}, isDynamic: false },
  {
    name: 'that can be told later',
    textDocument: {
      completion: dynamic,
      hover: dynamic,
      definition: dynamic,
      documentSymbol: dynamic,
      codeLens: dynamic,
    },
    isDynamic: true,
  },
];

for (const { name, textDocument, isDynamic } of ways)
  describe(`scenario files in an editor ${name}`, function () {
    this.timeout(120_000);
    let workspace: TemporaryWorkspace;
    let engine: EngineProcess;
    let uri: string;
    const shown: Shown[] = [];
    const registered: string[] = [];

    before(async () => {
      workspace = await temporaryWorkspace({
        'package.json': '{ "name": "shop" }',
        'e2e/checkout.scenario.yaml': checkout,
        'e2e/log-in.component.yaml': 'name: Log in\nparameters: [{ name: user }]\nsteps:\n  - { type: navigate, config: { url: / } }\n', // prettier-ignore
        'scenario.config.yaml': 'variables:\n  shop: berries\n',
      });
      uri = pathToFileURL(path.join(workspace.root, 'e2e/checkout.scenario.yaml')).href;
      engine = await startEngine('stdio', {
        workspaceFolders: [{ uri: pathToFileURL(workspace.root).href, name: 'shop' }],
        capabilities: { textDocument },
      });
      engine.connection.onNotification(
        'textDocument/publishDiagnostics',
        (params: Shown) => void shown.push(params),
      );
      engine.connection.onRequest(
        'client/registerCapability',
        (params: { registrations: { method: string }[] }) => {
          registered.push(...params.registrations.map(({ method }) => method));
          return null;
        },
      );
    });
    after(async () => {
      await engine.end();
      await workspace.dispose();
    });

    const ask = (method: string, line?: number, character?: number): Promise<unknown> =>
      engine.connection.sendRequest(`textDocument/${method}`, {
        textDocument: { uri },
        ...(line !== undefined && { position: { line, character } }),
      });
    const until = async (is: () => boolean): Promise<void> => {
      for (let tries = 0; tries < 300 && !is(); tries++) await later(50);
    };

    it('shows problems when the file is opened, and takes them back when they are gone', async () => {
      assert.deepEqual(registered, []);
      await engine.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri, languageId: 'yaml', version: 1, text: checkout },
      });
      await until(() => shown.length > 0);
      assert.deepEqual(shown, [
        {
          uri,
          diagnostics: [
            {
              message: 'Unknown type of step: "navgate". Did you mean "navigate"?',
              severity: 1,
              source: 'testmend',
              range: { start: { line: 3, character: 10 }, end: { line: 3, character: 17 } },
            },
          ],
        },
      ]);
    });

    it(`hears of its abilities ${isDynamic ? 'with the first scenario file' : 'at the start'}`, () => {
      const wanted = ['codeLens', 'completion', 'definition', 'documentSymbol', 'hover'].map(
        (one) => `textDocument/${one}`,
      );
      assert.deepEqual(registered.sort(), isDynamic ? wanted : []);
    });

    it('offers the name that was meant as a quick fix, at the mistake only', async () => {
      const actions = (line: number): Promise<unknown> =>
        engine.connection.sendRequest('textDocument/codeAction', {
          textDocument: { uri },
          range: { start: { line, character: 12 }, end: { line, character: 12 } },
          context: { diagnostics: [] },
        });
      const [fix, ...more] = fixesSchema.parse(await actions(3));
      assert.deepEqual([fix?.title, more], ['Change to "navigate"', []]);
      const range = { start: { line: 3, character: 10 }, end: { line: 3, character: 17 } };
      assert.deepEqual(fix?.edit.changes[uri], [{ range, newText: 'navigate' }]);
      assert.deepEqual(await actions(0), []);
    });

    it('completes, explains and finds what is declared elsewhere, and draws the outline', async () => {
      const text = checkout.replace('navgate', 'navigate');
      await engine.connection.sendNotification('textDocument/didChange', {
        textDocument: { uri, version: 2 },
        contentChanges: [{ text }],
      });
      await until(() => shown.at(-1)?.diagnostics.length === 0);
      assert.deepEqual(shown.at(-1)?.diagnostics, []);
      const items = itemsSchema.parse(await ask('completion', 4, 23));
      assert.deepEqual(
        items,
        [{ label: 'shop', textEdit: { range: { start: { line: 4, character: 23 }, end: { line: 4, character: 27 } }, newText: 'shop' } }], // prettier-ignore
      );
      assert.match(JSON.stringify(await ask('hover', 4, 24)), /Variable of the configuration.*berries/);
      assert.deepEqual(await ask('definition', 6, 28), [
        {
          uri: pathToFileURL(path.join(workspace.root, 'e2e/log-in.component.yaml')).href,
          range: { start: { line: 0, character: 6 }, end: { line: 0, character: 12 } },
        },
      ]);
      assert.deepEqual(await ask('codeLens'), [
        {
          range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
          command: { title: '▷ Run', command: 'testmend.runFile', arguments: [uri] },
        },
      ]);
      const [steps] = symbolsSchema.parse(await ask('documentSymbol'));
      assert.deepEqual(steps?.children.map((one) => one.name), ['1 navigate /{{shop}}', '2 component Log in']); // prettier-ignore
    });

    it('looks at a component as it is in the editor, saved or not', async () => {
      const component = uri.replace('checkout.scenario', 'log-in.component');
      await engine.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: component, languageId: 'yaml', version: 1, text: 'name: Sign in\nsteps:\n  - { type: navigate, config: { url: / } }\n' }, // prettier-ignore
      });
      const last = (): readonly string[] | undefined =>
        shown.findLast((one) => one.uri === uri)?.diagnostics.map(({ message }) => message);
      await until(() => last()?.length === 1);
      assert.deepEqual(last(), ['There is no component "Log in". Known here: Sign in.']);
    });

    it('leaves other files alone, and takes everything back when a file is closed', async () => {
      const other = pathToFileURL(path.join(workspace.root, 'other.yaml')).href;
      await engine.connection.sendNotification('textDocument/didOpen', {
        textDocument: { uri: other, languageId: 'yaml', version: 1, text: checkout },
      });
      const answer = await engine.connection.sendRequest('textDocument/completion', {
        textDocument: { uri: other },
        position: { line: 3, character: 12 },
      });
      assert.equal(answer, null);
      await engine.connection.sendNotification('textDocument/didClose', { textDocument: { uri } });
      await until(() => shown.findLast((one) => one.uri === uri)?.diagnostics.length === 0);
      assert.deepEqual(shown.findLast((one) => one.uri === uri)?.diagnostics, []);
      assert.deepEqual(
        shown.filter((one) => one.uri === other),
        [],
      );
    });
  });
