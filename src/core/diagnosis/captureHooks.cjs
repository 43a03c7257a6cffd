// Runs inside the user's tests: records the values of every failed assertion as JSON lines, and changes nothing else.
// Plain Node, no dependencies. Does nothing unless TESTMEND_CAPTURE names the file to append to.
'use strict';

const done = Symbol.for('testmend.capture');
const internalMatcher = Symbol.for('$$jest-internal-matcher');
const limits = { record: 400_000, all: 32_000_000, message: 100_000 };

/**
 * The hooks of one test file or process; `serializer` is serializeValue.cjs, `sidesWith` assertionSides.cjs. Without `require`
 * (a browser) they do nothing. With TESTMEND_CAPTURE_ON a test goes on after a failed comparison, so that the next is seen too.
 */
module.exports = (require, serializer, sidesWith) => {
  const { serialize, nothing } = serializer;
  const { looksAt, sidesOfThrow, sidesOfCalls, sidesOfMatcher, watched, throwMatchers, callMatchers } =
    sidesWith(serializer);
  const output = globalThis.process?.env?.TESTMEND_CAPTURE;
  const goesOn = Boolean(globalThis.process?.env?.TESTMEND_CAPTURE_ON);
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
    const save = (assertion, name, sides, thrown) => {
      const error = flag(assertion, 'error');
      const matcher = name ?? flag(assertion, '_name') ?? '';
      record(
        {
          ...testOf(flag(assertion, 'vitest-test'), expect),
          matcher,
          looks: looksAt('chai', matcher),
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
        if (inside.has(this)) throw error;
        save(this, undefined, { actual, expected: args.length > 3 ? args[3] : nothing }, error);
        // Whether something is there at all decides what the test may do next.
        if (!goesOn || args.length <= 3 || flag(this, 'negate')) throw error;
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
          if (!goesOn || flag(this, 'negate')) throw error;
          return this;
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
   * So do `match` and `doesNotMatch`: node tells the two apart by comparing with `assert.match` itself.
   * Test files of one process may share the module: the hooks that came last record, and read the stack, since a realm of jest maps
   * places of its own file only.
   */
  function hookNodeAssert() {
    if (!node) return;
    const shared = node.assert[done] ?? {};
    const first = shared.save === undefined;
    shared.save = (error, entry) =>
      record({ ...testOf(), negated: false, looks: looksAt('node', entry.matcher), ...entry }, error);
    shared.sidesOfThrow = sidesOfThrow;
    shared.watched = watched;
    shared.here = here;
    shared.goesOn = goesOn;
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
            if (!goesOn) throw error;
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
        const compared = sides();
        record({
          ...testOf(),
          matcher: name,
          negated: Boolean(context?.isNot),
          looks: looksAt('jest', name),
          ...compared,
          message: typeof result.message === 'function' ? result.message() : result.message,
          // A promise has left the test's stack behind; the error made at the call still has it.
          stack: context?.promise && context.error?.stack ? context.error.stack : here(),
        });
        if (goesOn && !context?.isNot && compared.expected !== nothing) return { ...result, pass: true };
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
        return sidesOfMatcher(name, received, args);
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

  /** `looks` says what of the values counted. */
  function record({ looks, ...entry }, error) {
    if (!node || written > limits.all) return;
    try {
      if (typeof error === 'object' && error !== null) recorded.add(error);
      const line = JSON.stringify({
        kind: entry.thrown ? 'error' : entry.calls ? 'calls' : 'values',
        ...entry,
        message: String(entry.message ?? '').slice(0, limits.message),
        actual: serialize(entry.actual, undefined, looks),
        expected: serialize(entry.expected, entry.actual, looks),
        ...(entry.calls && { calls: entry.calls.map((args) => serialize(args, undefined, looks)) }),
      });
      if (line.length > limits.record) return;
      written += line.length;
      node.append(output, line + '\n');
    } catch {
      // what cannot be recorded is not fixed; the test must not notice
    }
  }

  /** For the frameworks whose own code of ours watches their assertions: one failed assertion, with the test it is of. */
  const recordAssertion = record;
  const others = { here, looksAt, recordAssertion, sidesOfThrow, watched };
  return { hookChai, hookNodeAssert, hookJestMatchers, hookSupertest, setTest, recordError, ...others };
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
      shared.save(error, { matcher: name, actual, expected, message: error?.message, stack: shared.here() });
      if (!shared.goesOn) throw error;
      return undefined;
    }
  };
  return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
}

/** `throws` and `rejects`; a text in the second place is a message of the assertion, not what is expected. */
function recordingThrows(shared, original, name) {
  const replacement = function (subject, ...args) {
    const watch = shared.watched(subject);
    const stack = shared.here();
    const fail = (error) => {
      if (typeof args[0] === 'object' && args[0] !== null)
        shared.save(error, {
          matcher: name,
          ...shared.sidesOfThrow(args.slice(0, 1), watch.thrown),
          message: error?.message,
          stack,
        });
      if (!shared.goesOn) throw error;
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
