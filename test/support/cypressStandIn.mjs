// Stands in for `cypress run`, which needs a download of 500 MB: loads the reporter as Cypress does, in a process of its own that inherits no
// pipe but the usual three, and drives it with a real mocha runner over the specs, run in Node.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const option = (name) => args[args.indexOf(name) + 1];
if (process.env.CYPRESS_STAND_IN_SERVER !== '1') {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CYPRESS_STAND_IN_SERVER: '1' },
  });
  child.on('exit', (code, signal) =>
    signal ? process.kill(process.pid, signal) : (process.exitCode = code),
  );
} else await serve();

async function serve() {
  if (args[0] !== 'run') process.exit(1);
  const require = createRequire(import.meta.url);
  const loaded = require('mocha');
  const Mocha = loaded.default ?? loaded;
  const picomatch = require('picomatch');
  const Reporter = require(option('--reporter'));
  console.log(
    `(Run Starting)\n  Specs: ${option('--spec')} (${args.includes('--component') ? 'component' : 'e2e'})`,
  );
  let failures = 0;
  // Patterns, as Cypress takes them.
  const isSpec = picomatch(option('--spec').split(','));
  const files = readdirSync('.', { recursive: true }).filter((file) => !file.startsWith('node_modules'));
  for (const spec of files.filter((file) => isSpec(file))) {
    const mocha = new Mocha({ reporter: Reporter, timeout: 5000 });
    mocha.addFile(path.resolve(spec));
    await mocha.loadFilesAsync();
    mocha.suite.file = spec;
    failures += await new Promise((resolve) => mocha.run(resolve));
  }
  process.exit(failures);
}
