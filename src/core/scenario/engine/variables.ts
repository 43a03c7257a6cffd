// Puts values in the place of `{{a.b.c}}` in every string of a step (CONTRACTS S7).

export type Values = Readonly<Record<string, unknown>>;

/** A variable that nothing defines: its step fails with the name. */
class MissingVariable extends Error {
  override readonly name = 'MissingVariable';
  readonly variable: string;
  constructor(variable: string) {
    super(`The variable {{${variable}}} has no value.`);
    this.variable = variable;
  }
}

const placeholder = /\{\{\s*([^{}]+?)\s*\}\}/g;

/**
 * The same data with values in all of its strings, at every depth. A string that is nothing but one placeholder becomes the value itself where
 * that is an object, else its text. Throws `MissingVariable`; in lenient mode a missing one is an empty text.
 */
export function substitute<Data>(data: Data, values: Values, lenient = false): Data {
  const done: unknown = replaced(data, values, lenient);
  // Strings give place to strings, and to objects only where the schema takes both.
  return done as Data; // oxlint-disable-line typescript/no-unsafe-type-assertion
}

function replaced(data: unknown, values: Values, lenient: boolean): unknown {
  if (typeof data === 'string') return inText(data, values, lenient);
  if (Array.isArray(data)) return data.map((one) => replaced(one, values, lenient));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, replaced(value, values, lenient)]),
  );
}

function inText(text: string, values: Values, lenient: boolean): unknown {
  const only = /^\{\{\s*([^{}]+?)\s*\}\}$/.exec(text)?.[1];
  if (only !== undefined) {
    const value = valueAt(values, only);
    if (typeof value === 'object' && value !== null) return value;
  }
  return text.replace(placeholder, (_, name: string) => {
    const value = valueAt(values, name);
    if (value === undefined) {
      if (lenient) return '';
      throw new MissingVariable(name);
    }
    return textOf(value);
  });
}

/** The value at `a.b[0].c`; undefined where there is none. Own fields only: `constructor` is no value. */
export function valueAt(data: unknown, path: string): unknown {
  let value = data;
  for (const key of path.replace(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** As it stands in a text: objects as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
