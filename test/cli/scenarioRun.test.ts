// `testmend scenario run` and `doctor` on the shop: what they say, how they exit, and that no browser stays behind.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
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

  it('starts one browser for scenarios that run side by side, and leaves none', async () => {
    const step = '- { type: navigate, config: { url: / } }';
    const workspace = await scenarioWorkspace(shop.url, step, { config: 'workers: 4\n' });
    const { root } = workspace;
    try {
      for (const id of ['two', 'three', 'four'])
        await workspace.write(
          `${id}.scenario.yaml`,
          (await workspace.read('one.scenario.yaml')).replace('id: one', `id: ${id}`),
        );
      const watched = `${root}/watched`;
      await writeFile(watched, `#!/bin/sh\necho started >> '${root}/starts'\nexec '${chromiumPath}' "$@"\n`);
      await chmod(watched, 0o755);
      const { code, stdout } = await testmend(['scenario', 'run'], {
        cwd: root,
        env: { TESTMEND_SCENARIO_BROWSER: watched },
      });
      assert.equal(code, 0, stdout);
      assert.equal(await workspace.read('starts'), 'started\n');
      assert.deepEqual(processesIn([root]), []);
    } finally {
      await workspace.dispose();
    }
  });

  it('reaches nothing of this machine in untrusted use: no page, no request, no socket', async () => {
    let asked = 0;
    const own = createServer((socket) => {
      asked += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
    const address = own.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const quiet = `continueOnError: true, timeout: 3000`;
    const script = (code: string): string =>
      `- { type: script, ${quiet}, config: { script: ${JSON.stringify(`${code}; await new Promise((go) => setTimeout(go, 700))`)} } }\n`;
    const steps =
      `- { type: navigate, ${quiet}, config: { url: 'http://localhost:${port}/' } }\n` +
      `- { type: navigate, ${quiet}, config: { url: 'file:///etc/hostname' } }\n` +
      `- { type: api-request, ${quiet}, config: { url: 'http://[::ffff:127.0.0.1]:${port}/' } }\n` +
      `- { type: navigate, config: { url: 'about:blank' } }\n` +
      script(`fetch('http://127.0.0.1:${port}/').catch(() => 0)`) +
      script(`new WebSocket('ws://127.0.0.1:${port}/'); new WebSocket('ws://[::ffff:127.0.0.1]:${port}/')`) +
      script(`new Worker(URL.createObjectURL(new Blob(['new WebSocket("ws://localhost:${port}/")'])))`);
    const workspace = await scenarioWorkspace(shop.url, steps);
    try {
      const { code, stdout } = await testmend(['scenario', 'run', '--untrusted', '--json'], {
        cwd: workspace.root,
      });
      assert.equal(code, 1, stdout);
      assert.match(stdout, /is an address of this machine or its network, which is refused in untrusted use/);
      const [run = ''] = await readdir(`${workspace.root}/.testmend/scenarios`);
      const told = await workspace.read(`.testmend/scenarios/${run}/one/result.json`);
      assert.match(told, /Files of this machine are not opened/);
      assert.match(told, /ffff:7f00:1\]:\d+ is an address of this machine/);
      assert.equal(asked, 0);
    } finally {
      await workspace.dispose();
      await new Promise((resolve) => own.close(resolve));
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
