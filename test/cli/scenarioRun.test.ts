// `testmend scenario run` and `doctor` on the shop: what they say, how they exit, and that no browser stays behind.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { processesIn } from '../support/processesIn.ts';
import { runWorkspace } from '../support/runWorkspace.ts';
import { scenarioWorkspace, serveShop, shopWorkspace, type Shop } from '../support/scenarioShop.ts';
import { testmend } from '../support/testmendCli.ts';
import { chromiumPath } from '../host/vscodeServer.ts';

describe('testmend scenario run', function () {
  this.timeout(120_000);
  let shop: Shop;
  before(async function () {
    if (!existsSync(chromiumPath)) {
      if (process.env['CI'] === 'true') throw new Error(`no Chromium at ${chromiumPath}`);
      this.skip();
    }
    shop = await serveShop();
  });
  after(() => shop?.close());

  it('runs those that are asked for in an environment, and doctor says with which browser', async () => {
    const workspace = await shopWorkspace(shop.url);
    const { root } = workspace;
    try {
      const red = await testmend(['scenario', 'run', 'checkout', '--environment', 'locl'], { cwd: root });
      assert.equal(red.code, 1, red.stderr);
      assert.match(red.stdout, /There is no environment "locl"\. Did you mean "local"\?/);
      const green = await testmend(['scenario', 'run', 'smoke', '--json'], { cwd: root });
      assert.equal(green.code, 0, green.stdout);
      assert.match(green.stdout, /"total":\s*1,\s*"passed":\s*1/);
      const doctor = await testmend(['doctor'], { cwd: root });
      assert.match(
        doctor.stdout,
        /✓ scenario: scenario [\d.]+ in \. \(Playwright [\d.]+ of Testmend, \/.+\)/,
      );
      const file = '.fingerprints/checkout.json';
      assert.match(await readFile(`${root}/${file}`, 'utf8'), /"scenario": "checkout"/);
    } finally {
      await workspace.dispose();
    }
  });

  it('leaves no browser behind where the run is ended in the middle of a step', async () => {
    const workspace = await scenarioWorkspace(
      shop.url,
      `- { type: navigate, config: { url: / } }\n- { type: script, timeout: 60000, config: { script: 'for (;;);' } }`,
    );
    const { root } = workspace;
    try {
      const { summary } = await runWorkspace(root, { limits: { timeoutMs: 6000 } });
      assert.equal(summary.tests[0]?.outcome, 'errored');
      assert.match(summary.tests[0]?.failure?.message ?? '', /limit|time/i);
      assert.deepEqual(processesIn([root]), []);
    } finally {
      await workspace.dispose();
    }
  });
});
