// Tells which call of a mock an assertion means, if that is certain.
import type { AssertionOf, Value } from '../../model/value.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';
import { sameValue } from '../assertion/sameValue.ts';

type Arguments = Value & { readonly kind: 'array' };

/** Both sides of the call that is meant, or why that is not certain. */
export function chooseCall({
  actual,
  calls,
  expected,
  matcher,
}: AssertionOf<'calls'>): { readonly expected: Arguments; readonly actual: Arguments } | Refusal {
  if (calls.length === 0) return refuse('The mock was not called at all.');
  if (expected.kind !== 'array') return refuse('The expected arguments are not known.');
  const single = calls.length === 1;
  if (!single && matcher.endsWith('OnceWith'))
    return refuse(`The mock was called ${calls.length} times, but one call was expected.`);
  if (!single && calls.some((call) => sameValue(expected, call, 'loose')))
    return refuse('The expected call was made, but at another position: the order of the calls changed.');
  if (actual.kind === 'array') return { expected, actual };
  if (single || /nth|last/i.test(matcher)) return refuse('The call that the assertion selects was not made.');
  const alike = calls.flatMap((call) =>
    call.kind === 'array' && isAlike(expected.items, call.items) ? [call] : [],
  );
  const [only] = alike;
  return only !== undefined && alike.length === 1
    ? { expected, actual: only }
    : refuse(`The mock was called ${calls.length} times, and it is unclear which call is meant.`);
}

/** As many arguments, and most of them the same. */
function isAlike(expected: readonly Value[], call: readonly Value[]): boolean {
  if (expected.length !== call.length) return false;
  const share = expected.reduce((sum, value, index) => {
    const other = call[index];
    return other === undefined ? sum : sum + likeness(value, other);
  }, 0);
  return share / expected.length >= 0.5;
}

/** From 0 to 1: objects by the share of their entries. */
function likeness(expected: Value, actual: Value): number {
  if (sameValue(expected, actual, 'loose')) return 1;
  if (expected.kind !== 'object' || actual.kind !== 'object' || expected.entries.length === 0) return 0;
  const entries = new Map(actual.entries);
  const same = expected.entries.filter(([key, value]) => {
    const other = entries.get(key);
    return other !== undefined && sameValue(value, other, 'loose');
  });
  return same.length / Math.max(expected.entries.length, actual.entries.length);
}
