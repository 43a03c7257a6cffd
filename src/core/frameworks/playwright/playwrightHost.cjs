// Starts the user's Playwright Test (1.40 and newer) with this file as its reporter, and tells the parent what becomes of each test.
'use strict';

const { endWithParent, openChannel } = require('../reporterChannel.cjs');
const { keepStacks, projectsOf, runWithout, unloadedFile } = require('./playwrightLoad.cjs');

const commandLine = [...process.argv];
// Before the configuration, which is the user's code, is loaded; workers are started later still.
const isAgain = process.env.TESTMEND_AGAIN !== undefined;
delete process.env.TESTMEND_AGAIN;
const channel = openChannel();
const send = (message) => channel?.send(message);

module.exports = class TestmendReporter {
  keys = new Map();
  ended = new Set();
  unhandled = [];
  /** Files are loaded between here and the beginning. */
  cutStacks = keepStacks();

  /** Else Playwright prints a report of its own. */
  printsToStdio() {
    return true;
  }

  onBegin({ version }, suite) {
    this.cutStacks();
    send({ type: 'runStarted', framework: 'playwright', version: String(version) });
    this.suite = suite;
    for (const [place, tests] of this.files()) {
      const refs = tests.map((test) => {
        const key = String(this.keys.size);
        this.keys.set(test, key);
        const { line, column } = test.location;
        const isOwn = test.location.file === place.file;
        return { key, suites: suitesOf(test), title: test.title, ...(isOwn && { line, column }) };
      });
      send({ type: 'fileCollected', ...place, tests: refs });
    }
  }

  onTestBegin(test) {
    send({ type: 'testStarted', key: this.keys.get(test) });
  }

  onStdOut = (chunk, test) => this.output('stdout', chunk, test);
  onStdErr = (chunk, test) => this.output('stderr', chunk, test);
  output(stream, chunk, test) {
    const key = this.keys.get(test);
    send({ type: 'output', ...(key !== undefined && { key }), stream, text: cut(String(chunk), 2_000_000) });
  }

  onTestEnd(test, result) {
    const files = result.attachments.filter(({ path }) => path);
    if (files.length > 0)
      this.output('stdout', files.map(({ name, path }) => `${name}: ${path}\n`).join(''), test);
    const mayBeTriedAgain = !test.ok() && result.retry < test.retries;
    if (!mayBeTriedAgain) this.end(test);
  }

  /** Outside of every test: a file that does not load, a global set-up that throws, a server that does not start. */
  onError(error) {
    this.unhandled.push(error);
  }

  async onEnd() {
    this.cutStacks();
    if (await this.wentOnWithout()) return;
    for (const test of this.keys.keys()) this.end(test);
    for (const [place, tests] of this.files()) {
      const reasons = new Map();
      for (const test of tests.filter((one) => !this.ended.has(one))) {
        const failed = {
          suites: suitesOf(test),
          failure: { message: `It did not run: ${this.whyNotRun(test)}.` },
        };
        reasons.set(JSON.stringify(failed), failed);
      }
      for (const failed of reasons.values()) send({ type: 'fileFailed', ...place, ...failed });
      const durationMs = tests.flatMap(({ results }) => results).reduce((sum, one) => sum + one.duration, 0);
      send({ type: 'fileEnded', ...place, durationMs: Math.max(durationMs, 0) });
    }
    send({ type: 'runFinished', unhandled: this.unhandled.map(unhandledFailure) });
  }

  /** One file that does not load must not keep the others from running. */
  async wentOnWithout() {
    const failures = this.unhandled.map((error) => ({ file: unloadedFile(error), error }));
    const files = [...new Set(failures.flatMap(({ file }) => file ?? []))];
    if (this.keys.size > 0 || files.length === 0) return false;
    for (const { file, error } of failures.filter((one) => one.file)) {
      for (const name of projectsOf(file)) {
        const place = { file, ...(name && { project: name }) };
        send({ type: 'fileFailed', ...place, failure: failureOf(error) });
        send({ type: 'fileEnded', ...place, durationMs: 0 });
      }
    }
    this.unhandled = failures.filter(({ file }) => !file).map(({ error }) => error);
    return !isAgain && runWithout(files, commandLine, process.execArgv, channel);
  }

  end(test) {
    const { results, expectedStatus } = test;
    const outcome = outcomes[test.outcome()];
    // What kept it from running was not its own `skip`.
    const isDone = outcome !== 'skipped' || expectedStatus === 'skipped';
    if (this.ended.has(test) || !isDone) return;
    this.ended.add(test);
    const ran = results.filter(({ status }) => status !== 'skipped');
    const durationMs = Math.max(ran.at(-1)?.duration ?? 0, 0);
    const failures = ran.at(-1)?.errors.map(failureOf) ?? [];
    if (outcome === 'failed' && failures.length === 0)
      failures.push({
        message: expectedStatus === 'failed' ? 'Expected to fail, but passed.' : ran.at(-1)?.status,
      });
    const told = { key: this.keys.get(test), outcome, durationMs };
    send({ type: 'testEnded', ...told, ...(outcome === 'failed' && { failures }) });
    if (test.outcome() === 'flaky') {
      const name = [...suitesOf(test), test.title].join(' › ');
      send({ type: 'note', text: `Flaky: "${name}" failed at first and passed on try ${results.length}.` });
    }
  }

  /** In a serial suite after a failure, behind a broken hook, or in a project that depends on one that failed. */
  whyNotRun(test) {
    const { dependencies = [] } = test.parent.project() ?? {};
    const failed = this.suite
      .allTests()
      .find((other) => !other.ok() && dependencies.includes(other.parent.project()?.name));
    if (failed) return `the project "${failed.parent.project().name}", which its own depends on, failed`;
    return test.results.length > 0 ? 'a test or hook before it failed' : 'Playwright stopped before it';
  }

  /** The tests of each file, once for each project that runs it. */
  *files() {
    for (const projectSuite of this.suite?.suites ?? []) {
      const project = projectSuite.project()?.name;
      for (const file of projectSuite.suites)
        yield [{ file: file.location.file, ...(project && { project }) }, file.allTests()];
    }
  }
};

const outcomes = { expected: 'passed', flaky: 'passed', unexpected: 'failed', skipped: 'skipped' };

/** Titles of the suites around a test, below its file; a suite may have none. */
function suitesOf(test) {
  const names = [];
  for (let suite = test.parent; suite?.type === 'describe'; suite = suite.parent)
    if (suite.title) names.unshift(suite.title);
  return names;
}

function failureOf({ message, stack, value, location }) {
  const text = plain(message ?? value ?? 'unknown error');
  const [, name, rest] = /^(\w*Error): ([^]*)$/.exec(text) ?? [];
  const told = rest ?? text;
  const compared = /\bexpect(?:\.\w+)?\(/.test(told.slice(0, 2000));
  // Only whole values on one line: else the message shows a difference of its own.
  const expected = compared && /^Expected(?: \w+)?: +(.+)$/m.exec(told)?.[1];
  const actual = compared && /^Received(?: \w+)?: +(.+)$/m.exec(told)?.[1];
  const place = location ? `Error\n    at ${location.file}:${location.line}:${location.column}` : '';
  return {
    message: cut(withoutFrame(told)),
    name: compared ? 'AssertionError' : (name ?? 'Error'),
    // A stack begins with the message; its places stand at the end.
    stack: plain(stack ?? place).slice(-longest),
    ...(expected && actual && { expected: cut(expected), actual: cut(actual) }),
  };
}

/** Playwright draws a frame around its advice. */
function withoutFrame(text) {
  if (!/^╔/m.test(text)) return text;
  const lines = text.split('\n').map((line) => line.replace(/^║ *(.*?) *║$/, '$1'));
  return lines.filter((line) => line !== '' && !/^[╔╚]|^<3/.test(line)).join('\n');
}

function unhandledFailure(error) {
  const file = error.location?.file;
  return { ...failureOf(error), ...(file && { file }) };
}

const plain = (text) => String(text).replaceAll(/\u001b\[[\d;]*m/g, '');

/** Nobody reads more, and a line of many megabytes would not arrive. */
const longest = 90_000;
function cut(text, limit = longest) {
  const left = text.length - limit;
  const half = limit / 2;
  return left <= 0 ? text : `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`;
}

if (require.main === module) {
  endWithParent();
  // The user's code sees what it would see below Playwright's own command.
  process.argv.splice(1, 1);
  require(process.argv[1]);
}
