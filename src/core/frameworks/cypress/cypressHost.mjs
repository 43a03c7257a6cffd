// Starts the user's Cypress and passes on what our reporter in it writes: `node cypressHost.mjs --entry … -- <its arguments>`.
// Our pipe does not reach the process that loads the reporter, so it writes to a file that only the user can read.
import { spawn } from 'node:child_process';
import { mkdtempSync, openSync, readSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath } from 'node:url';
import reporterChannel from '../reporterChannel.cjs';

const { send } = reporterChannel.openChannel();
const [, entry, , ...args] = process.argv.slice(2);
const folder = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'testmend-cypress-'));
const lines = path.join(folder, 'lines');
writeFileSync(lines, '', { mode: 0o600 });

reporterChannel.endWithParent();
send({ type: 'runStarted', framework: 'cypress', version: 'unknown', temporaryFolder: folder });
/** Component specs are a project of their own. */
const project = args.includes('--component') ? { project: 'component' } : {};
const follow = follower(lines);
const watch = setInterval(follow, 50);
const reporter = fileURLToPath(new URL('cypressReporter.cjs', import.meta.url));
const child = spawn(process.execPath, [entry, 'run', ...args, '--reporter', reporter], {
  stdio: ['ignore', 'inherit', 'inherit'],
  env: { ...process.env, TESTMEND_CYPRESS_LINES: lines },
});
child.on('error', (error) => process.stderr.write(`${error.message}\n`));
child.on('exit', (code, signal) => {
  clearInterval(watch);
  const told = follow();
  rmSync(folder, { recursive: true, force: true });
  // Without a word of the reporter it did not come so far: its exit and what it printed tell why.
  if (told > 0 && signal === null) send({ type: 'runFinished' });
  if (signal) process.kill(process.pid, signal);
  else process.exitCode = code;
});

/** Passes on what was added to the file since the last time; gives how many lines that were in all. */
function follower(file) {
  const input = openSync(file, 'r');
  const decoder = new StringDecoder('utf8');
  const buffer = Buffer.alloc(1 << 16);
  let rest = '';
  let count = 0;
  return () => {
    for (let read; (read = readSync(input, buffer, 0, buffer.length, null)) > 0;) {
      rest += decoder.write(buffer.subarray(0, read));
      const whole = rest.split('\n');
      rest = whole.pop() ?? '';
      for (const line of whole) {
        count++;
        const message = placed(JSON.parse(line));
        send(message.file === undefined ? message : { ...message, ...project });
      }
    }
    return count;
  };
}

/** Stacks name files as the bundler of the specs does, `webpack://shop/./cypress/e2e/a.cy.js`, or relative to the project. */
function placed(message) {
  const place =
    /(\(|\bat )(?:webpack(?:-internal)?:\/\/\/?(?:[^\s()/]*\/)?\.\/)?((?![/.]|\w+:)[^\s()]+?)(:\d+:\d+)/g;
  const absolute = (failure) =>
    failure?.stack === undefined
      ? failure
      : {
          ...failure,
          stack: failure.stack.replace(place, (_, before, file, at) => `${before}${path.resolve(file)}${at}`),
        };
  if (message.failures) return { ...message, failures: message.failures.map(absolute) };
  return message.failure ? { ...message, failure: absolute(message.failure) } : message;
}
