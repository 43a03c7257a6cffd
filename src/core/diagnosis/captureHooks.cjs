// Runs inside the user's tests: records the values of every failed assertion as JSON lines, and changes nothing else.
// Plain Node, no dependencies. Does nothing unless TESTMEND_CAPTURE names the file to append to.
'use strict';

const done = Symbol.for('testmend.capture');
const internalMatcher = Symbol.for('$$jest-internal-matcher');
const limits = { depth: 14, nodes: 4000, text: 20_000, record: 400_000, all: 32_000_000 };
const nothing = Symbol('nothing was expected');

/** The hooks of one test file or process. Without `require` (a browser) they do nothing. */
module.exports = (require) => {
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
    const save = (assertion, matcher, actual, expected, thrown) => {
      const error = flag(assertion, 'error');
      record(
        {
          ...testOf(flag(assertion, 'vitest-test'), expect),
          matcher: matcher ?? flag(assertion, '_name') ?? '',
          negated: Boolean(flag(assertion, 'negate')),
          actual,
          expected,
          message: thrown?.message,
          stack: error?.stack ?? here(),
        },
        thrown,
      );
    };
    const originalAssert = prototype.assert;
    prototype.assert = function (...args) {
      try {
        return originalAssert.apply(this, args);
      } catch (error) {
        const actual = args.length > 4 ? args[4] : flag(this, 'object');
        save(this, undefined, actual, args.length > 3 ? args[3] : nothing, error);
        throw error;
      }
    };
    // Throws by itself, without the method above; a soft assertion swallows it and leaves it at the test.
    const originalMatch = prototype.toMatchObject;
    if (typeof originalMatch !== 'function') return;
    prototype.toMatchObject = function (...args) {
      const errors = () => flag(this, 'vitest-test')?.result?.errors ?? [];
      const before = errors().length;
      const actual = flag(this, 'object');
      let result;
      try {
        result = originalMatch.apply(this, args);
      } catch (error) {
        save(this, 'toMatchObject', actual, args[0], error);
        throw error;
      }
      if (errors().length > before) save(this, 'toMatchObject', actual, args[0], errors().at(-1));
      return result;
    };
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
    if (!first) return;
    Object.defineProperty(node.assert, done, { value: shared });
    const wrapped = new Map();
    for (const target of [node.assert, node.assert.strict]) {
      for (const name of ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual']) {
        const original = target[name];
        if (!wrapped.has(original)) wrapped.set(original, recordingAssert(shared, original, name));
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
  }

  function recordingMatcher(original, name) {
    const save = (context, received, args, result) => {
      if (typeof result?.pass !== 'boolean' || result.pass !== Boolean(context?.isNot)) return result;
      try {
        record({
          ...testOf(),
          matcher: name,
          negated: Boolean(context?.isNot),
          ...sidesOfMatcher(name, received, args),
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
      const result = original.call(this, received, ...args);
      if (typeof result?.then !== 'function') return save(this, received, args, result);
      return result.then((settled) => save(this, received, args, settled));
    };
    return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
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
        actual: serialize(entry.actual, { nodes: limits.nodes }),
        expected: serialize(entry.expected, { nodes: limits.nodes }, entry.actual),
      });
      if (line.length > limits.record) return;
      written += line.length;
      node.append(output, line + '\n');
    } catch {
      // what cannot be recorded is not fixed; the test must not notice
    }
  }

  return { hookChai, hookNodeAssert, hookJestMatchers, setTest, recordError };
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

/** What a matcher of jest compared, as chai's matcher of the same name tells it. */
function sidesOfMatcher(name, received, args) {
  const expected = args.length > 0 ? args[0] : nothing;
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

const opaque = (description) => ({ kind: 'opaque', description });

/** A value as data; `counterpart` is what an asymmetric matcher at this place is held against. */
function serialize(value, budget, counterpart, depth = 0, parents = []) {
  if (budget.nodes-- <= 0) return opaque('too large');
  switch (typeof value) {
    case 'undefined':
      return { kind: 'undefined' };
    case 'boolean':
      return { kind: 'boolean', value };
    case 'number':
      return { kind: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { kind: 'bigint', text: `${value}n` };
    case 'string':
      return value.length > limits.text ? opaque('text too long') : { kind: 'string', value };
    case 'symbol':
      return opaque(value === nothing ? 'nothing' : 'a symbol');
    case 'function':
      return opaque('a function');
    default:
      if (value === null) return { kind: 'null' };
  }
  if (parents.includes(value)) return opaque('a cycle');
  if (depth > limits.depth) return opaque('too deep');
  try {
    return serializeObject(value, budget, counterpart, depth + 1, [...parents, value]);
  } catch {
    return opaque('an unreadable object');
  }
}

function serializeObject(value, budget, counterpart, depth, parents) {
  const inner = (child, other) => serialize(child, budget, other, depth, parents);
  if (typeof value.asymmetricMatch === 'function' && value.$$typeof !== undefined) {
    let matched = false;
    try {
      matched = Boolean(value.asymmetricMatch(counterpart));
    } catch {
      // held against something it cannot read
    }
    return opaque(`asymmetric ${matched ? 'matched' : 'unmatched'}`);
  }
  // Tags, because instanceof is false for values of another realm.
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const className = classNameOf(value);
  if (Array.isArray(value)) {
    if (className !== 'Array') return opaque(`an instance of ${className}`);
    if (value.length > limits.nodes) return opaque('too large');
    if (Object.keys(value).length !== value.length) return opaque('a sparse array or one with properties');
    return { kind: 'array', items: Array.from(value, (item, index) => inner(item, counterpart?.[index])) };
  }
  if (tag === 'Date' && className === 'Date') {
    const time = Date.prototype.getTime.call(value);
    return { kind: 'date', iso: Number.isNaN(time) ? 'Invalid Date' : new Date(time).toISOString() };
  }
  if (tag === 'RegExp' && className === 'RegExp')
    return { kind: 'regexp', source: value.source, flags: value.flags };
  if (tag === 'Map' && className === 'Map') {
    return {
      kind: 'map',
      entries: [...Map.prototype.entries.call(value)].map(([key, item]) => [inner(key), inner(item)]),
    };
  }
  if (tag === 'Set' && className === 'Set') {
    return { kind: 'set', items: [...Set.prototype.values.call(value)].map((item) => inner(item)) };
  }
  if (tag === 'Error') return { kind: 'error', name: String(value.name), message: String(value.message) };
  if (tag !== 'Object' && tag !== className) return opaque(`an instance of ${className ?? tag}`);
  const symbols = Object.getOwnPropertySymbols(value).filter((key) =>
    Object.prototype.propertyIsEnumerable.call(value, key),
  );
  const entries = Object.keys(value).map((key) => {
    let item;
    try {
      item = value[key];
    } catch {
      return [key, opaque('a getter that throws')];
    }
    return [key, inner(item, counterpart?.[key])];
  });
  // Not readable as a literal, but a difference in it must not go unnoticed.
  for (const key of symbols)
    entries.push([`@@${String(key.description)}`, opaque(`symbol key: ${shape(value[key])}`)]);
  return {
    kind: 'object',
    entries,
    ...(className !== 'Object' && { className: className ?? 'null prototype' }),
  };
}

function shape(value) {
  return typeof value === 'object' && value !== null
    ? 'an object'
    : `${typeof value} ${String(value).slice(0, 80)}`;
}

function classNameOf(value) {
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null) return undefined;
  const own = Object.getOwnPropertyDescriptor(prototype, 'constructor')?.value;
  if (
    Object.getPrototypeOf(prototype) === null &&
    Object.prototype.hasOwnProperty.call(prototype, 'hasOwnProperty')
  )
    return 'Object';
  return typeof own === 'function' && own.name !== '' ? own.name : 'an unnamed class';
}
