// An agent's session on the demo's shop, over both transports: list, run, diagnose, propose, a person reviews in the chat, apply, run.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { z } from 'zod';
import { bugTitles } from '../../src/demo/shopTests.ts';
import { git } from '../../src/demo/shopWorkspace.ts';
import { missingForWorkbench, startBrowser, type StartedBrowser } from '../host/vscodeServer.ts';
import { brokenShop, type Shop } from '../support/brokenShop.ts';
import { pagesCapability, showToolPage, type ShownPage } from '../support/chatWithPages.ts';
import { McpTestClient, startHttpServer, type HttpServer } from './mcpClient.ts';

/** Ada greets with 'Hi', which became 'Hello'; prices in euros. */
const seed = 465;

const fixSchema = z.object({ fixId: z.string(), title: z.string(), trust: z.string(), verdict: z.string() });

describe('a session of an agent on the demo', function () {
  this.timeout(300_000);
  let browser: StartedBrowser;

  before(async function () {
    const missing = missingForWorkbench();
    if (missing !== undefined && process.env['CI'] !== 'true') {
      console.log(`skipped: ${missing}`);
      this.skip();
    }
    browser = await startBrowser();
  });
  after(() => browser?.browser.close());

  for (const transport of ['stdio', 'HTTP'] as const)
    describe(`over ${transport}`, () => {
      let shop: Shop;
      let server: HttpServer | undefined;
      let client: McpTestClient;
      let fixes: readonly z.infer<typeof fixSchema>[];
      let shown: ShownPage;
      const changed = async (): Promise<string> => git(shop.root, 'status', '--porcelain', '--', 'tests');

      before(async () => {
        shop = await brokenShop(seed);
        const options = { capabilities: pagesCapability };
        if (transport === 'HTTP') server = await startHttpServer(shop.root);
        client =
          server === undefined
            ? await McpTestClient.connect(shop.root, options)
            : await McpTestClient.connectOverHttp(server, options);
      });
      after(async () => {
        await client?.close();
        if (server !== undefined) {
          server.process.kill('SIGTERM');
          await once(server.process, 'exit');
        }
        await shop?.dispose();
      });

      it('lists and runs, and tells who is at fault', async () => {
        const listed = (await client.call('list_tests')).data;
        assert.deepEqual(listed.totals, { files: 6, tests: 23 });
        const ran = (await client.call('run_tests')).data;
        assert.deepEqual([ran.exit_code, ran.passed, ran.failed, ran.errored], [1, 14, 10, 1]);
        const bug = 'vitest:tests/cart.test.ts#cart › total › adds up the lines';
        const { data } = await client.call('diagnose_failure', { test_id: bug });
        assert.equal(data.fault, 'source');
        assert.match(data.reason, /^The actual value is NaN since src\/cart\.ts/);
      });

      it('proposes proven fixes, and writes none', async () => {
        const page = await browser.context.newPage();
        shown = await showToolPage(page, client, { name: 'propose_fixes', arguments: {} });
        ({ fixes } = z.object({ fixes: z.array(fixSchema) }).parse(shown.answer));
        assert.deepEqual(
          fixes.map(({ trust, verdict }) => `${trust} ${verdict}`),
          [
            ...Array(2).fill('mechanical verified'),
            ...Array(7).fill('oracle verified'),
            ...Array(2).fill('propose verified'),
          ],
        );
        assert.equal(await changed(), '');
      });

      it('lets the person apply, accept and turn down in the chat, and tells the model', async () => {
        const { frame, toldModel } = shown;
        const press = (name: string): Promise<void> =>
          frame.getByRole('button', { name, exact: true }).click();
        const count = (text: string): Promise<void> =>
          frame.locator('.applied', { hasText: text }).waitFor({ timeout: 120_000 });
        await press('Apply all mechanical (2)');
        await count('2 fixes applied');
        await press("Accept all 2: 'Hi, Ada!' becomes 'Hello, Ada!'");
        await count('4 fixes applied');
        await press("It's a bug: expect price '0.75 EUR' (was '€0.75')");
        await count('1 recorded as a bug');
        const decided = toldModel.at(-1) ?? '';
        assert.equal(decided.match(/: applied; it is in its files$/gm)?.length, 4);
        assert.match(decided, /'0\.75 EUR'.*: not applied: the test is right, and the source is wrong$/m);
        assert.deepEqual(shown.complaints, []);
      });

      it('applies one more by its handle, as accepted by the agent', async () => {
        const fix = fixes.find(({ title }) => title.startsWith("expect '5.00 EUR'"));
        const input = { fixId: fix?.fixId, dry_run: false, accept_expectation: true };
        const { data } = await client.call('apply_fix', input);
        assert.deepEqual([data.applied, data.accepted], [true, 'accepted by agent']);
      });

      it('runs, and only what nobody agreed to is red', async () => {
        const { data } = await client.call('run_tests');
        const red = data.failures.map(({ id }: { id: string }) => id.slice(id.indexOf('#') + 1));
        assert.deepEqual(
          red.toSorted(),
          [
            ...bugTitles,
            'cart › prints a price tag',
            'dates › formats a day for the receipt',
            'formats $cents cents::2',
            'greeting › starts a letter with the greeting',
          ].toSorted(),
        );
        assert.deepEqual([data.exit_code, data.total], [1, 27]);
        const names = ['dates', 'greeting', 'money', 'pricing'];
        assert.equal(await changed(), names.map((name) => ` M tests/${name}.test.ts\n`).join(''));
      });
    });
});
