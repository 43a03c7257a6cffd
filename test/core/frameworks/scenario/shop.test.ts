// The sample shop in a real Chromium: green on the first version of its pages, healed on the second, and nothing taken for what is gone.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { approveHealing, rejectHealing } from '../../../../src/core/scenario/healing/decideRecord.ts';
import { HealingStore } from '../../../../src/core/scenario/healing/healingStore.ts';
import { valueAt } from '../../../../src/core/scenario/engine/variables.ts';
import { chromiumPath } from '../../../host/vscodeServer.ts';
import { drawn, runWorkspace } from '../../../support/runWorkspace.ts';
import { serveShop, shopWorkspace, type Shop } from '../../../support/scenarioShop.ts';
import type { TemporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

const stepsIn = (text: string): unknown => valueAt(JSON.parse(text), 'steps');

describe('scenarios of a shop', function () {
  this.timeout(120_000);
  let shop: Shop;
  let workspace: TemporaryWorkspace;
  before(async function () {
    if (!existsSync(chromiumPath)) {
      if (process.env['CI'] === 'true') throw new Error(`no Chromium at ${chromiumPath}`);
      this.skip();
    }
    shop = await serveShop();
    workspace = await shopWorkspace(shop.url);
  });
  after(async () => {
    await workspace?.dispose();
    await shop?.close();
  });

  it('are green on the first version, and remember what they saw', async () => {
    const { summary } = await runWorkspace(workspace.root);
    assert.deepEqual(drawn(summary.tests), [
      'passed scenario:checkout.scenario.yaml#Check out @smoke',
      'passed scenario:news.scenario.yaml#Subscribe to the news',
    ]);
    assert.deepEqual(
      summary.tests.flatMap(({ healed = [] }) => healed),
      [],
    );
    const text = await workspace.read('.fingerprints/checkout.json');
    const steps = stepsIn(text);
    assert.equal(valueAt(steps, 'green/add.Add green.tag'), 'button');
    assert.deepEqual(Object.keys(Object(steps)).sort(), [
      'cart',
      'green/add',
      'name',
      'pay',
      'shipping',
      'thanks',
      'total',
    ]);
  });

  it('are healed on the second one and say so; what was removed is not, and nothing alike is taken for it', async () => {
    shop.version = 'v2';
    const before = await workspace.read('.fingerprints/checkout.json');
    const { summary } = await runWorkspace(workspace.root);
    const [checkout, news] = [...summary.tests].sort((a, b) => (a.file < b.file ? -1 : 1));
    assert.ok(checkout && news);
    assert.equal(checkout.outcome, 'passed', checkout.failure?.message);
    const healed = checkout.healed ?? [];
    assert.deepEqual(
      healed.map(({ step, line, original, used }) => `${line} ${step}: ${original} → ${used}`),
      [
        '10 green/add: testId="add-green" → testId="buy-green"',
        '13 cart: testId="cart-link" → testId="basket-link"',
        '21 total: testId="total" → testId="sum"',
        '31 name: testId="customer" → role=textbox "Your name"',
        '40 shipping: testId="shipping" → label="Shipping"',
        '49 pay: testId="checkout" → testId="pay-now"',
      ],
    );
    for (const { confidence } of healed) assert.ok(confidence > 0.4 && confidence <= 1, String(confidence));
    assert.ok(
      summary.notes.some((note) => /Check out: "Open the cart" healed: testId → testId, 0\.\d\d/.test(note)),
    );
    assert.equal(news.outcome, 'failed');
    assert.match(
      news.failure?.message ?? '',
      /"Subscribe button" was not found\.\n  testId="subscribe": nothing matches/,
    );
    assert.match(news.failure?.message ?? '', /by its fingerprint: (?:too unlike|two alike|nothing there)/);
    assert.deepEqual(news.failure?.location, { file: 'news.scenario.yaml', line: 5, column: 1 });
    const files =
      /Screenshot: (.+)\nPage: (.+)\nTrace: (.+) \(/.exec(news.failure?.message ?? '')?.slice(1) ?? [];
    assert.deepEqual(files.map((file) => [path.basename(file), existsSync(file)]), [['subscribe.png', true], ['subscribe.html', true], ['trace.zip', true]]); // prettier-ignore
    const result: unknown = JSON.parse(
      await readFile(path.join(path.dirname(files[0] ?? ''), 'result.json'), 'utf8'),
    );
    assert.deepEqual(valueAt(result, 'counts'), { passed: 1, failed: 1, skipped: 0, healed: 0 });
    // A healing is no truth before it is accepted.
    const now = stepsIn(await workspace.read('.fingerprints/checkout.json'));
    assert.deepEqual(valueAt(now, 'pay'), valueAt(stepsIn(before), 'pay'));
  });

  it('keep a record of each healing, of which an accepted one makes the step plainly green and a rejected one is not tried again', async () => {
    const store = new HealingStore(workspace.root);
    const records = await store.list();
    // The healed step of the component holds a variable: one element would take the place of many.
    assert.deepEqual(records.map(({ stepId, status }) => `${stepId} ${status}`).sort(), [
      'cart pending',
      'name pending',
      'pay pending',
      'shipping pending',
      'total pending',
    ]);
    const idOf = (step: string): string => records.find(({ stepId }) => stepId === step)?.id ?? '';
    await approveHealing(workspace.root, store, idOf('cart'));
    await approveHealing(workspace.root, store, idOf('total'));
    await rejectHealing(store, idOf('pay'));
    const text = await workspace.read('checkout.scenario.yaml');
    assert.match(text, /testId, value: basket-link/);
    assert.match(text, /# the way that earns the money/);
    const { summary } = await runWorkspace(workspace.root, { selection: { filter: '@smoke' } });
    const [checkout] = summary.tests;
    assert.match(
      checkout?.failure?.message ?? '',
      /"Check out button" was not found[^]*this healing was rejected/,
    );
    assert.match(checkout?.output ?? '', /✓ "Open the cart" [^\n]*\n✓ "The total is that of one tea"/);
  });
});
