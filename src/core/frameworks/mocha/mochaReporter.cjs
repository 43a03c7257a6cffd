// Runs inside the user's mocha (9 to 12): loads one test file after the other and tells what becomes of each test.
'use strict';

const path = require('node:path');
const failures = require('./mochaFailure.cjs');
const { eachTest, isBelow, placeOfSuite, remember } = require('./mochaSuites.cjs');

/** Taken before tests replace them by fakes. */
const { setTimeout, process } = globalThis;
const now = performance.now.bind(performance);
/** How mocha's main process hears what its parallel workers tell. */
const relayed = 'testmend message';
/** What a green run may leave open before its process is ended, ms. */
const grace = 1000;

/** For the hooks that record values: which test is running, and a place to hear of errors. */
const door = { currentTest: () => session.currentTest(), onError: undefined };
globalThis[Symbol.for('testmend.mocha')] = door;

/** The one that runs the files; another may be made by a test, and what happens in it is nothing to tell. */
let own;
let isExpected = false;

/** What is told of the files that are being run: of all of them, in a parallel worker of one. */
let session;
let prepared;

/**
 * Makes `Mocha` load the files that `choose` picks, each on its own: one that does not load takes nothing with it. `send` takes the
 * messages; `pattern` is an additional regular expression for full titles.
 */
function prepare(Mocha, { send, choose = (files) => files, pattern }) {
  prepared = { Mocha, send };
  session = createSession(send);
  const { loadFilesAsync, run } = Mocha.prototype;
  const { addTest } = Mocha.Suite.prototype;
  const loading = new WeakSet();

  Mocha.prototype.loadFilesAsync = async function (options) {
    own ??= this;
    if (this.isWorker) prepared.events = [];
    if (this.isWorker) session = createSession((data) => prepared.events.push({ eventName: relayed, data }));
    const files = choose(this.files);
    loading.add(this);
    session.queue(files);
    for (const file of files) {
      const undo = remember(this);
      this.files = [file];
      session.loading(file);
      try {
        await loadFilesAsync.call(this, options);
      } catch (error) {
        undo();
        session.failedToLoad(file, error);
      }
      session.loaded(file, this.suite);
    }
    this.files = files;
  };
  Mocha.Suite.prototype.addTest = function (test) {
    session.declaring(test, this);
    return addTest.call(this, test);
  };
  Mocha.prototype.run = function (...args) {
    // In parallel mode the workers load them.
    if (!loading.has(this)) {
      this.files = choose(this.files);
      session.queue(this.files);
    }
    if (pattern !== undefined) narrow(this.options, pattern);
    own ??= this;
    isExpected = this === own || worker !== null;
    try {
      return run.apply(this, args);
    } finally {
      isExpected = false;
    }
  };
}

/** Both what the user's own filter lets through and what was asked for. */
function narrow(options, pattern) {
  const { grep, invert } = options;
  const own = grep instanceof RegExp ? `${invert ? '(?!' : '(?='}[\\s\\S]*?(?:${grep.source}))` : '';
  options.grep = new RegExp(`^${own}(?=[\\s\\S]*?(?:${pattern}))`, grep instanceof RegExp ? grep.flags : '');
  options.invert = false;
}

class TestmendReporter {
  constructor(runner, options) {
    if (!prepared) throw new Error('mocha was not started by Testmend');
    if (!isExpected) {
      prepared.send({ type: 'tampered', how: 'Code under test sent its own events to the reporter.' });
      throw new Error('This reporter is none for tests to use.');
    }
    isExpected = false;
    if (runner.isParallelMode?.()) {
      runner.workerReporter?.(__filename);
      runner.on(relayed, (message) => prepared.send(message));
      session.followWorkers(runner);
    } else session.follow(runner, options);
    this.runner = runner;
    this.options = options;
  }

  /** Called after the user's global teardown. */
  done(failures, callback) {
    if (prepared.events) {
      const result = { __type: 'SerializableWorkerResult', events: prepared.events, failureCount: failures };
      return callback({ ...result, serialize: () => result });
    }
    this.runner.isOver?.();
    callback(failures);
    setTimeout(() => {
      prepared.send({
        type: 'note',
        text: 'The tests left something open (a server, a timer): mocha was ended.',
      });
      process.exit();
    }, grace).unref();
  }
}

function createSession(send) {
  /** What is known of a test, by its first try. */
  const entries = new Map();
  const files = new Map();
  const unhandled = [];
  const broken = [];
  let current;
  let loadingFile;
  let hookFile;
  let runner;
  let isOver = false;
  let isAborted = false;
  let grep;
  let invert;

  const fileOf = (file) => {
    if (!files.has(file)) files.set(file, { tests: 0, started: now() });
    return files.get(file);
  };
  const entryOf = (test) => entries.get(test?.retriedTest?.() ?? test);

  /** Tells the tests that are not known yet; those of hooks and delayed runs come late. */
  function collect(root, file, within) {
    const found = new Map();
    eachTest(root, within, (test) => {
      if (entries.has(test)) return;
      const home = file ?? placeOfSuite(test) ?? loadingFile ?? [...files.keys()].at(-1) ?? '';
      const key = `${home}#${entries.size}`;
      const names = test.titlePath();
      const entry = { test, key, file: home, failures: [], title: names.pop() ?? '', suites: names };
      entries.set(test, entry);
      fileOf(home).tests++;
      if (found.has(home)) found.get(home).push(entry);
      else found.set(home, [entry]);
    });
    for (const [home, list] of found) tell(home, list);
  }

  /** A stack is put into words only where the names leave doubt: that takes longer than a fast test. */
  function tell(home, list) {
    const isCertain = failures.certainNames(home, list);
    const tests = list.map((entry) => {
      const { key, suites, title, test } = entry;
      const declared = isCertain(entry) ? undefined : declarations.get(test);
      return { key, suites, title, ...(declared && failures.placeInStack(declared)) };
    });
    send({ type: 'fileCollected', file: home, tests });
    for (const { test } of list) declarations.delete(test);
  }

  const declarations = new WeakMap();
  /** Suites with something new somewhere below: to look through all of them after each file would take a second for many. */
  let grown = new Set();
  /** A test has ended for good only when the next one begins: until then its hooks, or a second done(), may still fail it. */
  function settle(next) {
    const entry = current;
    if (!entry || (next && entry === next)) return;
    current = undefined;
    if (entry.ended || !entry.isDone) return;
    entry.ended = true;
    const test = entry.last ?? entry.test;
    const failed = entry.failed || entry.hookFailed;
    const outcome = failed ? 'failed' : test.isPending() ? 'skipped' : 'passed';
    const told = failed ? { failures: entry.failures.map(failureOf) } : {};
    send({ type: 'testEnded', key: entry.key, outcome, durationMs: test.duration || 0, ...told });
  }

  function begin(test) {
    const entry = entryOf(test) ?? (collect(runner.suite, undefined), collectOne(test), entryOf(test));
    if (!entry) return undefined;
    settle(entry);
    entry.last = test;
    current = entry;
    return entry;
  }
  function collectOne(test) {
    if (!entryOf(test)) collect({ tests: [test], suites: [] }, undefined);
  }

  function fail(runnable, error) {
    keepError(runnable, error);
    if (runnable.type === 'hook') return hookFailed(runnable, error);
    const entry = entryOf(runnable);
    if (!entry)
      unhandled.push({ ...failureOf(error), ...fileField(error?.file ?? runnable.file ?? loadingFile) });
    else if (entry.ended) unhandled.push({ ...failureOf(error), file: entry.file });
    else {
      entry.failures.push(error);
      entry.failed = true;
      if (entry.isDone) entry.isLate = true;
    }
  }

  function hookFailed(hook, error) {
    const title = hook.originalTitle ?? hook.title;
    const isEach = /^"(?:before|after) each"/.test(title);
    const entry = isEach ? entryOf(hook.ctx?.currentTest ?? runner.test) : undefined;
    if (entry && !entry.ended) {
      entry.failures.push(error);
      entry.hookFailed = entry.isDone = true;
      current ??= entry;
    }
    broken.push({
      suite: hook.parent,
      title: hook.title,
      error,
      isTold: entry !== undefined,
      file: hook.file,
    });
  }

  /** Of the tests that mocha did not run: left out by `only` or a filter, or kept from running by a hook. */
  function tellTheRest(isPresent) {
    const rest = () => [...entries.values()].filter(({ ended }) => !ended);
    for (const entry of rest()) {
      if (isPresent.has(entry.test) && matches(entry.test)) continue;
      entry.ended = true;
      send({ type: 'testEnded', key: entry.key, outcome: 'skipped', durationMs: 0 });
    }
    for (const { suite, title, error, isTold, file } of broken) {
      const failure = failureOf(error);
      const suites = suite?.titlePath?.() ?? [];
      const kept = new Set(
        rest()
          .filter(({ test }) => isBelow(test, suite))
          .map((entry) => entry.file),
      );
      const told = { ...failure, message: `The ${title} failed: ${failure.message}` };
      for (const place of kept) send({ type: 'fileFailed', file: place, suites, failure: told });
      if (kept.size > 0 || isTold) continue;
      const place = placeOfSuite({ file, parent: suite });
      if (place !== undefined && files.has(place))
        send({ type: 'fileFailed', file: place, suites, failure: told });
      else unhandled.push(told);
    }
    const fatal = [...entries.values()].find(({ isLate }) => isLate);
    if (!fatal || !isAborted) return;
    const message = `mocha stopped when "${fatal.title}" failed after it had ended: ${failureOf(fatal.failures.at(-1)).message}`;
    for (const file of new Set(rest().map((entry) => entry.file)))
      send({ type: 'fileFailed', file, failure: { message } });
  }

  function matches(test) {
    const found = grep?.test(test.fullTitle()) ?? true;
    return invert ? !found : found;
  }

  function endFiles() {
    for (const [file, { tests, started }] of files) {
      if (tests === 0) send({ type: 'fileCollected', file, tests: [], helper: true });
      send({ type: 'fileEnded', file, durationMs: now() - started });
    }
  }

  return {
    /** The test that is running, as the hooks that record values name it. */
    currentTest() {
      if (!current || current.ended) return { testName: '', file: '' };
      const nameOf = ({ suites, title }) => [...suites, title].join(' > ');
      const testName = nameOf(current);
      const namesakes = [...entries.values()].filter(
        (entry) => entry.file === current.file && nameOf(entry) === testName,
      );
      const attempt = current.last?.currentRetry?.() ?? 0;
      return { testName, file: current.file, occurrence: namesakes.indexOf(current), attempt };
    },
    queue(all) {
      for (const file of all) fileOf(file);
      send({ type: 'filesQueued', files: all.map((file) => ({ file })) });
    },
    declaring(test, suite) {
      for (let at = suite; at && !grown.has(at); at = at.parent) grown.add(at);
      if (loadingFile) declarations.set(test, failures.declaration(loadingFile));
    },
    loading(file) {
      loadingFile = file;
      fileOf(file).started = now();
    },
    loaded(file, root) {
      loadingFile = undefined;
      collect(root, file, grown);
      grown = new Set();
    },
    failedToLoad(file, error) {
      send({ type: 'fileFailed', file, failure: failureOf(error) });
      send({ type: 'fileEnded', file, durationMs: 0 });
      files.delete(file);
    },
    /** Where something is being printed: by a test, by a file that is loading, or by mocha itself. */
    printing() {
      if (isOver) return undefined;
      if (current && !current.ended) return { key: current.key };
      const file = loadingFile ?? hookFile;
      return file === undefined ? undefined : { file };
    },
    send,
    follow(its, options) {
      runner = its;
      ({ grep, invert } = options);
      const { abort } = runner;
      runner.abort = () => {
        isAborted = true;
        return abort.call(runner);
      };
      const present = new Set();
      // Mocha lets such a test pass, and so do we; but not without a word. It tells the same rejection twice.
      const seen = new Set();
      const rejected = (reason, promise) => {
        if (seen.has(promise) || seen.size > 20) return;
        seen.add(promise);
        const where = current ? ` while "${current.title}" ran` : '';
        send({ type: 'note', text: `A rejection that nobody handles${where}: ${failureOf(reason).message}` });
      };
      runner.on('start', () => process.on('unhandledRejection', rejected));
      runner.on('end', () => process.off('unhandledRejection', rejected));
      runner.on('start', () => {
        collect(runner.suite, undefined);
        eachTest(runner.suite, undefined, (test) => present.add(test));
      });
      runner.on('hook', (hook) => (hookFile = placeOfSuite(hook)));
      runner.on('hook end', () => (hookFile = undefined));
      runner.on('suite', () => settle());
      runner.on('suite end', () => settle());
      runner.on('test', (test) => {
        const entry = begin(test);
        if (!entry || entry.isStarted) return;
        entry.isStarted = true;
        send({ type: 'testStarted', key: entry.key });
        present.add(entry.test);
      });
      runner.on('pending', (test) => begin(test));
      runner.on('test end', (test) => {
        const entry = begin(test);
        if (entry) entry.isDone = true;
      });
      runner.on('retry', (test, error) => {
        keepError(test, error);
        entryOf(test)?.failures.push(error);
      });
      runner.on('fail', fail);
      runner.on('end', () => {
        settle();
        isOver = true;
        tellTheRest(present);
        endFiles();
        if (!prepared.events) send({ type: 'runFinished', unhandled });
        else
          for (const failure of unhandled) send({ type: 'fileFailed', file: [...files.keys()][0], failure });
      });
    },
    followWorkers(its) {
      runner = its;
      runner.on('fail', (runnable, error) => {
        unhandled.push({ ...failureOf(error), ...fileField(error?.file) });
      });
      // It may say more than once that the run has ended.
      runner.isOver = () => send({ type: 'runFinished', unhandled });
    },
  };
}

/** As mocha's own reporters do: hooks of the user look at it. */
function keepError(runnable, error) {
  if (!runnable.err) runnable.err = error;
  door.onError?.(error);
}

const failureOf = (error) => failures.failureOf(error, prepared.Mocha.utils.stringify);
const fileField = (file) => (typeof file === 'string' ? { file } : {});

/** Gives what tests print to the session instead of the terminal; what mocha itself prints goes on as it was. */
function catchOutput() {
  for (const stream of ['stdout', 'stderr']) {
    const target = process[stream];
    const write = target.write;
    target.write = function (chunk, encoding, callback) {
      const place = session?.printing();
      if (!place) return write.call(this, chunk, encoding, callback);
      const text = typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8');
      session.send({ type: 'output', ...place, stream, text });
      const told = typeof encoding === 'function' ? encoding : callback;
      if (typeof told === 'function') process.nextTick(told);
      return true;
    };
  }
}

/** In one of mocha's parallel workers nobody but mocha itself loads this file. */
const worker = /([\\/]lib)[\\/]nodejs[\\/]worker(\.c?js)$/.exec(process.argv[1] ?? '');
if (worker) {
  prepare(require(process.argv[1].slice(0, worker.index) + worker[1] + path.sep + 'mocha' + worker[2]), {
    send: () => undefined,
  });
  catchOutput();
}

module.exports = TestmendReporter;
module.exports.prepare = prepare;
module.exports.catchOutput = catchOutput;
