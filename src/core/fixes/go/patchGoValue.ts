// The smallest edits that turn what a Go test writes down into the value that the code gives: single literals, nothing around them.
import type { Value } from '../../model/value.ts';
import { readGoExpression, type GoExpression } from '../../syntax/go/goExpression.ts';
import type { GoSource } from '../../syntax/go/goSource.ts';
import { isRefusal, refuse, type Refusal } from '../assertion/literalChange.ts';
import { saysValue, writeGoLiteral } from './writeGoLiteral.ts';

export interface GoEdit {
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** Where in the value: `Total.Currency`, `[2]`. */
  readonly path: string;
}

type Edits = readonly GoEdit[] | Refusal;

interface GoPatch {
  readonly written: GoExpression;
  readonly expected: Value;
  readonly actual: Value;
  readonly path: string;
}

export function patchGoValue(patch: GoPatch, source: GoSource): Edits {
  const { written, path } = patch;
  const [expected, actual] = [pointedAt(patch.expected), pointedAt(patch.actual)];
  if (isSame(expected, actual)) return [];
  const place = path === '' ? 'The expected value' : `The expected ${path}`;
  if (written.kind === 'other') return refuse(`${place} is computed in the test.`);
  if (actual.kind === 'null')
    return refuse(`${place} would have to become nil, which Testmend does not write.`);
  if (actual.kind === 'opaque' || actual.kind === 'error')
    return refuse(`${place} can no longer be written as a literal.`);
  if (written.kind !== 'composite') {
    if (!saysValue(written, expected)) return refuse(`${place} differs from the value that was compared.`);
    const [first, last] = [source.tokens[written.from], source.tokens[written.to - 1]];
    if (!first || !last) return [];
    const newText = writeGoLiteral(actual, written, source.text.slice(first.start, last.end));
    return typeof newText === 'string' ? [{ start: first.start, end: last.end, newText, path }] : newText;
  }
  const inner = (entry: GoExpression, was: Value, is: Value, name: string): Edits =>
    patchGoValue({ written: entry, expected: was, actual: is, path: path + name }, source);
  if (expected.kind === 'array' && actual.kind === 'array') {
    const { entries } = written;
    if (expected.items.length !== actual.items.length)
      return refuse(
        `${place} has ${expected.items.length} elements, but the actual value has ${actual.items.length}.`,
      );
    if (entries.length !== expected.items.length || entries.some(({ key }) => key !== undefined))
      return refuse(`${place} is not a literal with all its elements.`);
    return joined(
      entries.map(({ value }, at) => {
        const [was, is] = [expected.items[at], actual.items[at]];
        return was && is ? inner(value, was, is, `[${at}]`) : [];
      }),
    );
  }
  if (expected.kind === 'map' && actual.kind === 'map')
    return patchMap(written, expected, actual, { source, place, inner });
  if (expected.kind === 'object' && actual.kind === 'object' && expected.className === actual.className) {
    const isKeyed = written.entries.some(({ key }) => key !== undefined);
    if (!isKeyed && written.entries.length !== expected.entries.length)
      return refuse(`${place} is not a literal with named fields.`);
    const now = new Map(actual.entries);
    return joined(
      expected.entries.map(([name, was], at) => {
        const is = now.get(name);
        if (is === undefined || isSame(was, is)) return [];
        const entry = isKeyed ? written.entries.find((one) => one.name === name) : written.entries[at];
        return entry === undefined
          ? refuse(
              `The test does not state the expected value of ${path === '' ? name : `${path}.${name}`} as a literal.`,
            )
          : inner(entry.value, was, is, path === '' ? name : `.${name}`);
      }),
    );
  }
  return refuse(`${place} is now of another kind.`);
}

function patchMap(
  { entries }: Extract<GoExpression, { kind: 'composite' }>,
  expected: Extract<Value, { kind: 'map' }>,
  actual: Extract<Value, { kind: 'map' }>,
  {
    source,
    place,
    inner,
  }: {
    readonly source: GoSource;
    readonly place: string;
    readonly inner: (entry: GoExpression, was: Value, is: Value, name: string) => Edits;
  },
): Edits {
  const keys = (map: typeof expected): string => JSON.stringify(map.entries.map(([key]) => key));
  if (keys(expected) !== keys(actual)) return refuse(`${place} now has other keys.`);
  return joined(
    expected.entries.map(([key, was], at) => {
      const is = actual.entries[at]?.[1];
      if (is === undefined || isSame(was, is)) return [];
      const own = entries.filter((entry) => {
        const read = entry.key && readGoExpression(source.tokens, entry.key.from, entry.key.to);
        return (
          read !== undefined && read.kind !== 'composite' && read.kind !== 'other' && saysValue(read, key)
        );
      });
      const [entry, ...more] = own;
      if (entry?.key === undefined || more.length > 0) return refuse(`${place} has a computed key.`);
      const [first, last] = [source.tokens[entry.key.from], source.tokens[entry.key.to - 1]];
      return inner(entry.value, was, is, `[${source.text.slice(first?.start, last?.end)}]`);
    }),
  );
}

const isSame = (a: Value, b: Value): boolean => JSON.stringify(a) === JSON.stringify(b);

/** What a pointer leads to, since its literal is written in its place. */
export function pointedAt(value: Value): Value {
  const [first, ...more] = value.kind === 'object' ? value.entries : [];
  const isPointer = value.kind === 'object' && value.className?.startsWith('*') === true;
  return isPointer && first?.[0] === '*' && more.length === 0 ? pointedAt(first[1]) : value;
}

/** All edits, or the first refusal. */
function joined(all: readonly Edits[]): Edits {
  const edits: GoEdit[] = [];
  for (const one of all) {
    if (isRefusal(one)) return one;
    edits.push(...one);
  }
  return edits;
}
