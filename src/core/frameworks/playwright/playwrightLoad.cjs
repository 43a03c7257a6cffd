// When test files do not load, Playwright runs nothing at all: says which files these are, and starts it again without them.
'use strict';

const { spawn } = require('node:child_process');
const { tracingChannel } = require('node:diagnostics_channel');
const { fileURLToPath } = require('node:url');

/** Name, folder and patterns (`[source, flags]`) of each project as far as they are known. */
const known = process.env.TESTMEND_PLAYWRIGHT_PROJECTS ?? '[]';
const projects = JSON.parse(known).map(({ name, folder, match, ignore }) => ({
  name,
  folder,
  match: match.map(compiled),
  ignore: ignore.map(compiled),
}));
delete process.env.TESTMEND_PLAYWRIGHT_PROJECTS;

function compiled([source, flags]) {
  return new RegExp(source, flags);
}

/** Names of the projects that run the file; the empty name stands for one without. */
function projectsOf(file) {
  const matches = (patterns) => patterns.some((pattern) => ((pattern.lastIndex = 0), pattern.test(file)));
  return projects
    .filter(({ folder, match, ignore }) => file.startsWith(folder) && matches(match) && !matches(ignore))
    .map(({ name }) => name);
}

/** Test files whose import failed, in order, as newer versions of Node tell it: what Playwright says of an ES module names no file. */
const failedImports = [];
tracingChannel?.('module.import').subscribe({
  error: ({ url, error }) => {
    const file = String(url).startsWith('file:') ? fileURLToPath(url) : String(url);
    if (projectsOf(file).length > 0) failedImports.push({ file, message: String(error?.message) });
  },
});

/** Until the result is called, Playwright leaves stacks whole: above that of an ES module Node writes where the import stands. */
function keepStacks() {
  const former = process.env.PWDEBUGIMPL;
  process.env.PWDEBUGIMPL = '1';
  return () => {
    if (former === undefined) delete process.env.PWDEBUGIMPL;
    else process.env.PWDEBUGIMPL = former;
  };
}

/** The test file that the error kept from loading: where it happened, or what imported that. Undefined for any other error. */
function unloadedFile({ location, stack = '', message = '' }) {
  const failed = failedImports.findIndex((one) => message.endsWith(one.message));
  if (failed >= 0) return failedImports.splice(failed, 1)[0].file;
  const named = [
    ...`${message}\n${stack}`.matchAll(
      /(?:^- |\(|at (?:async )?|^file:\/\/|imported from )((?:\/|[A-Za-z]:[\\/])[^\n():]+)/gm,
    ),
  ];
  const files = [location?.file, ...named.map(([, file]) => file.replace(/^file:\/\//, ''))];
  return files.find((file) => file && projectsOf(file).length > 0);
}

/**
 * Runs the command line `[node, host, cli, 'test', …filters, …options]` without these files, reporting on `channel`.
 * Resolves when it has ended; with false when nothing is left to run.
 */
function runWithout(files, [node, ...args], nodeFlags, channel) {
  const at = args.indexOf('test') + 1;
  const end = args.findIndex((argument, index) => index >= at && argument.startsWith('--'));
  const filters = args.slice(at, end);
  const isLeftOut = (filter) => files.some((file) => new RegExp(filter).test(file));
  const kept = filters.filter((filter) => !isLeftOut(filter));
  if (filters.length > 0 && kept.length === 0) return Promise.resolve(false);
  const escaped = files.map((file) => file.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  const wanted = filters.length > 0 ? kept : [`^(?!(?:${escaped.join('|')})$)`];
  const child = spawn(node, [...nodeFlags, ...args.slice(0, at), ...wanted, ...args.slice(end)], {
    stdio: ['inherit', 'inherit', 'inherit', channel.out, 'pipe'],
    // The key not by the environment: the configuration may look there.
    env: {
      ...process.env,
      TESTMEND_CHANNEL: '3',
      TESTMEND_CHANNEL_KEY: '4',
      TESTMEND_AGAIN: '1',
      TESTMEND_PLAYWRIGHT_PROJECTS: known,
    },
  });
  child.stdio[4].on('error', () => undefined);
  child.stdio[4].end(channel.handOver());
  return new Promise((resolve) => {
    child.on('error', () => resolve(false));
    child.on('exit', () => resolve(true));
  });
}

module.exports = { keepStacks, projectsOf, unloadedFile, runWithout };
