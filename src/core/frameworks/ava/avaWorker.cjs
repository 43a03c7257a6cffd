// Loaded into each worker of the user's AVA before the test file: notes at which line a test is declared, and what failed assertions compared.
'use strict';
const { AsyncLocalStorage } = require('node:async_hooks');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const compared = ['is', 'deepEqual', 'like', 'regex', 'not', 'notDeepEqual', 'notRegex'];
const throwing = ['throws', 'throwsAsync'];

const home = process.env.TESTMEND_AVA;
const hooks = process.env.TESTMEND_CAPTURE_HOOKS;
delete process.env.TESTMEND_AVA;
const part = (name) => import(pathToFileURL(path.join(home, 'lib', name)).href);
const watching = hooks && watchAssertions(require(hooks), part('test.js'));
// Code under test starts processes of its own, which record nothing.
delete process.env.TESTMEND_CAPTURE_HOOKS;
delete process.env.TESTMEND_CAPTURE;
delete process.env.TESTMEND_CAPTURE_ON;
const ready = Promise.all([part('runner.js'), watching]).then(([{ default: Runner }, watch]) => {
  const { emit } = Runner.prototype;
  Runner.prototype.emit = function (name, event) {
    watch?.setFile(this.file);
    if (name === 'stateChange' && event.type === 'declared-test') {
      const place = placeIn(this.file);
      if (place) event.testmend = place;
    }
    return emit.apply(this, arguments);
  };
});

// AVA 6 and newer wait for what a loaded module exports.
module.exports = () => ready;

/** Where the call that is going on stands in the file; as the source maps of the process tell it. */
function placeIn(file) {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 25;
  const { stack } = new Error('where');
  Error.stackTraceLimit = stackTraceLimit;
  if (typeof stack !== 'string') return undefined;
  const names = [file, pathToFileURL(file).href];
  for (const line of stack.split('\n')) {
    const name = names.find((one) => line.includes(`${one}:`));
    if (name === undefined) continue;
    const [, row, column] = /^:(\d+):(\d+)/.exec(line.slice(line.indexOf(`${name}:`) + name.length)) ?? [];
    if (row !== undefined) return { line: Number(row), column: Number(column) };
  }
  return undefined;
}

/** Tells the hooks what each failed assertion of `t` compared, while values are recorded. `hooks` of captureHooks.cjs; `loading` gives lib/test.js of AVA 4 and newer. Resolves to what takes the file of the worker. */
async function watchAssertions(hooks, loading) {
  const { default: Test } = await loading;
  const running = new AsyncLocalStorage();
  let file = '';
  /** The call that is going on: of a failed assertion AVA itself is told the message only. */
  let call;

  const told = (test) => ({ testName: nameOf(test), file });
  const save = (test, { matcher, sides, stack }, error) => {
    try {
      hooks.recordAssertion({
        ...told(test),
        matcher: `t.${matcher}`,
        negated: matcher.startsWith('not'),
        looks: hooks.looksAt('ava', matcher),
        ...sides(),
        message: error?.message || `${error?.assertion} failed`,
        stack: stack ?? hooks.here(),
      });
    } catch {
      // what cannot be recorded is not fixed; the test must not notice
    }
  };

  // Tests of a file run side by side: who runs is known by what they wait for.
  hooks.setTest(() => told(running.getStore()));
  hooks.hookNodeAssert();

  const { run, createExecutionContext, addFailedAssertion, addPendingAssertion, failPendingAssertion } =
    Test.prototype;
  /** AVA 6 throws something else than the error of the assertion. */
  const causes = new WeakMap();
  Test.prototype.run = function (...args) {
    return running.run(this, () => run.apply(this, args));
  };
  Test.prototype.createExecutionContext = function (...args) {
    const t = createExecutionContext.apply(this, args);
    // What fails in an attempt of t.try() may be meant to.
    if (this.metadata?.inline) return t;
    for (const matcher of [...compared, ...throwing]) {
      const original = t[matcher];
      if (typeof original !== 'function') continue;
      const watch = throwing.includes(matcher) ? watchedThrow : watchedValues;
      const replacement = function (...given) {
        const outer = call;
        const [passed, sides] = watch(hooks, given);
        call = { matcher, sides, ...(matcher === 'throwsAsync' && { stack: hooks.here() }) };
        try {
          return original.apply(this, passed);
        } finally {
          call = outer;
        }
      };
      t[matcher] = Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
    }
    return t;
  };
  Test.prototype.addFailedAssertion = function (error) {
    if (call) save(this, call, error);
    return addFailedAssertion.apply(this, arguments);
  };
  Test.prototype.addPendingAssertion = function (promise) {
    const pending = call;
    if (pending) promise.then(undefined, (error) => save(this, pending, causes.get(error) ?? error));
    return addPendingAssertion.apply(this, arguments);
  };
  if (failPendingAssertion)
    Test.prototype.failPendingAssertion = function (error) {
      const failure = failPendingAssertion.apply(this, arguments);
      causes.set(failure, error);
      return failure;
    };
  return {
    setFile: (name) => {
      file = String(name ?? '');
    },
  };
}

/** A failing hook around a test fails this test. */
function nameOf({ title, isHook }) {
  return isHook ? title.replace(/^.*? hook for /, '') : title;
}

const watchedValues = (_hooks, given) => [given, () => ({ actual: given[0], expected: given[1] })];

/** What was thrown beside `message` of the expectations; all that they say besides must hold. */
function watchedThrow({ watched, sidesOfThrow }, [subject, expectations, ...rest]) {
  const watch = watched(subject);
  const given = expectations === undefined && rest.length === 0 ? [] : [expectations, ...rest];
  const { message, any, is, instanceOf, name, code } = expectations ?? {};
  const sides = () => {
    // A message may be a function too, which says nothing to a reader.
    const told = sidesOfThrow(typeof message === 'function' ? [] : [message], watch.thrown);
    const value = watch.thrown?.value;
    const fits =
      watch.thrown !== undefined &&
      (any === true || Object.prototype.toString.call(value) === '[object Error]') &&
      (is === undefined || is === value) &&
      (typeof instanceOf !== 'function' || value instanceof instanceOf) &&
      (name === undefined || name === value?.name) &&
      (code === undefined || code === value?.code);
    return { ...told, thrown: { ...told.thrown, fits } };
  };
  return [[watch.subject, ...given], sides];
}
