// What is known of the value of an expression in a configuration without running it.

/** What cannot be known without running the code. */
export const notStatic = Symbol('notStatic');

export type StaticValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | typeof notStatic
  | RegExp
  | readonly StaticValue[]
  | StaticObject
  | StaticFunction;

export class StaticObject {
  readonly entries: ReadonlyMap<string, StaticValue>;
  /** False when something unknown was spread into it: a missing key may be there. */
  readonly complete: boolean;

  constructor(entries: ReadonlyMap<string, StaticValue>, complete = true) {
    this.entries = entries;
    this.complete = complete;
  }

  get(key: string): StaticValue {
    return this.entries.has(key) || this.complete ? this.entries.get(key) : notStatic;
  }

  /** `{ ...this, ...spread }` */
  with(spread: StaticValue): StaticObject {
    if (spread === notStatic) return new StaticObject(this.entries, false);
    if (!(spread instanceof StaticObject)) return this;
    return new StaticObject(new Map([...this.entries, ...spread.entries]), this.complete && spread.complete);
  }

  /** One of both: a member is known where it is the same in them. */
  or(other: StaticObject): StaticObject {
    const keys = [...this.entries.keys(), ...other.entries.keys()];
    const entries = keys.map((key) => [key, either(this.get(key), other.get(key))] as const);
    return new StaticObject(new Map(entries), this.complete && other.complete);
  }
}

/** A module whose exports are read when they are asked for. */
export class StaticModule extends StaticObject {
  readonly #exported: (name: string) => StaticValue;

  constructor(exported: (name: string) => StaticValue) {
    super(new Map(), false);
    this.#exported = exported;
  }

  override get(key: string): StaticValue {
    return this.#exported(key);
  }
}

/** What is known of a value that is one of two: their common parts. */
export function either(one: StaticValue, other: StaticValue): StaticValue {
  if (one === other) return one;
  if (one instanceof StaticObject && other instanceof StaticObject) return one.or(other);
  if (!isList(one) || !isList(other)) return notStatic;
  const common = one.filter((item) => item !== notStatic && other.includes(item));
  return common.length === one.length && common.length === other.length ? one : [...common, notStatic];
}

/** The value with a member set, some objects deep; without names the new value itself. */
export function withEntry(value: StaticValue, names: readonly string[], entry: StaticValue): StaticValue {
  const [name, ...more] = names;
  if (name === undefined) return entry;
  if (!(value instanceof StaticObject)) return value;
  const inner = withEntry(value.get(name) ?? new StaticObject(new Map()), more, entry);
  return value.with(new StaticObject(new Map([[name, inner]])));
}

/** A function of the module, or one that the host knows. */
export class StaticFunction {
  readonly call: (args: readonly StaticValue[]) => StaticValue;

  constructor(call: (args: readonly StaticValue[]) => StaticValue) {
    this.call = call;
  }
}

/** As vite's mergeConfig: objects deeply, arrays one after the other, else the second wins. */
export function mergeStatic(base: StaticValue, over: StaticValue): StaticValue {
  if (over === undefined || over === null) return base;
  if (base === undefined || base === null) return over;
  if (base instanceof StaticObject && over instanceof StaticObject) {
    const entries = new Map(base.entries);
    for (const [key, value] of over.entries)
      entries.set(key, entries.has(key) ? mergeStatic(entries.get(key), value) : value);
    return new StaticObject(entries, base.complete && over.complete);
  }
  if (base instanceof StaticObject && over === notStatic) return new StaticObject(base.entries, false);
  if (over instanceof StaticObject && base === notStatic) return new StaticObject(over.entries, false);
  if (isList(base) || isList(over)) return [...asList(base), ...asList(over)];
  return over;
}

export function isList(value: StaticValue): value is readonly StaticValue[] {
  return Array.isArray(value);
}

function asList(value: StaticValue): readonly StaticValue[] {
  return isList(value) ? value : [value];
}
