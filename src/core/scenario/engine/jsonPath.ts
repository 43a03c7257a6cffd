// Reads one value of JSON by its path, and asserts what an API answered (CONTRACTS S2, api-assert).
import { isDeepStrictEqual } from 'node:util';
import { textOf } from './variables.ts';

type Matcher = 'equals' | 'contains' | 'matches' | 'exists' | 'type';

/** `$.items[0]['unit price']` and `items[0].price`; the whole for an empty path or `$`. Undefined where nothing is. */
export function atJsonPath(data: unknown, path: string): unknown {
  const plain = path.replace(/^\$\.?/, '').replace(/\[(?:'([^'\]]*)'|"([^"\]]*)"|(\d+))\]/g, (_, a?: string, b?: string, c?: string) => `\u0000${a ?? b ?? c ?? ''}`); // prettier-ignore
  if (plain === '') return data;
  let value = data;
  for (const key of plain.split(/[.\u0000]/).filter((one, at) => at > 0 || one !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Undefined where it holds, else a sentence that follows the name of what was looked at. */
export function mismatch(actual: unknown, matcher: Matcher, expected: unknown): string | undefined {
  const shown = shownValue(actual);
  switch (matcher) {
    case 'exists': {
      const wanted = expected !== false && expected !== 'false';
      if ((actual !== undefined) === wanted) return undefined;
      return wanted ? 'does not exist' : `exists: ${shown}`;
    }
    case 'type': {
      const type = typeName(actual);
      return type === expected ? undefined : `is of type ${type}, expected ${shownValue(expected)}`;
    }
    case 'matches': {
      const found = typeof actual === 'string' ? actual : JSON.stringify(actual);
      return found !== undefined && pattern(String(expected)).test(found)
        ? undefined
        : `is ${shown}, which does not match ${shownValue(expected)}`;
    }
    case 'contains':
      return contains(actual, expected)
        ? undefined
        : `is ${shown}, which does not contain ${shownValue(expected)}`;
    case 'equals':
      return isSame(actual, expected) ? undefined : `is ${shown}, expected ${shownValue(expected)}`;
  }
}

/** A number and the text of it are the same: variables and headers are texts. */
function isSame(actual: unknown, expected: unknown): boolean {
  if (isDeepStrictEqual(actual, expected)) return true;
  const isPlain = (one: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof one);
  return isPlain(actual) && isPlain(expected) && String(actual) === String(expected);
}

function contains(actual: unknown, expected: unknown): boolean {
  if (Array.isArray(actual)) return actual.some((one) => isSame(one, expected) || holds(one, expected));
  if (typeof actual === 'object' && actual !== null) return holds(actual, expected);
  return actual !== undefined && textOf(actual).includes(textOf(expected));
}

/** Does the object have all fields of the expected one, with their values? */
function holds(actual: unknown, expected: unknown): boolean {
  if (typeof actual !== 'object' || actual === null || typeof expected !== 'object' || expected === null)
    return false;
  return Object.entries(expected).every(([key, value]) => {
    const found: unknown = Object.hasOwn(actual, key) ? Reflect.get(actual, key) : undefined;
    return isSame(found, value) || holds(found, value);
  });
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** `/expression/flags` or an expression alone. Throws a sentence for what is none. */
export function pattern(text: string): RegExp {
  const [, body = text, flags = ''] = /^\/(.+)\/([a-z]*)$/s.exec(text) ?? [];
  try {
    return new RegExp(body, flags.replace(/[gy]/g, ''));
  } catch (error) {
    throw new Error(`"${text}" is not a regular expression: ${error instanceof Error ? error.message : ''}`, {
      cause: error,
    });
  }
}

function shownValue(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
