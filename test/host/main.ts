// `npm run test:host`: runs the specs inside a real VS Code extension host, on a shop with broken tests.
// Options: --desktop (desktop VS Code instead of the server from npm), --verbose, and spec files instead of all.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { brokenShop } from '../support/brokenShop.ts';
import { runInHost } from './runInHost.ts';
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
  execFileSync(process.execPath, [path.join(projectRoot, 'src/build.mjs')], { stdio: 'inherit' });
  const specs = readdirSync(specsFolder)
    .filter((file) => file.endsWith('.spec.cjs'))
    .sort()
    .map((file) => path.join(specsFolder, file));
  const shop = await brokenShop(465);
  try {
    const result = await runInHost({
      specs: positionals.length > 0 ? positionals : specs,
      workspace: shop.root,
      verbose: values.verbose,
      desktop: values.desktop,
    });
    for (const { title, message } of result.failed) console.error(`FAILED ${title}\n${message}`);
    if (result.problem !== undefined) console.error(`FAILED ${result.problem}`);
    const failed = result.failed.length + (result.problem === undefined ? 0 : 1);
    console.log(`${result.passed.length} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    await shop.dispose();
  }
}

/** Without its tools nothing is proven: said aloud, and an error where the tools are expected. */
function skip(reason: string): number {
  console.log(`SKIPPED, nothing was tested: ${reason}`);
  const failed = process.env['CI'] === 'true' ? 1 : 0;
  console.log(`0 passed, ${failed} failed`);
  return failed;
}
