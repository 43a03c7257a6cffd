// Runs inside the user's jest (28 to 30) and tells the parent process, on file descriptor 3 or in a file, what becomes of each test.
'use strict';
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const { endWithParent, hide, openChannel } = require('../reporterChannel.cjs');

// Before jest starts its workers, or runs the tests beside us.
const channel = openChannel();
const send = (message) => channel?.send(message);
const coverageFile = process.env.TESTMEND_COVERAGE_FILE;
delete process.env.TESTMEND_COVERAGE_FILE;
const { failureOf } = require('./jestFailure.cjs');

module.exports = class TestmendReporter {
  files = new Map();

  onRunStart() {
    hide(module);
    // Code under test may look at it: it sees what it would see below a plain `jest`.
    process.argv.splice(2);
    endWithParent();
    send({ type: 'runStarted', framework: 'jest', version: '' });
    const queued = globalThis[Symbol.for('testmend.jest.queued')] ?? [];
    send({ type: 'filesQueued', files: [...queued].map((file) => ({ file })) });
  }

  onTestFileStart(test) {
    const { place } = this.stateOf(test.path, projectOf(test));
    send({ type: 'filesQueued', files: [place] });
  }

  /** Our runner's messages; jest's own say less, and nothing of tests that are skipped. */
  onTestCaseResult(_test, { testmend: message }) {
    if (!message) return;
    const { type, file, project, key, ...rest } = message;
    const state = this.stateOf(file, project);
    const told = key === undefined ? {} : { key: `${state.id}:${key}` };
    switch (type) {
      case 'fileCollected':
        state.failures = [];
        // A worker that died is replaced, and starts the file again.
        if (!state.isCollected) this.collect(state, rest.tests);
        return;
      case 'fileFailed':
        return void state.failures.push(rest);
      case 'fileFinished':
        return void (state.isFinished = true);
      case 'output':
        return send({ type, ...(key === undefined ? state.place : told), ...rest });
      default:
        send({ type, ...told, ...rest });
    }
  }

  onTestFileResult(test, result) {
    const state = this.stateOf(test.path, projectOf(test));
    const { testResults = [], testExecError, perfStats } = result;
    if (!state.isCollected && testResults.length > 0) this.tellAll(state, result);
    for (const failure of state.failures) send({ type: 'fileFailed', ...state.place, ...failure });
    // What circus could not attach to a test has no message of its own: it has been told.
    if (testExecError && (!state.isFinished || testExecError.message))
      send({ type: 'fileFailed', ...state.place, failure: failureOf(execError(result)) });
    const durationMs = Math.max((perfStats?.end ?? 0) - (perfStats?.start ?? 0), 0);
    send({ type: 'fileEnded', ...state.place, durationMs });
  }

  onRunComplete(_contexts, results) {
    // Snapshots that no test asks for any more are no failure.
    if (results.snapshot) results.snapshot.failure = false;
    const unhandled = results.runExecError ? [failureOf(results.runExecError)] : [];
    endWhenOpen();
    // Jest's own reporter of coverage comes after this one, and leaves there what it found.
    if (coverageFile) process.once('exit', () => keepCoverage(results.coverageMap));
    send({ type: 'runFinished', unhandled });
  }

  stateOf(file, project) {
    const key = `${file}\u0000${project ?? ''}`;
    const place = { file, ...(project === undefined ? {} : { project }) };
    const state = this.files.get(key) ?? { id: this.files.size, place, failures: [] };
    this.files.set(key, state);
    return state;
  }

  collect(state, tests) {
    state.isCollected = true;
    const refs = tests.map(({ key, ...ref }) => ({ key: `${state.id}:${key}`, ...ref }));
    send({ type: 'fileCollected', ...state.place, tests: refs });
  }

  /** Another test runner than ours tells of its tests when the file has ended. */
  tellAll(state, { testResults, console = [] }) {
    const tests = testResults.map(({ ancestorTitles, title, location }, key) => ({
      key,
      suites: ancestorTitles,
      title,
      ...(location && { line: location.line, column: location.column + 1 }),
    }));
    this.collect(state, tests);
    for (const { message, type } of console ?? [])
      send({
        type: 'output',
        ...state.place,
        stream: type === 'error' || type === 'warn' ? 'stderr' : 'stdout',
        text: `${message}\n`,
      });
    testResults.forEach(({ status, duration, failureDetails = [], failureMessages = [] }, index) => {
      const outcome = { passed: 'passed', failed: 'failed' }[status] ?? 'skipped';
      const failures = failureMessages.map((text, one) => failureOf(detailed(failureDetails[one], text)));
      send({
        type: 'testEnded',
        key: `${state.id}:${index}`,
        outcome,
        durationMs: duration ?? 0,
        ...(outcome === 'failed' && { failures }),
      });
    });
  }
};

/** An error may come until then; what a test left open must not hold a run whose tests have all ended. Only jest knows when its end begins. */
function endWhenOpen() {
  const { warn } = console;
  console.warn = (...said) => {
    if (!String(said[0]).includes('Jest did not exit')) return warn.apply(console, said);
    send({ type: 'note', text: 'The tests left something open (a server, a timer): jest was ended.' });
    process.exit();
  };
}

function keepCoverage(map) {
  if (!map) return;
  mkdirSync(path.dirname(coverageFile), { recursive: true });
  writeFileSync(coverageFile, JSON.stringify(map));
}

/** Details lose what is not enumerable on their way from a worker; jasmine keeps the error itself apart. */
function detailed(details = {}, text) {
  const { message, stack = text, name, matcherResult = details.error?.matcherResult } = details;
  return { message, stack, name, ...(matcherResult && { matcherResult }) };
}

const projectOf = ({ context }) => context?.config?.displayName?.name;

/** Some errors carry their text only in the stack. */
function execError({ testExecError, failureMessage }) {
  if (typeof testExecError !== 'object') return { message: String(testExecError) };
  const { message, stack } = testExecError;
  return message || stack ? testExecError : { message: String(failureMessage) };
}
