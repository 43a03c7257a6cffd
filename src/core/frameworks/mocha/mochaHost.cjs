// Starts the user's mocha (9 to 12) with the user's own options, except for those that would change what a run is.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');

const { endWithParent, openChannel } = require('../reporterChannel.cjs');

const channel = openChannel();
const { send } = channel;
const request = readRequest(process.argv.slice(2));
// As mocha's own command finds itself: through links.
const home = path.dirname(path.dirname(fs.realpathSync(request.entry)));
/** Modules have other endings in mocha 12. */
const part = (name) =>
  path.join(home, 'lib', fs.existsSync(path.join(home, 'lib', `${name}.cjs`)) ? `${name}.cjs` : `${name}.js`);

endWithParent();
start();

function start() {
  // Code under test may look at it: it sees what it would see below mocha's own command.
  process.argv = [process.argv[0], request.entry, ...request.args];
  const { isNodeFlag } = require(part('cli/node-flags'));
  if (!request.child) send({ type: 'runStarted', framework: 'mocha', version: versionOf() });
  let options;
  try {
    options = require(part('cli/options')).loadOptions(request.args);
  } catch (error) {
    // A configuration that cannot be read.
    return send({ type: 'runFinished', unhandled: [plainFailure(error)] });
  }
  const nodeFlags = {};
  for (const name of Object.keys(options)) {
    if (!isNodeFlag(name)) continue;
    if (!name.startsWith('inspect')) nodeFlags[name.replace(/^v8-(?!options)/, '')] = options[name];
    delete options[name];
  }
  const flags = [
    ...request.node,
    ...(options['node-option']?.map((flag) => `--${flag}`) ?? flagsOf(nodeFlags)),
  ];
  const wanted = flags.filter((flag) => !flag.startsWith('--inspect'));
  delete options['node-option'];
  if (wanted.length > 0 && !request.child) return startAgain(wanted);
  runMocha(options);
}

function runMocha(options) {
  const reporter = require('./mochaReporter.cjs');
  const Mocha = require(part('mocha'));
  const own = {
    reporter: require.resolve('./mochaReporter.cjs'),
    watch: false,
    bail: false,
    // Who asks for certain tests may try one alone. A run of everything that is green must be so for mocha, too.
    ...((request.pattern !== undefined || request.files.length > 0) && {
      'forbid-only': false,
      'forbid-pending': false,
    }),
    'dry-run': false,
    'allow-uncaught': false,
    'fail-zero': false,
    // Stacks as they are: mocha would name files relative to its folder.
    'full-trace': true,
    'fail-hook-affected-tests': false,
    'pass-on-failing-test-suite': false,
  };
  const unwanted = ['reporter-option', 'reporter-options', 'list-interfaces', 'list-reporters'];
  // `dryRun` means the same to mocha, and would win.
  for (const name of [...Object.keys(own), ...unwanted]) {
    delete options[name];
    delete options[name.replace(/-./g, ([, letter]) => letter.toUpperCase())];
  }
  Object.assign(options, own);
  const always = new Set([...(options.file ?? []), ...request.with].map(real));
  const chosen = request.files.length > 0 ? new Set(request.files.map(real)) : undefined;
  const isOthers = (file) => request.without.some((one) => file === one || file.startsWith(one + path.sep));
  if (request.debug) beDebugged(Mocha, options);
  reporter.prepare(Mocha, {
    send,
    pattern: request.pattern,
    choose: (files) =>
      files.filter((file) => {
        const name = real(file);
        if (chosen) return chosen.has(name) || always.has(name);
        return !isOthers(name);
      }),
  });
  reporter.catchOutput();
  const { main } = require(part('cli/cli'));
  // The first of version 9 take nothing but a command line.
  if (!String(main).includes('mochaArgs')) {
    const unparse = require(require.resolve('yargs-unparser', { paths: [home] }));
    const { aliases } = require(part('cli/run-option-metadata'));
    return main(unparse(options, { alias: aliases }));
  }
  main([], options);
}

/** In one process, and a test may stand still for as long as a person thinks, whatever limit it set itself. */
function beDebugged(Mocha, options) {
  Object.assign(options, { parallel: false, timeout: 0 });
  Mocha.Runnable.prototype.timeout = function (...limit) {
    return limit.length > 0 ? this : 0;
  };
}

/** Flags of node need a process that is started with them; it inherits the pipe of the results. */
function startAgain(flags) {
  const child = spawn(process.execPath, [...flags, __filename, '--child', '1', ...request.all], {
    stdio: ['inherit', 'inherit', 'inherit', channel.out, 'pipe'],
    // The key not by the environment: what the flags load may look there.
    env: { ...process.env, TESTMEND_CHANNEL: '3', TESTMEND_CHANNEL_KEY: '4' },
  });
  child.stdio[4].on('error', () => undefined);
  child.stdio[4].end(channel.handOver());
  child.on('error', (error) => send({ type: 'runFinished', unhandled: [plainFailure(error)] }));
  child.on('exit', (code, signal) => {
    if (signal) process.kill(process.pid, signal);
    else process.exitCode = code;
  });
}

/** `--name value`, lists as `--name <count> values…`, everything after `--` for mocha. */
function readRequest(all) {
  const result = { all, args: [], files: [], with: [], without: [], node: [] };
  for (let at = 0; at < all.length;) {
    const name = all[at++].slice(2);
    if (name === '') {
      result.args = all.slice(at);
      break;
    }
    if (Array.isArray(result[name])) {
      const count = Number(all[at++]);
      result[name] = all.slice(at, at + count);
      at += count;
    } else result[name] = all[at++];
  }
  if (result.child) result.all = all.slice(2);
  return result;
}

function flagsOf(flags) {
  return Object.entries(flags).flatMap(([name, value]) =>
    [value].flat().map((one) => (one === true ? `--${name}` : `--${name}=${one}`)),
  );
}

function versionOf() {
  return JSON.parse(fs.readFileSync(path.join(home, 'package.json'), 'utf8')).version;
}

function real(file) {
  try {
    return fs.realpathSync.native(path.resolve(file));
  } catch {
    return path.resolve(file);
  }
}

function plainFailure(error) {
  return {
    message: String(error?.message ?? error),
    ...(typeof error?.stack === 'string' && { stack: error.stack }),
  };
}
