// `npm run test:host`: runs the specs inside a real VS Code extension host, on a shop with broken tests.
// Options: --desktop (desktop VS Code instead of the server from npm), --verbose, and spec files instead of all.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brokenShop } from '../support/brokenShop.ts';
import { isBuilt } from '../queue/prepare.ts';
import { debugWorkspace } from '../support/debugWorkspace.ts';
import { runInHost, type HostRun } from './runInHost.ts';
import { installVscodeServer, missingForWorkbench } from './vscodeServer.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');
const specsFolder = path.join(import.meta.dirname, 'specs');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { desktop: { type: 'boolean', default: false }, verbose: { type: 'boolean', default: false } },
});
process.exitCode = await main();

async function main(): Promise<number> {
  const missing = values.desktop ? undefined : missingForWorkbench();
  if (missing !== undefined) return skip(missing);
  if (!values.desktop) {
    console.log('Not run here: desktop VS Code, which no package registry has (--desktop downloads it).');
    installVscodeServer();
  }
  if (!isBuilt())
    execFileSync(process.execPath, [path.join(projectRoot, 'src/build.mjs')], { stdio: 'inherit' });
  const shop = await brokenShop(465);
  const debugged = await debugWorkspace();
  const beside = (name: string): string => path.join(path.dirname(shop.root), name);
  const [sandboxes, serverFolder] = [beside('sandboxes'), beside('server')];
  let failed = 0;
  let passed = 0;
  try {
    for (const start of starts()) {
      if (start.folder === 'afterReload') changeOneFile(shop.root);
      const result = await runInHost({
        specs: start.specs,
        workspace: start.folder === 'debug' ? debugged.root : shop.root,
        verbose: values.verbose,
        desktop: values.desktop,
        env: { TESTMEND_SANDBOX_DIR: sandboxes },
        ...(start.folder === 'untrusted' ? { untrusted: true } : {}),
        ...(['untrusted', 'agents'].includes(start.folder) ? { chat: true } : {}),
        ...(['', 'afterReload'].includes(start.folder) ? { serverFolder } : {}),
      });
      for (const { title, message } of result.failed) console.error(`FAILED ${title}\n${message}`);
      if (result.problem !== undefined) console.error(`FAILED ${result.problem}`);
      passed += result.passed.length;
      failed += result.failed.length + (result.problem === undefined ? 0 : 1);
    }
    console.log(`${passed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    await Promise.all([shop.dispose(), debugged.dispose()]);
  }
}

interface Start {
  /** Of the specs; empty for those of the first start. */
  readonly folder: string;
  readonly specs: HostRun['specs'];
}

/** The host is started once for each folder of specs: anew on the same data, and for a workspace that nobody trusts. */
function starts(): readonly Start[] {
  const wanted = positionals.map((file) => path.resolve(file));
  return (values.desktop ? [''] : ['', 'afterReload', 'untrusted', 'debug', 'agents'])
    .map((folder) => ({ folder, specs: specsIn(path.join(specsFolder, folder)) }))
    .map(({ folder, specs }) => ({
      folder,
      specs: wanted.length === 0 ? specs : specs.filter((spec) => wanted.includes(spec)),
    }))
    .filter(({ specs }) => specs.length > 0);
}

function specsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith('.spec.cjs'))
    .sort()
    .map((file) => path.join(folder, file));
}

/** As somebody does while no window is open. */
function changeOneFile(root: string): void {
  const now = new Date();
  utimesSync(path.join(root, 'tests/money.test.ts'), now, now);
}

/** Without its tools nothing is proven: said aloud, and an error where the tools are expected. */
function skip(reason: string): number {
  console.log(`SKIPPED, nothing was tested: ${reason}`);
  const failed = process.env['CI'] === 'true' ? 1 : 0;
  console.log(`0 passed, ${failed} failed`);
  return failed;
}
