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
