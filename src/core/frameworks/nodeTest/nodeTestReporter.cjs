// Runs inside the user's node, in the process of one test file: tells what becomes of each test of node:test.
'use strict';

const { EventEmitter } = require('node:events');
const { Transform } = require('node:stream');
const { pathToFileURL } = require('node:url');
const { isMainThread } = require('node:worker_threads');
const { endWithParent, openChannel } = require('../reporterChannel.cjs');
const { failureOf, withSyntaxPlace } = require('./nodeTestFailure.cjs');

const file = process.argv[1];
const now = performance.now.bind(performance);
const started = now();
/** Before version 24 node's own runner has it for the file as a whole, and a file by itself knows no limit. */
const limit = parseInt(process.versions.node, 10) < 24 ? limitIn(process.execArgv) : Infinity;
const channel = isMainThread ? openChannel() : undefined;
const tell = (message) => channel?.send(message);
// Taken before tests run, which may replace them.
const [emit, on, listeners] = ['emit', 'on', 'listeners'].map((name) =>
  Reflect.get(EventEmitter.prototype, name),
);
const { apply, defineProperty } = Reflect;
/** A file without tests is itself the test: node judges it by its exit code. */
const wholeTitle = process.env.TESTMEND_WHOLE_FILE;
delete process.env.TESTMEND_WHOLE_FILE;

const root = { names: [], cancelled: [] };
const entries = [];
const byId = new Map();
const byPlace = new Map();
/** Entries that run, by their depth, and those that are being reported, by theirs. */
const running = [];
const open = [];
/** Errors that no test has answered for yet. */
const errors = [];
const remarks = [];
let collected = [];
let isFollowed = false;
let hasEnded = false;
const { env } = process;
const disguise = new Proxy(env, { get: readEnv });

if (channel) prepare();

function prepare() {
  // What the tests fork must not load this file: it has nothing to say there.
  process.execArgv = process.execArgv.filter(
    (word) => word !== `--require=${__filename}` && !word.startsWith('--test-reporter'),
  );
  globalThis[Symbol.for('testmend.nodeTest')] = { currentTest };
  lookAsBelowRunner();
  process.on('uncaughtExceptionMonitor', (error) => errors.push(error));
  process.on('exit', atExit);
  endWithParent();
  tell({ type: 'runStarted', framework: 'nodeTest', version: process.versions.node });
  tell({ type: 'filesQueued', files: [{ file }] });
}

/** A stream, and not a function: its source emits what happens at once, so that a process which exits has told it. */
module.exports = class TestmendReporter extends Transform {
  constructor() {
    super({ writableObjectMode: true, transform: (_event, _encoding, done) => done() });
    if (channel) this.once('pipe', follow);
  }
};

/** Node leads its events here, once; tests can make a reporter of their own, and lead to it what they like. */
function follow(source) {
  if (isFollowed || !isCalledByNode())
    return tell({ type: 'tampered', how: 'Code under test sent its own events to the reporter.' });
  isFollowed = true;
  if (process.env === disguise) process.env = env;
  // Tests cannot come between either.
  defineProperty(source, 'emit', { value: emit });
  process.on('unhandledRejection', (reason) => errors.push(reason));
  const hear = (name, listener) => apply(on, source, [name, listener]);
  hear('test:enqueue', enqueued);
  hear('test:dequeue', (data) => {
    const entry = find(data, ({ isRunning, hasEnded: ended }) => !isRunning && !ended);
    if (!entry) return;
    entry.isRunning = true;
    (running[data.nesting] ??= new Set()).add(entry);
    flush();
  });
  hear('test:complete', (data) => running[data.nesting]?.delete(find(data, (entry) => entry.isRunning)));
  hear('test:start', begun);
  hear('test:pass', (data) => ended(data, false));
  hear('test:fail', (data) => ended(data, true));
  hear('test:plan', ({ nesting }) => (hasEnded ||= nesting === 0));
  hear('test:diagnostic', ({ message }) => /after the test ended/.test(message) && remarks.push(message));
}

/**
 * Code under test may look at it, and what it starts reports as below `node --test`: on stdout, if that is ours. Only node's own
 * reading of it, before the first test, has to find nothing: else it would report so, too, and not to us.
 */
function lookAsBelowRunner() {
  env.NODE_TEST_CONTEXT = 'child-v8';
  process.env = disguise;
}

function readEnv(_env, name) {
  if (name !== 'NODE_TEST_CONTEXT' || isFollowed) return env[name];
  const reader = stackHere().split('\n')[3] ?? '';
  const isHarness = reader.includes('node:internal/test_runner/') && !reader.includes('/test_runner/runner:');
  return isHarness ? undefined : env[name];
}

function isCalledByNode() {
  return stackHere().includes('node:internal/test_runner/');
}

/** As node itself writes it. */
function stackHere() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.prepareStackTrace = undefined;
  Error.stackTraceLimit = 100;
  const { stack } = new Error('where');
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack;
}

function enqueued(data) {
  const parent = parentOf(data);
  // When several could be it, the start tells which.
  if (parent) add(data, parent);
}

/** Node tells it from version 22 on; before, it is the one test of the level above that runs. */
function parentOf({ nesting, parentId }) {
  if (nesting === 0) return root;
  if (parentId !== undefined) return byId.get(parentId);
  const candidates = [...(running[nesting - 1] ?? [])];
  return candidates.length === 1 ? candidates[0] : undefined;
}

function add(data, parent) {
  const { name, nesting, line, column, testId, type } = data;
  const entry = { name, nesting, line, column, parent, key: `${entries.length}`, cancelled: [] };
  entry.names = [...parent.names, name];
  entries.push(entry);
  byPlace.set(placeOf(data), [...(byPlace.get(placeOf(data)) ?? []), entry]);
  if (testId !== undefined) byId.set(testId, entry);
  if (type === 'suite') return entry;
  entry.isCollected = true;
  const place = data.file === file && line > 0 ? { line, column } : {};
  collected.push({ key: entry.key, suites: parent.names, title: name, ...place });
  return entry;
}

function flush() {
  if (collected.length === 0) return;
  tell({ type: 'fileCollected', file, tests: collected, more: true });
  collected = [];
}

const placeOf = ({ nesting, name, line, column }) => `${nesting}:${line}:${column}:${name}`;

function find(data, fits) {
  return byId.get(data.testId) ?? byPlace.get(placeOf(data))?.find(fits);
}

/** Starts come in the order of the report: below what was started last, one level up. */
function begun(data) {
  const parent = data.nesting === 0 ? root : (open[data.nesting - 1] ?? root);
  const known = find(data, (entry) => !entry.isOpen && !entry.hasEnded && entry.parent === parent);
  const entry = known ?? add(data, parent);
  entry.isOpen = true;
  open[data.nesting] = entry;
  flush();
}

function ended(data, hasFailed) {
  const { details = {}, skip, todo } = data;
  const entry = data.testId === undefined ? open[data.nesting] : byId.get(data.testId);
  const error = hasFailed ? details.error : undefined;
  const failure = error && failureOf(error);
  if (error) claim(error);
  // A hook of the file itself: it has the name of the file.
  if (!entry || entry.hasEnded || entry.name !== data.name)
    return failure && tell({ type: 'fileFailed', file, failure });
  entry.hasEnded = true;
  running[data.nesting]?.delete(entry);
  const isDue = hasFailed && (todo === undefined || todo === false);
  const { failureType } = error ?? {};
  const isSuite = details.type === 'suite';
  // It is judged by what it does itself: its subtests are told for themselves.
  const isOwn = isDue && !(failureType === 'subtestsFailed' && entry.hasRedBelow);
  if (isDue && entry.parent !== root) entry.parent.hasRedBelow = true;
  if (isSuite) drop(entry);
  if (isOwn && failureType === 'cancelledByParent' && entry.parent !== root) {
    entry.parent.cancelled.push(...entry.cancelled);
    if (!isSuite) entry.parent.cancelled.push({ entry, failure, durationMs: details.duration_ms ?? 0 });
    return;
  }
  // Tests that a suite kept from running end with the file, and tell why.
  if (isSuite && isOwn) return tell({ type: 'fileFailed', file, suites: entry.names, failure });
  release(entry);
  // Node does not look into a suite that is skipped.
  if (isSuite)
    return (
      isLeftOut(skip) && tell({ type: 'fileSkipped', file, suites: entry.names, reason: reasonOf(skip) })
    );
  const isSkipped = isLeftOut(skip) || (todo !== undefined && todo !== false);
  tellEnd(entry, isOwn ? [failure] : undefined, isSkipped, details.duration_ms ?? 0);
}

const isLeftOut = (skip) => skip !== undefined && skip !== false;
const reasonOf = (skip) => (typeof skip === 'string' && skip !== '' ? skip : 'Its suite is skipped.');

/** What was taken for a test is a suite: node tells it at the end only before version 22. */
function drop(entry) {
  flush();
  if (entry.isCollected) tell({ type: 'testDropped', key: entry.key });
}

/** Its parent ended by itself, before them. */
function release({ cancelled }) {
  for (const { entry, failure, durationMs } of cancelled.splice(0))
    tellEnd(entry, [failure], false, durationMs);
}

function tellEnd({ key }, failures, isSkipped, durationMs) {
  flush();
  const outcome = failures ? 'failed' : isSkipped ? 'skipped' : 'passed';
  tell({ type: 'testEnded', key, outcome, durationMs, ...(failures && { failures }) });
}

function limitIn(flags) {
  const flag = flags.find((one) => one.startsWith('--test-timeout='));
  return flag === undefined ? Infinity : Number(flag.slice(flag.indexOf('=') + 1));
}

function claim({ cause }) {
  const index = errors.indexOf(cause);
  if (index >= 0) errors.splice(index, 1);
}

function atExit(code) {
  flush();
  if (now() - started > limit) {
    const message = `It did not end within the ${limit} ms that --test-timeout gives it.`;
    tell({ type: 'fileFailed', file, failure: { message } });
  }
  const failures = errors.map((error) => {
    const failure = withSyntaxPlace(failureOf(error), file);
    const remark = remarks.find((text) => text.includes(`"${error}"`));
    const where = /^Error: (Test(?: hook)? ".*?")(?: at .*?)? generated/s.exec(remark)?.[1];
    return where ? { ...failure, message: `${where} threw after it had ended: ${failure.message}` } : failure;
  });
  const cutOff = failures.length === 0 ? loadingFailure(code) : undefined;
  if (!isFollowed && wholeTitle !== undefined) {
    const key = 'file';
    tell({ type: 'fileCollected', file, tests: [{ key, suites: [], title: wholeTitle }] });
    const red = failures.length > 0 ? failures : [cutOff ?? { message: `It exited with code ${code}.` }];
    const outcome = cutOff ? 'errored' : code === 0 ? 'passed' : 'failed';
    const durationMs = now() - started;
    tell({ type: 'testEnded', key, outcome, durationMs, ...(outcome !== 'passed' && { failures: red }) });
  } else {
    if (!isFollowed && failures.length === 0) tell({ type: 'fileCollected', file, tests: [], more: true });
    if (cutOff) tell({ type: 'fileFailed', file, failure: cutOff });
    if (!hasEnded) for (const failure of failures) tell({ type: 'fileFailed', file, failure });
    // It was ended before it came to its end: what its tests would have said nobody knows.
    if (!hasEnded && (isFollowed || failures.length === 0)) return;
  }
  tell({ type: 'fileEnded', file, durationMs: now() - started });
  tell({ type: 'runFinished', unhandled: hasEnded ? failures.map((failure) => ({ ...failure, file })) : [] });
}

/**
 * Why a file has not told all of its tests: the process ended while it was still being loaded. The innermost frame tells who did it:
 * a file that is itself the test may end as it likes, a module that is being loaded may not.
 */
function loadingFailure(code) {
  const stack = stackHere();
  const frames = stack.split('\n').slice(1);
  if (!frames.some((frame) => frame.includes('process.exit ')))
    return code === 13 || isLoading() ? { message: unsettled } : undefined;
  if (code !== 0) return undefined;
  const own = [file, pathToFileURL(file).href];
  const isOwn = (frame) => own.some((name) => frame.includes(`${name}:`) || frame.includes(`${name}?`));
  const decisive = frames.find((frame) => isOwn(frame) || frame.includes('node:internal/modules/'));
  const isCut = isFollowed || wholeTitle !== undefined ? decisive !== undefined && !isOwn(decisive) : true;
  return isCut
    ? { message: 'It ended before it had finished loading: process.exit was called.', stack }
    : undefined;
}

/** Node 20 has a listener of its own for as long as the file itself is awaited; later ones tell by code 13. What comes after us may set another. */
function isLoading() {
  return apply(listeners, process, ['exit']).some(({ name }) => name === 'handleProcessExit');
}

const unsettled =
  'The file did not finish loading: a top-level await never settled, and tests below it were never registered.';

/** As the hooks that record values name it. */
function currentTest() {
  const entry = running.flatMap((level) => [...(level ?? [])]).at(-1);
  if (!entry) return { testName: '', file: '' };
  const testName = entry.names.join(' > ');
  const namesakes = entries.filter(({ names }) => names.join(' > ') === testName);
  return { testName, file, occurrence: namesakes.indexOf(entry), attempt: 0 };
}
