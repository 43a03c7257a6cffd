// Whether an assertion would be content with two recorded values.
import type { Value } from '../../model/value.ts';

/** strict: toBe, toStrictEqual, deepStrictEqual · loose: toEqual, where undefined keys do not count · subset: toMatchObject. */
export type MatchMode = 'strict' | 'loose' | 'subset';

export function sameValue(expected: Value, actual: Value, mode: MatchMode): boolean {
  if (expected.kind === 'opaque') {
    if (expected.description.startsWith('asymmetric')) return expected.description === 'asymmetric matched';
    return actual.kind === 'opaque' && actual.description === expected.description;
  }
  switch (expected.kind) {
    case 'array':
      return actual.kind === 'array' && sameItems(expected.items, actual.items, mode);
    case 'object':
      return actual.kind === 'object' && sameEntries(expected, actual, mode);
    case 'set':
      return actual.kind === 'set' && sameMembers(expected.items, actual.items, mode);
    case 'map':
      return actual.kind === 'map' && sameMembers(expected.entries.map(pair), actual.entries.map(pair), mode);
    default:
      return JSON.stringify(expected) === JSON.stringify(actual);
  }
}

function sameItems(expected: readonly Value[], actual: readonly Value[], mode: MatchMode): boolean {
  return (
    expected.length === actual.length &&
    expected.every((item, index) => {
      const other = actual[index];
      return other !== undefined && sameValue(item, other, mode);
    })
  );
}

function sameEntries(
  expected: Value & { kind: 'object' },
  actual: Value & { kind: 'object' },
  mode: MatchMode,
): boolean {
  if (mode === 'strict' && expected.className !== actual.className) return false;
  const before = new Map(expected.entries);
  const after = new Map(actual.entries);
  const inExpected = [...before].every(([key, value]) => {
    const other = after.get(key);
    if (other === undefined) return isNoKey(key, value, mode);
    return sameValue(value, other, mode);
  });
  if (!inExpected || mode === 'subset') return inExpected;
  return [...after].every(([key, value]) => before.has(key) || isNoKey(key, value, mode));
}

/** Is a key with this value as good as none? Symbols were recorded only where they count. */
export function isNoKey(key: string, value: Value | undefined, mode: MatchMode): boolean {
  return mode === 'loose' && value?.kind === 'undefined' && !key.startsWith('@@');
}

function sameMembers(expected: readonly Value[], actual: readonly Value[], mode: MatchMode): boolean {
  return (
    expected.length === actual.length &&
    expected.every((item) => actual.some((other) => sameValue(item, other, mode)))
  );
}

function pair(items: readonly [Value, Value] | readonly Value[]): Value {
  return { kind: 'array', items };
}
