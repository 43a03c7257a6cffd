// Runs inside the user's tests, together with captureHooks.cjs: turns a value into data (see Value in model/value.ts).
'use strict';

const limits = { depth: 14, nodes: 4000, text: 20_000 };
const nothing = Symbol('nothing was expected');

const opaque = (description) => ({ kind: 'opaque', description });

/**
 * A value as data, with what counts of its objects (see looksAt in assertionSides.cjs); `counterpart` is what an asymmetric
 * matcher at this place is held against.
 */
function serialize(value, counterpart, looks = {}) {
  return serializeInner(value, counterpart, { nodes: limits.nodes, ...looks }, 0, []);
}

function serializeInner(value, counterpart, budget, depth, parents) {
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
  const inner = (child, other) => serializeInner(child, other, budget, depth, parents);
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
  if (tag === 'Error') {
    const entries = Object.keys(value)
      .filter((key) => !/^(?:name|message|stack|cause)$/.test(key))
      .map((key) => [key, inner(value[key], counterpart?.[key])]);
    const told = { kind: 'error', name: String(value.name), message: String(value.message) };
    return entries.length > 0 ? { ...told, entries } : told;
  }
  if (tag !== 'Object' && tag !== className) return opaque(`an instance of ${className ?? tag}`);
  const { prototypes = true, symbols: counted = 'all' } = budget;
  const symbols = Object.getOwnPropertySymbols(value).filter(
    (key) =>
      Object.prototype.propertyIsEnumerable.call(value, key) &&
      (counted === 'all' || (counted === 'defined' && value[key] !== undefined)),
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
  // Not readable as a literal, but a difference in it must not go unnoticed. Registered ones have a name that others can write.
  for (const key of symbols) {
    const name = Symbol.keyFor(key);
    if (name !== undefined) entries.push([`@@for:${name}`, inner(value[key], counterpart?.[key])]);
    else entries.push([`@@${String(key.description)}`, opaque(`symbol key: ${shape(value[key])}`)]);
  }
  const isPlain = className === 'Object' || (!prototypes && isBare(value));
  return { kind: 'object', entries, ...(!isPlain && { className: className ?? 'null prototype' }) };
}

/** Without a prototype, or with one that has nothing: what fast parsers make. */
function isBare(value) {
  const prototype = Object.getPrototypeOf(value);
  return (
    prototype === null ||
    (Object.getPrototypeOf(prototype) === null && Reflect.ownKeys(prototype).length === 0)
  );
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

module.exports = { serialize, nothing, classNameOf };
