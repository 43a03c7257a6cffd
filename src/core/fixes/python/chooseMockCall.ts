// Tells which calls of a mock an assertion of Python means, if that is certain.
import type { PythonCall } from '../../model/value.ts';
import { refuse, type Refusal } from '../assertion/literalChange.ts';

/** The made call for each expected one; `method` is empty where calls are compared by `==`. */
export function chooseMockCall(
  method: string,
  expected: readonly PythonCall[],
  actual: readonly PythonCall[],
): readonly PythonCall[] | Refusal {
  const [wanted] = expected;
  if (actual.length === 0 || wanted === undefined) return refuse('The mock was not called at all.');
  if (method === '' || method.startsWith('assert_has')) return pairUp(expected, actual);
  if (method.includes('once') && actual.length > 1)
    return refuse(`The mock was called ${actual.length} times, but one call was expected.`);
  if (actual.length > 1 && actual.some((call) => share(wanted, call) === 1))
    return refuse('The expected call was made, but at another position: the order of the calls changed.');
  const isAny = method.includes('any') && actual.length > 1;
  const alike = isAny ? actual.filter((call) => share(wanted, call) >= 0.5) : actual.slice(-1);
  return alike.length === 1
    ? alike
    : refuse(`The mock was called ${actual.length} times, and it is unclear which call is meant.`);
}

function pairUp(
  expected: readonly PythonCall[],
  actual: readonly PythonCall[],
): readonly PythonCall[] | Refusal {
  if (actual.length !== expected.length)
    return refuse(
      `The mock was called ${actual.length} times, but ${expected.length} calls are expected: you must decide which number is right.`,
    );
  return actual.every(({ name }, index) => name === expected[index]?.name)
    ? actual
    : refuse('Other members of the mock were called, or in another order.');
}

/** How much of the expected arguments the call has. */
function share({ args, kwargs }: PythonCall, call: PythonCall): number {
  const size = args.length + Object.keys(kwargs).length;
  const more = call.args.length + Object.keys(call.kwargs).length;
  return size === 0 ? (more === 0 ? 1 : 0) : call.same.length / Math.max(size, more);
}
