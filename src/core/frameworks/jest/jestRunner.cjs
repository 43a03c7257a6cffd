// Runs inside the user's jest (28 to 30), in the process of the tests: starts jest-circus and tells the reporter what it does.
'use strict';
const { readFileSync } = require('node:fs');
const { failureOf } = require('./jestFailure.cjs');

const circusFile = process.env.TESTMEND_JEST_RUNNER;
// Tests get a copy of the environment made later than this.
delete process.env.TESTMEND_JEST_RUNNER;
/** Under a debugger a test may stand still for as long as a person thinks, whatever limit it set itself. */
const isPatient = process.env.TESTMEND_JEST_PATIENCE === 'true';
delete process.env.TESTMEND_JEST_PATIENCE;

module.exports = async (globalConfig, config, environment, runtime, testPath, send, ...rest) => {
  const circus = require(circusFile);
  const run = circus.default ?? circus;
  if (typeof send === 'function')
    watch(environment, testPath, (message) => tell(send, config, testPath, message));
  return run(globalConfig, config, environment, runtime, testPath, send && withoutCases(send), ...rest);
};

/** Ours say the same and more. */
const withoutCases =
  (send) =>
  (name, ...rest) =>
    name === 'test-case-start' || name === 'test-case-result' ? undefined : send(name, ...rest);

function tell(send, config, file, message) {
  const project = config.displayName?.name;
  send('test-case-result', [file, { testmend: { ...message, file, project } }]);
}

/** Tells of the events of jest-circus, before the environment's own handler hears of them. */
function watch(environment, file, say) {
  const keys = new Map();
  const started = new Set();
  const rawErrors = new Map();
  const failed = new Map();
  const broken = new Set();
  const toldErrors = new Set();
  let current;
  watchConsole(environment.global.console, (entry) => {
    const key = current && !current.concurrent ? keys.get(current) : undefined;
    say({
      type: 'output',
      key,
      stream: /^(?:warn|error|assert)$/.test(entry.type) ? 'stderr' : 'stdout',
      text: `${entry.message}\n`,
    });
  });
  const start = (test) => {
    if (started.has(test)) return;
    started.add(test);
    say({ type: 'testStarted', key: keys.get(test) });
  };
  const end = (test, outcome, failures) =>
    say({ type: 'testEnded', key: keys.get(test), outcome, durationMs: test.duration ?? 0, failures });
  const done = (test) => {
    const raw = rawErrors.get(test) ?? [];
    // What a broken hook kept from running has no end of its own.
    if (isBroken(test, broken)) return;
    if (test.errors.length === 0) {
      failed.delete(test);
      return end(test, 'passed');
    }
    const failures = test.errors.map((error, index) => failureOf(raw[index] ?? error));
    // It may be tried again.
    if (Number(environment.global[Symbol.for('RETRY_TIMES')]) > 0) failed.set(test, failures);
    else end(test, 'failed', failures);
  };
  const listeners = {
    run_start: (_event, state) => {
      const tests = testsBelow(state.rootDescribeBlock);
      tests.forEach((test, index) => keys.set(test, index));
      say({ type: 'fileCollected', tests: refsOf(tests, file) });
    },
    test_start: ({ test }) => void (current = test),
    test_started: ({ test }) => start(test),
    test_fn_start: ({ test }) => start(test),
    test_skip: ({ test }) => end(test, 'skipped'),
    test_todo: ({ test }) => end(test, 'skipped'),
    // Later they are rewritten as text.
    test_fn_failure: ({ test }) => void rawErrors.set(test, [...test.errors]),
    error: (_event, { currentlyRunningTest: test }) => void (test && rawErrors.set(test, [...test.errors])),
    test_retry: ({ test }) => void rawErrors.delete(test),
    hook_failure: ({ describeBlock, test, hook, error }) => {
      if (test) rawErrors.set(test, [...test.errors]);
      if (!describeBlock || !/^(?:before|after)All$/.test(hook.type)) return;
      if (hook.type === 'beforeAll') broken.add(describeBlock);
      toldErrors.add(error);
      const failure = failureOf([error, hook.asyncError]);
      say({ type: 'fileFailed', suites: suitesOf(describeBlock), failure });
    },
    test_done: ({ test }) => (done(test), void (current = undefined)),
    run_finish: (_event, state) => {
      for (const [test, failures] of failed) end(test, 'failed', failures);
      const untold = state.unhandledErrors.filter(
        (error) => !toldErrors.has(Array.isArray(error) ? error[0] : error),
      );
      for (const error of untold) say({ type: 'fileFailed', failure: failureOf(error) });
      say({ type: 'fileFinished' });
    },
  };
  const theirs = environment.handleTestEvent;
  environment.handleTestEvent = (event, state) => {
    listeners[event.name]?.(event, state);
    if (isPatient && /^(?:test|hook)_start$/.test(event.name))
      (event.test ?? event.hook).timeout = 2 ** 31 - 1;
    return theirs?.call(environment, event, state);
  };
}

/** Jest keeps what is printed until the file ends; this hears of it at once. */
function watchConsole(console, heard) {
  const buffer = console?.['_buffer'];
  if (!Array.isArray(buffer)) return;
  const push = (...entries) => {
    for (const entry of entries) heard(entry);
    return Array.prototype.push.apply(buffer, entries);
  };
  Object.defineProperty(buffer, 'push', { value: push, configurable: true, writable: true });
}

function testsBelow(block) {
  return block.children.flatMap((child) => (child.type === 'describeBlock' ? testsBelow(child) : child));
}

const isBroken = ({ parent }, broken) =>
  parent !== undefined && (broken.has(parent) || isBroken(parent, broken));
const suitesOf = (block) => (block?.parent ? [...suitesOf(block.parent), String(block.name)] : []);
const namesOf = (test) => ({ suites: suitesOf(test.parent), title: String(test.name) });

/** A stack is led back to the source frame by frame, which takes longer than a fast test: only where the names leave doubt. */
function refsOf(tests, file) {
  const written = writtenNames(file);
  const refs = tests.map((test, key) => ({ key, ...namesOf(test) }));
  const counts = new Map();
  const full = ({ suites, title }) => JSON.stringify([suites, title]);
  for (const ref of refs) counts.set(full(ref), (counts.get(full(ref)) ?? 0) + 1);
  return refs.map((ref, index) => {
    const isCertain =
      counts.get(full(ref)) === 1 && [...ref.suites, ref.title].every((name) => written.has(name));
    return isCertain ? ref : { ...ref, ...placeOf(tests[index]) };
  });
}

/** Names that stand in the file as plain text in a call that declares a suite or test: the parent finds those by themselves. */
function writtenNames(file) {
  try {
    const calls =
      /\b(?:describe|it|test|only|skip|[fx]describe|[fx]it|xtest|todo|failing|concurrent)\s*\(\s*(['"])([^'"\\\n]*)\1\s*[,)]/g;
    return new Set(Array.from(readFileSync(file, 'utf8').matchAll(calls), (match) => match[2]));
  } catch {
    return new Set();
  }
}

/** The first frame of the user's in the stack that circus keeps of each test. */
function placeOf({ asyncError }) {
  for (const line of String(asyncError?.stack ?? '')
    .split('\n')
    .slice(1)) {
    const place = /:(\d+):(\d+)\)?$/.exec(line);
    if (!place || /[\\/]node_modules[\\/](?:jest-each|jest-circus)[\\/]/.test(line)) continue;
    return { line: Number(place[1]), column: Number(place[2]) };
  }
  return {};
}
