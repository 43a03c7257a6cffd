// Starts the user's AVA (5 and newer) and tells what it says of each test: `node avaHost.mjs --entry … [--files …] -- <its arguments>`.
import { readFileSync, realpathSync } from 'node:fs';
import inspector from 'node:inspector';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { fileURLToPath, pathToFileURL } from 'node:url';
import reporterChannel from '../reporterChannel.cjs';
import { failureOf } from './avaFailure.mjs';

const { send } = reporterChannel.openChannel();
const request = readRequest(process.argv.slice(2));
// As Node finds the command: through links.
const entry = realpathSync(request.entry);
const home = path.dirname(path.dirname(entry));
const { version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'));
const part = (name) => import(pathToFileURL(path.join(home, 'lib', name)).href);

reporterChannel.endWithParent();
send({ type: 'runStarted', framework: 'ava', version });
await start();

async function start() {
  const { AVA_FORCE_CI } = process.env;
  // Snapshots that are not stored yet are written, but never in CI: AVA knows no other way to ask for that.
  if (request.snapshots === 'stored') process.env.AVA_FORCE_CI = 'ci';
  // It refuses to be debugged in CI, which it takes from variables that an editor may have got from anywhere.
  else if (inspector.url() !== undefined) process.env.AVA_FORCE_CI = 'not-ci';
  await part('is-ci.js');
  if (AVA_FORCE_CI === undefined) delete process.env.AVA_FORCE_CI;
  else process.env.AVA_FORCE_CI = AVA_FORCE_CI;
  // Its own reports would repeat what we tell.
  for (const name of ['default', 'tap']) {
    const { default: Reporter } = await part(`reporters/${name}.js`);
    Object.assign(Reporter.prototype, { startRun() {}, endRun() {} });
  }
  const { default: Api } = await part('api.js');
  const { run, emit } = Api.prototype;
  Api.prototype.run = function (selection) {
    Object.assign(this.options, {
      failFast: false,
      parallelRuns: null,
      updateSnapshots: request.snapshots === 'update',
    });
    const worker = fileURLToPath(new URL('avaWorker.cjs', import.meta.url));
    process.env.TESTMEND_AVA = home;
    this.options.require.unshift(Number.parseInt(version, 10) < 6 ? worker : [worker]);
    if (request.files.length === 0) return run.call(this, selection);
    return run.call(this, { ...selection, ...chosenFiles(this.options.projectDir) });
  };
  Api.prototype.emit = function (name, plan) {
    if (name === 'run') observe(plan);
    return emit.apply(this, arguments);
  };
  // Code under test may look at it: it sees what it would see below AVA's own command.
  process.argv = [process.argv[0], entry, ...request.args];
  await import(pathToFileURL(entry).href);
}

/** Exactly these files, where AVA would take their names for patterns; `file:3,8` stands for the tests at these lines. */
function chosenFiles(folder) {
  const chosen = request.files.map((text) => /^(.*?)(?::(\d+(?:,\d+)*))?$/s.exec(text));
  return {
    files: chosen.map(([, file]) => file),
    filter: chosen.flatMap(([, file, lines]) => {
      if (lines === undefined) return [];
      const pattern = path.relative(folder, file).replaceAll('\\', '/').replace(/[!()*+?@[\]{}|^$]/g, '\\$&'); // prettier-ignore
      return [{ pattern, lineNumbers: lines.split(',').map(Number) }];
    }),
  };
}

/** Before AVA itself hears of it, and at once: what was said before a crash arrives. */
function observe({ files, matching, status }) {
  const isNarrowed = matching || request.files.some((file) => /:\d[\d,]*$/.test(file));
  const runs = new Map(files.map((file) => [file, new FileRun(file, isNarrowed)]));
  const unhandled = [];
  send({ type: 'filesQueued', files: files.map((file) => ({ file })) });
  const { emitStateChange } = status;
  status.emitStateChange = function (event) {
    const run = runs.get(event.testFile);
    if (event.type === 'timeout') for (const one of runs.values()) one.tellTimeout(event);
    else if (run) run.tell(event);
    else if (event.type.endsWith('-error')) unhandled.push(failureOf(event.err));
    const result = emitStateChange.call(this, event);
    if (event.type === 'end') {
      send({ type: 'runFinished', unhandled });
      leaveSoon();
    }
    return result;
  };
}

/** A handle that somebody left open does not hold a run whose tests have all ended. */
function leaveSoon() {
  setTimeout(() => {
    send({ type: 'note', text: 'AVA did not exit by itself: something in its own process, such as a configuration, keeps it alive.' }); // prettier-ignore
    process.exit();
  }, 3000).unref();
}

let keys = 0;

class FileRun {
  constructor(file, isNarrowed) {
    this.file = file;
    this.isNarrowed = isNarrowed;
    /** Titles with their places. */
    this.declared = new Map();
    this.selected = new Set();
    /** Selected, not told yet. */
    this.fresh = [];
    /** Keys of the tests that have not ended, by title. */
    this.open = new Map();
    this.failures = 0;
    this.isOver = false;
    this.decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() };
  }

  tell(event) {
    switch (event.type) {
      case 'declared-test':
        this.declared.set(event.title, event.testmend);
        return;
      case 'selected-test':
        this.select(event);
        return;
      case 'test-register-log-reference':
        return this.with(event.title, (key) => send({ type: 'testStarted', key }));
      case 'test-passed':
        return this.end(event.title, { outcome: 'passed', durationMs: event.duration }, event.logs);
      case 'test-failed':
        return this.end(
          event.title,
          { outcome: 'failed', durationMs: event.duration, failures: [this.placed(event)] },
          event.logs,
        );
      case 'hook-failed':
        return this.failHook(event);
      case 'uncaught-exception':
        return this.fail(withPlace(failureOf(event.err), this.file));
      case 'unhandled-rejection':
      case 'internal-error':
      case 'line-number-selection-error':
        return this.fail(failureOf(event.err));
      case 'missing-ava-import':
        return this.fail({
          message: `No test found in file ${path.basename(this.file)}: it does not import ava.`,
        });
      case 'process-exit':
        return this.fail({ message: 'process.exit() was called while its tests ran.', stack: event.stack });
      case 'worker-stdout':
      case 'worker-stderr':
        return this.print(event.type.slice('worker-'.length), event.chunk);
      case 'worker-failed':
        this.tellDeath(event);
        return this.finish();
      case 'worker-finished':
        return this.finish();
    }
  }

  /** The tests that are about to run come one by one: they are told together. */
  select({ title, skip, todo }) {
    const key = String(++keys);
    this.open.set(title, key);
    this.selected.add(title);
    if (this.fresh.length === 0) setImmediate(() => this.flush());
    this.fresh.push({ key, title, outcome: skip || todo ? 'skipped' : undefined });
  }

  flush() {
    const tests = this.fresh.splice(0);
    if (tests.length > 0) this.collect(tests);
  }

  collect(tests) {
    const refs = tests.map(({ key, title }) => ({ key, suites: [], title, ...this.declared.get(title) }));
    send({ type: 'fileCollected', file: this.file, tests: refs });
    for (const { title, outcome } of tests) if (outcome) this.end(title, { outcome, durationMs: 0 });
  }

  with(title, action) {
    this.flush();
    const key = this.open.get(title);
    if (key !== undefined) action(key);
  }

  end(title, outcome, logs = []) {
    this.with(title, (key) => {
      this.open.delete(title);
      if (logs.length > 0) send({ type: 'output', key, stream: 'stdout', text: `${logs.join('\n')}\n` });
      send({ type: 'testEnded', key, ...outcome });
    });
  }

  /** What AVA itself finds at the end of a test happened nowhere in it: the test is the place. */
  placed({ err, title }) {
    const failure = failureOf(err);
    const place = this.declared.get(title);
    if (
      !place ||
      [this.file, pathToFileURL(this.file).href].some((name) => failure.stack?.includes(`${name}:`))
    )
      return failure;
    const frame = `    at ${this.file}:${place.line}:${place.column}`;
    return { ...failure, stack: `${failure.stack ?? failure.message}\n${frame}` };
  }

  /** A hook around a test ("beforeEach hook for <title>") fails this test, unless it has ended already. */
  failHook({ title, err, duration }) {
    const { message, ...rest } = failureOf(err);
    const failure = { message: `The hook "${title}" failed: ${message}`, ...rest };
    const owner = [...this.open.keys()].find((one) => title.endsWith(` for ${one}`));
    if (owner === undefined) this.fail(failure);
    else this.end(owner, { outcome: 'failed', durationMs: duration ?? 0, failures: [failure] });
  }

  fail(failure) {
    this.flush();
    this.failures++;
    send({ type: 'fileFailed', file: this.file, failure });
  }

  tellTimeout({ period, pendingTests }) {
    if (this.isOver || !pendingTests.has(this.file)) return;
    this.fail({ message: `Test timed out in ${period}ms: no test finished in that time.` });
  }

  print(stream, chunk) {
    const text = this.decoders[stream].write(Buffer.from(chunk));
    if (text !== '') send({ type: 'output', file: this.file, stream, text });
  }

  /** What was told before explains why it died. */
  tellDeath({ err, nonZeroExitCode, signal }) {
    if (err) return this.fail(failureOf(err));
    if (this.failures > 0) return;
    const how = signal ? `was killed by ${signal}` : `exited with code ${nonZeroExitCode}`;
    this.fail({ message: `The process of its tests ${how}.` });
  }

  finish() {
    if (this.isOver) return;
    this.isOver = true;
    this.flush();
    // Those that an `only` somewhere in the file keeps from running.
    const rest = [...this.declared.keys()].filter((title) => !this.selected.has(title));
    const left = this.selected.size > 0 && !this.isNarrowed ? rest : [];
    for (const title of left) this.open.set(title, String(++keys));
    if (left.length > 0) this.collect(left.map((title) => ({ key: this.open.get(title), title, outcome: 'skipped' }))); // prettier-ignore
    if (this.selected.size === 0 && this.failures === 0) {
      // AVA itself fails such a file, at the end of all.
      if (this.declared.size === 0)
        this.fail({ message: `No tests found in ${path.basename(this.file)}, or it ended before it declared them.` }); // prettier-ignore
      else send({ type: 'fileCollected', file: this.file, tests: [] });
    }
    send({ type: 'fileEnded', file: this.file, durationMs: 0 });
  }
}

/** Node tells the place of a syntax error on stderr only, and AVA does not pass it on. */
function withPlace(failure, file) {
  if (failure.name !== 'SyntaxError' || !/\.[cm]?js$/.test(file)) return failure;
  try {
    createRequire(entry)('acorn').parse(readFileSync(file, 'utf8'), { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true }); // prettier-ignore
  } catch ({ loc }) {
    if (loc) return { ...failure, message: `${failure.message}\n${file}:${loc.line}:${loc.column + 1}` };
  }
  return failure;
}

/** `--name value`, `--files <count> values…`, everything after `--` for AVA. */
function readRequest(all) {
  const result = { args: [], files: [] };
  for (let at = 0; at < all.length;) {
    const name = all[at++].slice(2);
    if (name === '') {
      result.args = all.slice(at);
      break;
    }
    if (name === 'files') {
      const count = Number(all[at++]);
      result.files = all.slice(at, at + count);
      at += count;
    } else result[name] = all[at++];
  }
  return result;
}
