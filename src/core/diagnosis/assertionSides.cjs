// Runs inside the user's tests, together with captureHooks.cjs: what an assertion compared, by the name of its matcher.
'use strict';

const throwMatchers = ['toThrow', 'toThrowError', 'throw', 'throws', 'Throw'];
const callMatchers = [
  'toHaveBeenCalledWith',
  'toBeCalledWith',
  'toHaveBeenLastCalledWith',
  'lastCalledWith',
  'toHaveBeenNthCalledWith',
  'nthCalledWith',
  'toHaveBeenCalledExactlyOnceWith',
];

/**
 * What counts of an object for a matcher: whether it has a prototype (yes, unless said), and which of the keys that are symbols
 * (`all`, unless said; `defined` or `none`).
 */
function looksAt(library, matcher) {
  if (library === 'node') return matcher === 'deepEqual' ? { prototypes: false, symbols: 'none' } : {};
  if (matcher === 'toStrictEqual') return {};
  return library === 'jest' ? { prototypes: false, symbols: 'defined' } : { prototypes: false };
}

/** What assertions about errors and about calls of mocks compared. */
module.exports = ({ classNameOf, nothing }) => {
  /** Calls the subject as it would be called, and keeps what it threw. */
  function watched(subject) {
    const watch = { thrown: undefined, subject };
    if (typeof subject?.then === 'function') subject.then(undefined, (value) => (watch.thrown = { value }));
    if (typeof subject !== 'function') return watch;
    const keep = (value) => {
      watch.thrown = { value };
      throw value;
    };
    const calling = function (...args) {
      try {
        const result = subject.apply(this, args);
        return result instanceof Promise ? result.catch(keep) : result;
      } catch (error) {
        return keep(error);
      }
    };
    watch.subject = Object.defineProperties(calling, Object.getOwnPropertyDescriptors(subject));
    return watch;
  }

  /** The message that was thrown beside the text or pattern that was expected of it. */
  function sidesOfThrow(args, thrown) {
    const [first, second] = args;
    const isText = (value) =>
      typeof value === 'string' || Object.prototype.toString.call(value) === '[object RegExp]';
    const value = thrown?.value;
    const described = typeof first === 'object' && first !== null && !isText(first) ? first : undefined;
    const expected = [first, second, described?.message].find(isText) ?? nothing;
    if (!thrown) return { actual: undefined, expected, thrown: { fits: false } };
    const isObject = typeof value === 'object' && value !== null;
    const isError = described && Object.prototype.toString.call(described) === '[object Error]';
    const others = described && !isError ? Object.keys(described).filter((key) => key !== 'message') : [];
    const fits =
      (typeof first !== 'function' || value instanceof first) &&
      (!isError || (isObject && value.name === described.name)) &&
      others.every((key) => isObject && Object.is(value[key], described[key]));
    return {
      actual: isObject ? value.message : value,
      expected,
      thrown: { fits, className: (isObject ? classNameOf(value) : undefined) ?? typeof value },
    };
  }

  /** The arguments of the call that an assertion about a mock means, beside those that it names. */
  function sidesOfCalls(name, mock, args) {
    const calls = Array.isArray(mock?.mock?.calls) ? mock.mock.calls : [];
    const isNth = /nth/i.test(name);
    const expected = isNth ? args.slice(1) : args;
    let actual;
    if (isNth) actual = calls[args[0] - 1];
    else actual = /last/i.test(name) || calls.length === 1 ? calls.at(-1) : undefined;
    return { actual: actual && [...actual], expected, calls: calls.slice(0, 20).map((call) => [...call]) };
  }

  /** What a matcher of jest compared, as chai's matcher of the same name tells it. */
  function sidesOfMatcher(name, received, args) {
    const expected = args.length > 0 ? args[0] : nothing;
    if (name.endsWith('CalledTimes')) return { actual: received?.mock?.calls?.length, expected };
    if (name === 'toHaveLength') return { actual: received?.length, expected };
    if (name !== 'toHaveProperty') return { actual: received, expected };
    if (args.length < 2) return { actual: received, expected: nothing };
    const keys = Array.isArray(args[0]) ? args[0] : String(args[0]).split(/[.[\]]/).filter((key) => key !== ''); // prettier-ignore
    return { actual: keys.reduce((value, key) => value?.[key], received), expected: args[1] };
  }

  return { looksAt, watched, sidesOfThrow, sidesOfCalls, sidesOfMatcher, throwMatchers, callMatchers };
};
