// An actual value without classes of its own where the test expects a plain one: `{"a": 1}` of an OrderedDict, a tuple of a named one.
import { sameLiteral, visitLiteral, type PythonLiteral } from '../../syntax/python/pythonLiteral.ts';

/** Only what compares as its plain value does; what is new beside plain values becomes one as well. */
export function plainAs(actual: PythonLiteral, expected: PythonLiteral | undefined): PythonLiteral {
  let hasOwn = false;
  if (expected !== undefined)
    visitLiteral(
      expected,
      (one) => void (hasOwn ||= one.kind === 'object' && one.object.plain !== undefined),
    );
  return plainOf(actual, expected, expected !== undefined && !hasOwn);
}

function plainOf(
  value: PythonLiteral,
  expected: PythonLiteral | undefined,
  isNewPlain: boolean,
): PythonLiteral {
  if (value.kind === 'object') {
    const { plain } = value.object;
    const isPlain = expected === undefined ? isNewPlain : expected.kind === plain?.kind;
    return plain !== undefined && isPlain ? plainOf(plain, expected, isNewPlain) : value;
  }
  if ('items' in value) {
    const others =
      expected !== undefined && 'items' in expected && value.kind !== 'set' ? expected.items : [];
    return { ...value, items: value.items.map((one, index) => plainOf(one, others[index], isNewPlain)) };
  }
  if (value.kind !== 'dict') return value;
  const others = expected?.kind === 'dict' ? expected.entries : [];
  return {
    ...value,
    entries: value.entries.map(([key, item]) => {
      const newKey = plainOf(key, undefined, isNewPlain);
      const other = others.find(([one]) => sameLiteral(one, newKey))?.[1];
      return [newKey, plainOf(item, other, isNewPlain)] as const;
    }),
  };
}
