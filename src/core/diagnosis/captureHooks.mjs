// Runs inside the user's tests: records the values of every failed assertion as JSON lines, and changes nothing else.
// Plain Node, no dependencies. Does nothing unless TESTMEND_CAPTURE names the file to append to.

const env = globalThis.process?.env ?? {};
const output = env.TESTMEND_CAPTURE;
const done = Symbol.for('testmend.capture');
const limits = { depth: 14, nodes: 4000, text: 20_000, record: 400_000, all: 32_000_000 };
let written = 0;

// Taken before the tests can mock or spy on them.
const builtin = (name) => globalThis.process.getBuiltinModule?.(name);
const node = output ? await loadNode() : undefined;

async function loadNode() {
  try {
    const module = builtin('node:module') ?? (await import('node:module'));
    const require = module.createRequire(import.meta.url);
    const fs = require('node:fs');
    return {
      append: fs.appendFileSync.bind(fs),
      assert: require('node:assert'),
      sync: module.syncBuiltinESMExports,
    };
  } catch {
    return undefined; // a browser: there is nowhere to write to
  }
}

/** Records failed assertions of chai, which vitest's expect is built on. */
export function hookChai(chai, expect) {
  const prototype = chai?.Assertion?.prototype;
  if (!node || !prototype || prototype[done]) return;
  Object.defineProperty(prototype, done, { value: true });
  const flag = (assertion, name) => chai.util.flag(assertion, name);
  const save = (assertion, matcher, actual, expected, message) => {
    const error = flag(assertion, 'error');
    record({
      ...testOf(flag(assertion, 'vitest-test'), expect),
      matcher: matcher ?? flag(assertion, '_name') ?? '',
      negated: Boolean(flag(assertion, 'negate')),
      actual,
      expected,
      message,
      stack: error?.stack ?? here(),
    });
  };
  const originalAssert = prototype.assert;
  prototype.assert = function (...args) {
    try {
      return originalAssert.apply(this, args);
    } catch (error) {
      const actual = args.length > 4 ? args[4] : flag(this, 'object');
      save(this, undefined, actual, args.length > 3 ? args[3] : nothing, error?.message);
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
      save(this, 'toMatchObject', actual, args[0], error?.message);
      throw error;
    }
    if (errors().length > before) save(this, 'toMatchObject', actual, args[0], errors().at(-1)?.message);
    return result;
  };
}

/** Records failed assertions of node:assert; `assert` and `assert.ok` stay, since their messages quote the caller's line. */
export function hookNodeAssert() {
  if (!node || node.assert[done]) return;
  Object.defineProperty(node.assert, done, { value: true });
  const wrapped = new Map();
  for (const target of [node.assert, node.assert.strict]) {
    for (const name of ['equal', 'strictEqual', 'deepEqual', 'deepStrictEqual']) {
      const original = target[name];
      if (!wrapped.has(original)) wrapped.set(original, recording(original, name));
      target[name] = wrapped.get(original);
    }
  }
  node.sync();
}

function recording(original, name) {
  const replacement = function (actual, expected, ...rest) {
    try {
      return original.call(this, actual, expected, ...rest);
    } catch (error) {
      record({
        ...testOf(),
        matcher: name,
        negated: false,
        actual,
        expected,
        message: error?.message,
        stack: here(),
      });
      throw error;
    }
  };
  return Object.defineProperties(replacement, Object.getOwnPropertyDescriptors(original));
}

let currentExpect;
/** Lets assertions outside of expect() tell which test they belong to. */
export function setExpect(expect) {
  currentExpect = expect;
}

function testOf(task, expect = currentExpect) {
  try {
    if (task?.name === undefined) {
      const state = expect?.getState?.();
      return { testName: state?.currentTestName ?? '', file: state?.testPath ?? '' };
    }
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
    };
  } catch {
    return { testName: '', file: '' };
  }
}

function here() {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 60;
  const { stack } = new Error('captured');
  Error.stackTraceLimit = limit;
  return String(stack);
}

function record(entry) {
  if (written > limits.all) return;
  try {
    const budget = { nodes: limits.nodes };
    const line = JSON.stringify({
      ...entry,
      message: String(entry.message ?? ''),
      actual: serialize(entry.actual, budget),
      expected: serialize(entry.expected, { nodes: limits.nodes }, entry.actual),
    });
    if (line.length > limits.record) return;
    written += line.length;
    node.append(output, line + '\n');
  } catch {
    // what cannot be recorded is not fixed; the test must not notice
  }
}

const nothing = Symbol('nothing was expected');
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

if (output) hookNodeAssert();
