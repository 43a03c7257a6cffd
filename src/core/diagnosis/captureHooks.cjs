// Runs inside the user's tests: records the values of every failed assertion as JSON lines, and changes nothing else.
// Plain Node, no dependencies. Does nothing unless TESTMEND_CAPTURE names the file to append to.
'use strict';

const done = Symbol.for('testmend.capture');
const internalMatcher = Symbol.for('$$jest-internal-matcher');
const limits = { record: 400_000, all: 32_000_000 };

/** The hooks of one test file or process; `serializer` is serializeValue.cjs. Without `require` (a browser) they do nothing. */
module.exports = (require, serializer) => {
  const { serialize, nothing } = serializer;
  const { sidesOfThrow, sidesOfCalls, watched } = sidesWith(serializer);
  const output = globalThis.process?.env?.TESTMEND_CAPTURE;
  const node = output && require ? loadNode(require) : undefined;
  const recorded = new WeakSet();
  let written = 0;
  let tell;
  let jestExpect;

  /** Records failed assertions of chai, which vitest's expect is built on. */
  function hookChai(chai, expect) {
    const prototype = chai?.Assertion?.prototype;
    if (!node || !prototype || prototype[done]) return;
    Object.defineProperty(prototype, done, { value: true });
    const flag = (assertion, name) => chai.util.flag(assertion, name);
    const save = (assertion, matcher, sides, thrown) => {
      const error = flag(assertion, 'error');
      record(
        {
          ...testOf(flag(assertion, 'vitest-test'), expect),
          matcher: matcher ?? flag(assertion, '_name') ?? '',
          negated: Boolean(flag(assertion, 'negate')),
          ...sides,
          message: thrown?.message,
          stack: error?.stack ?? here(),
        },
        thrown,
      );
    };
    const inside = new WeakSet();
    const originalAssert = prototype.assert;
    prototype.assert = function (...args) {
      try {
        return originalAssert.apply(this, args);
      } catch (error) {
        const actual = args.length > 4 ? args[4] : flag(this, 'object');
        if (!inside.has(this))
          save(this, undefined, { actual, expected: args.length > 3 ? args[3] : nothing }, error);
        throw error;
      }
    };
    /** Records a matcher as a whole; a soft assertion swallows the error and leaves it at the test. */
    const hookMatcher = (name, run) => {
      const original = prototype[name];
      if (typeof original !== 'function') return;
      prototype[name] = function (...args) {
        if (inside.has(this)) return original.apply(this, args);
        const errors = () => flag(this, 'vitest-test')?.result?.errors ?? [];
        const before = errors().length;
        const [sides, restore] = run(this, args);
        inside.add(this);
        try {
          const result = original.apply(this, args);
          if (errors().length > before) save(this, name, sides(), errors().at(-1));
          return result;
        } catch (error) {
          save(this, name, sides(), error);
          throw error;
        } finally {
          inside.delete(this);
          restore?.();
        }
      };
    };
    hookMatcher('toMatchObject', (assertion, [expected]) => {
      const actual = flag(assertion, 'object');
      return [() => ({ actual, expected })];
    });
    for (const name of throwMatchers)
      hookMatcher(name, (assertion, args) => {
        const subject = flag(assertion, 'object');
        const isThrown = flag(assertion, 'promise') === 'rejects';
        const watch = watched(isThrown ? () => undefined : subject);
        if (isThrown) watch.thrown = { value: subject };
        else chai.util.flag(assertion, 'object', watch.subject);
        return [() => sidesOfThrow(args, watch.thrown), () => chai.util.flag(assertion, 'object', subject)];
      });
    for (const name of callMatchers)
      hookMatcher(name, (assertion, args) => {
        const mock = flag(assertion, 'object');
        return [() => sidesOfCalls(name, mock, args)];
      });
  }

  /**
   * Records failed assertions of node:assert; `assert` and `assert.ok` stay, since their messages quote the caller's line.
   * Test files of one process may share the module: the hooks that came last record.
   */
  function hookNodeAssert() {
    if (!node) return;
    const shared = node.assert[done] ?? {};
    const first = shared.save === undefined;
    shared.save = (error, entry) => record({ ...testOf(), negated: false, ...entry }, error);
    shared.sidesOfThrow = sidesOfThrow;
    shared.watched = watched;
    if (!first) return;
    Object.defineProperty(node.assert, done, { value: shared });
    const wrapped = new Map();
    for (const target of [node.assert, node.assert.strict]) {
      for (const name of ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual']) {
        const original = target[name];
        if (!wrapped.has(original)) wrapped.set(original, recordingAssert(shared, original, name));
        target[name] = wrapped.get(original);
      }
      for (const name of ['throws', 'rejects']) {
        const original = target[name];
        if (!wrapped.has(original)) wrapped.set(original, recordingThrows(shared, original, name));
        target[name] = wrapped.get(original);
      }
    }
    node.sync?.();
  }

  /** Records failed matchers of jest's expect, in jest and as a package of its own. `expect` tells the running test. */
  function hookJestMatchers(expect) {
    jestExpect ??= expect;
    const matchers = globalThis[Symbol.for('$$jest-matchers-object')]?.matchers;
    if (!node || !matchers || matchers[done]) return;
    Object.defineProperty(matchers, done, { value: true });
    for (const name of Object.keys(matchers)) {
      // Snapshots are told by file and counter, and matchers of the project may mean anything.
      if (matchers[name][internalMatcher] !== true || /snapshot/i.test(name)) continue;
      matchers[name] = recordingMatcher(matchers[name], name);
    }
    if (expect && globalThis.expect === expect) globalThis.expect = watchingRejections(expect);
  }

  /** `rejects.toThrow` is no matcher of the list: jest makes it anew for each call of expect(). */
  function watchingRejections(expect) {
    const hook = (promise, rejects) => {
      if (typeof promise?.then !== 'function' || !rejects) return;
      let thrown;
      promise.then(undefined, (value) => (thrown = { value }));
      for (const matcher of ['toThrow', 'toThrowError']) {
        const original = rejects[matcher];
        rejects[matcher] = (...args) => {
          const stack = here();
          const result = original(...args);
          return result?.then?.(undefined, (error) => {
            const sides = sidesOfThrow(args, thrown);
            record({ ...testOf(), matcher, negated: false, ...sides, message: error?.message, stack }, error);
            throw error;
          });
        };
      }
    };
    return new Proxy(expect, {
      apply(target, self, args) {
        const expectation = Reflect.apply(target, self, args);
        hook(args[0], expectation?.rejects);
        return expectation;
      },
    });
  }

  function recordingMatcher(original, name) {
    const save = (context, sides, result) => {
      if (typeof result?.pass !== 'boolean' || result.pass !== Boolean(context?.isNot)) return result;
      try {
        record({
          ...testOf(),
          matcher: name,
          negated: Boolean(context?.isNot),
          ...sides(),
          message: typeof result.message === 'function' ? result.message() : result.message,
          // A promise has left the test's stack behind; the error made at the call still has it.
          stack: context?.promise && context.error?.stack ? context.error.stack : here(),
        });
      } catch {
        // what cannot be recorded is not fixed; the test must not notice
      }
      return result;
    };
    const replacement = function (received, ...args) {
      const watch = throwMatchers.includes(name) ? watched(received) : undefined;
      const sides = () => {
        if (watch) return sidesOfThrow(args, watch.thrown);
        if (callMatchers.includes(name)) return sidesOfCalls(name, received, args);
        return sidesOfMatcher(name, received, args, nothing);
      };
      const result = original.call(this, watch?.subject ?? received, ...args);
      if (typeof result?.then !== 'function') return save(this, sides, result);
      return result.then((settled) => save(this, sides, settled));
    };
    return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
  }

  /** supertest compares a text with the body as it came but tells the parsed one, and of a header it tells neither side. */
  function hookSupertest(supertest) {
    const prototype = supertest?.Test?.prototype;
    if (!node || !prototype || prototype[done]) return;
    Object.defineProperty(prototype, done, { value: true });
    const tell = (method, sidesOf) => {
      const original = prototype[method];
      if (typeof original !== 'function') return;
      prototype[method] = function (wanted, response) {
        const error = original.call(this, wanted, response);
        return error instanceof Error ? Object.assign(error, sidesOf(wanted, response)) : error;
      };
    };
    tell('_assertBody', (body, { text }) => typeof body === 'string' && { actual: text });
    tell('_assertHeader', ({ name, value }, { headers }) => {
      const actual = headers?.[name.toLowerCase()];
      return typeof value === 'string' && typeof actual === 'string' && { expected: value, actual };
    });
  }

  /** Records an error that carries `expected` and `actual` as they were; what is recorded already counts once. */
  function recordError(error) {
    if (!node || typeof error !== 'object' || error === null || recorded.has(error)) return;
    if (!('expected' in error) || !('actual' in error)) return;
    const operator = typeof error.operator === 'string' ? error.operator : '';
    record(
      {
        ...testOf(),
        matcher: operator,
        negated: /^not[A-Z]/.test(operator),
        actual: error.actual,
        expected: error.expected,
        message: error.message,
        stack: String(error.stack ?? ''),
      },
      error,
    );
  }

  /** Who knows which test runs: `() => ({ testName, file, occurrence?, attempt? })`. */
  function setTest(teller) {
    tell = teller;
  }

  function testOf(task, expect = jestExpect) {
    try {
      if (task?.name !== undefined) return testOfTask(task);
      if (tell) return told(tell());
      const state = expect?.getState?.();
      return told({ testName: state?.currentTestName, file: state?.testPath });
    } catch {
      return { testName: '', file: '' };
    }
  }

  function record(entry, error) {
    if (!node || written > limits.all) return;
    try {
      if (typeof error === 'object' && error !== null) recorded.add(error);
      const line = JSON.stringify({
        ...entry,
        message: String(entry.message ?? ''),
        actual: serialize(entry.actual),
        expected: serialize(entry.expected, entry.actual),
        ...(entry.calls && { calls: entry.calls.map((args) => serialize(args)) }),
      });
      if (line.length > limits.record) return;
      written += line.length;
      node.append(output, line + '\n');
    } catch {
      // what cannot be recorded is not fixed; the test must not notice
    }
  }

  return { hookChai, hookNodeAssert, hookJestMatchers, hookSupertest, setTest, recordError };
};

/** Taken before the tests can mock or spy on them. */
function loadNode(require) {
  try {
    const builtin = (name) => globalThis.process.getBuiltinModule?.(name) ?? require(name);
    const fs = builtin('node:fs');
    return {
      append: fs.appendFileSync.bind(fs),
      assert: builtin('node:assert'),
      sync: builtin('node:module').syncBuiltinESMExports,
    };
  } catch {
    return undefined;
  }
}

function recordingAssert(shared, original, name) {
  const replacement = function (actual, expected, ...rest) {
    try {
      return original.call(this, actual, expected, ...rest);
    } catch (error) {
      shared.save(error, { matcher: name, actual, expected, message: error?.message, stack: here() });
      throw error;
    }
  };
  return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
}

/** `throws` and `rejects`; a text in the second place is a message of the assertion, not what is expected. */
function recordingThrows(shared, original, name) {
  const replacement = function (subject, ...args) {
    const watch = shared.watched(subject);
    const stack = here();
    const fail = (error) => {
      if (typeof args[0] === 'object' && args[0] !== null)
        shared.save(error, {
          matcher: name,
          ...shared.sidesOfThrow(args.slice(0, 1), watch.thrown),
          message: error?.message,
          stack,
        });
      throw error;
    };
    try {
      const result = original.call(this, watch.subject, ...args);
      return typeof result?.then === 'function' ? result.then(undefined, fail) : result;
    } catch (error) {
      return fail(error);
    }
  };
  return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
}

const throwMatchers = ['toThrow', 'toThrowError', 'throw', 'throws', 'Throw'];
const callMatchers = [
  'toHaveBeenCalledWith',
  'toBeCalledWith',
  'toHaveBeenLastCalledWith',
  'lastCalledWith',
  'toHaveBeenNthCalledWith',
  'nthCalledWith',
  'toHaveBeenCalledExactlyOnceWith',
];

/** What assertions about errors and about calls of mocks compared. */
function sidesWith({ classNameOf, nothing }) {
  /** Calls the subject as it would be called, and keeps what it threw. */
  function watched(subject) {
    const watch = { thrown: undefined, subject };
    if (typeof subject?.then === 'function') subject.then(undefined, (value) => (watch.thrown = { value }));
    if (typeof subject !== 'function') return watch;
    const keep = (value) => {
      watch.thrown = { value };
      throw value;
    };
    const calling = function (...args) {
      try {
        const result = subject.apply(this, args);
        return result instanceof Promise ? result.catch(keep) : result;
      } catch (error) {
        return keep(error);
      }
    };
    watch.subject = Object.defineProperties(calling, Object.getOwnPropertyDescriptors(subject));
    return watch;
  }

  /** The message that was thrown beside the text or pattern that was expected of it. */
  function sidesOfThrow(args, thrown) {
    const [first, second] = args;
    const isText = (value) =>
      typeof value === 'string' || Object.prototype.toString.call(value) === '[object RegExp]';
    const value = thrown?.value;
    const described = typeof first === 'object' && first !== null && !isText(first) ? first : undefined;
    const expected = [first, second, described?.message].find(isText) ?? nothing;
    if (!thrown) return { actual: undefined, expected, thrown: { fits: false } };
    const isObject = typeof value === 'object' && value !== null;
    const isError = described && Object.prototype.toString.call(described) === '[object Error]';
    const others = described && !isError ? Object.keys(described).filter((key) => key !== 'message') : [];
    const fits =
      (typeof first !== 'function' || value instanceof first) &&
      (!isError || (isObject && value.name === described.name)) &&
      others.every((key) => isObject && Object.is(value[key], described[key]));
    return {
      actual: isObject ? value.message : value,
      expected,
      thrown: { fits, className: (isObject ? classNameOf(value) : undefined) ?? typeof value },
    };
  }

  /** The arguments of the call that an assertion about a mock means, beside those that it names. */
  function sidesOfCalls(name, mock, args) {
    const calls = Array.isArray(mock?.mock?.calls) ? mock.mock.calls : [];
    const isNth = /nth/i.test(name);
    const expected = isNth ? args.slice(1) : args;
    let actual;
    if (isNth) actual = calls[args[0] - 1];
    else actual = /last/i.test(name) || calls.length === 1 ? calls.at(-1) : undefined;
    return { actual: actual && [...actual], expected, calls: calls.slice(0, 20).map((call) => [...call]) };
  }

  return { watched, sidesOfThrow, sidesOfCalls };
}

/** What a matcher of jest compared, as chai's matcher of the same name tells it. */
function sidesOfMatcher(name, received, args, nothing) {
  const expected = args.length > 0 ? args[0] : nothing;
  if (name.endsWith('CalledTimes')) return { actual: received?.mock?.calls?.length, expected };
  if (name === 'toHaveLength') return { actual: received?.length, expected };
  if (name !== 'toHaveProperty') return { actual: received, expected };
  if (args.length < 2) return { actual: received, expected: nothing };
  const keys = Array.isArray(args[0]) ? args[0] : String(args[0]).split(/[.[\]]/).filter((key) => key !== ''); // prettier-ignore
  return { actual: keys.reduce((value, key) => value?.[key], received), expected: args[1] };
}

function told({ testName, file, ...rest }) {
  return { ...rest, testName: String(testName ?? ''), file: String(file ?? '') };
}

/** The test of a vitest task. */
function testOfTask(task) {
  const names = (test) => {
    const result = [];
    for (let part = test; part && part.name !== '' && part !== part.file; part = part.suite)
      result.unshift(part.name);
    return result.join(' > ');
  };
  const all = [];
  const collect = (part) => (part.tasks ? part.tasks.forEach(collect) : all.push(part));
  if (task.file) collect(task.file);
  const testName = names(task);
  return {
    testName,
    file: task.file?.filepath ?? '',
    occurrence: all.filter((other) => names(other) === testName).indexOf(task),
    attempt: task.result?.retryCount ?? 0,
    ...(task.file?.projectName && { project: task.file.projectName }),
  };
}

function here() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack } = new Error('captured');
  Error.stackTraceLimit = limit;
  return String(stack);
}
