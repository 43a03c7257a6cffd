// The one table of names that jest, vitest and mocha share: what is missing in it has another meaning elsewhere, or none.
// Sources: "Migrating from Jest" of vitest, "From v29 to v30" of jest, and the type declarations of all three.

export type Runner = 'jest' | 'vitest' | 'mocha';

/** The modules that give the names of each runner. */
export const runnerModules: ReadonlyMap<string, Runner> = new Map([
  ['@jest/globals', 'jest'],
  ['vitest', 'vitest'],
  ['mocha', 'mocha'],
]);

export const moduleOf: Readonly<Record<Runner, string>> = {
  jest: '@jest/globals',
  vitest: 'vitest',
  mocha: 'mocha',
};

/** The object that makes mocks and moves the clock; mocha has none. */
export const mockObject: Readonly<Record<Runner, string | undefined>> = {
  jest: 'jest',
  vitest: 'vi',
  mocha: undefined,
};

const shared = ['describe', 'it', 'beforeEach', 'afterEach'];

/** What tests are written with, as each runner calls it. */
export const runnerNames: Readonly<Record<Runner, ReadonlySet<string>>> = {
  jest: new Set([...shared, 'test', 'expect', 'beforeAll', 'afterAll', 'jest']),
  vitest: new Set([...shared, 'test', 'expect', 'beforeAll', 'afterAll', 'vi']),
  mocha: new Set([...shared, 'context', 'specify', 'before', 'after']),
};

/** Of each name of the other runners, the one with the same meaning. */
const counterparts: Readonly<Record<Runner, ReadonlyMap<string, string>>> = {
  jest: new Map([
    ['before', 'beforeAll'],
    ['after', 'afterAll'],
    ['context', 'describe'],
    ['specify', 'it'],
    ['vi', 'jest'],
  ]),
  vitest: new Map([
    ['before', 'beforeAll'],
    ['after', 'afterAll'],
    ['context', 'describe'],
    ['specify', 'it'],
    ['jest', 'vi'],
  ]),
  mocha: new Map([
    ['beforeAll', 'before'],
    ['afterAll', 'after'],
    ['test', 'it'],
  ]),
};

/** What a name of any runner is called in this one; undefined where nothing means the same. */
export const nameIn = (runner: Runner, name: string): string | undefined =>
  runnerNames[runner].has(name) ? name : counterparts[runner].get(name);

/** Names of runners that may as well be something else. */
export const mayBeAnything: ReadonlySet<string> = new Set(['suite', 'setup', 'teardown', 'run']);

/** Names that belong to some runner, those included that have no counterpart. */
export const anyRunnerName: ReadonlySet<string> = new Set([
  ...Object.values(runnerNames).flatMap((names) => [...names]),
  ...words('fit xit xtest fdescribe xdescribe xcontext xspecify jasmine spyOn'),
  ...mayBeAnything,
]);

/** The names that are the same thing under two names within one runner, too. */
export const plainName: ReadonlyMap<string, string> = new Map([
  ['before', 'beforeAll'],
  ['after', 'afterAll'],
  ['context', 'describe'],
  ['specify', 'it'],
  ['test', 'it'],
]);

/** Members of `jest` and `vi` that have one name and one meaning, whatever they are given. */
export const sameMembers: ReadonlySet<string> = new Set(
  words(
    'fn spyOn isMockFunction clearAllMocks restoreAllMocks resetModules',
    'useRealTimers runAllTimers runAllTimersAsync runOnlyPendingTimers',
    'runOnlyPendingTimersAsync advanceTimersByTime advanceTimersByTimeAsync clearAllTimers',
    'getTimerCount getRealSystemTime unmock',
  ),
);

/** Types of the namespace `jest` and what vitest calls them; those that end in `()` only without type arguments. */
export const mockTypes: ReadonlyMap<string, string> = new Map([
  ['Mocked', 'Mocked'],
  ['MockedFunction', 'MockedFunction'],
  ['MockedClass', 'MockedClass'],
  ['MockedObject', 'MockedObject'],
  ['Mock()', 'Mock'],
  ['SpyInstance()', 'MockInstance'],
]);

/** Matchers under a second name, which jest 30 no longer has. */
export const matcherAliases: ReadonlyMap<string, string> = new Map([
  ['toBeCalled', 'toHaveBeenCalled'],
  ['toBeCalledTimes', 'toHaveBeenCalledTimes'],
  ['toBeCalledWith', 'toHaveBeenCalledWith'],
  ['lastCalledWith', 'toHaveBeenLastCalledWith'],
  ['nthCalledWith', 'toHaveBeenNthCalledWith'],
  ['toReturn', 'toHaveReturned'],
  ['toReturnTimes', 'toHaveReturnedTimes'],
  ['toReturnWith', 'toHaveReturnedWith'],
  ['lastReturnedWith', 'toHaveLastReturnedWith'],
  ['nthReturnedWith', 'toHaveNthReturnedWith'],
  ['toThrowError', 'toThrow'],
]);

/** Links after `test`, `it` and `describe` that only some runners have. */
export const linksOf: Readonly<Record<Runner, ReadonlySet<string>>> = {
  jest: new Set(['only', 'skip', 'todo', 'each', 'concurrent', 'failing']),
  vitest: new Set(
    words(
      'only skip todo each concurrent for skipIf runIf fails extend',
      'sequential shuffle override scoped describe',
    ),
  ),
  mocha: new Set(['only', 'skip']),
};

/** What vitest's `expect` knows and jest's does not. */
export const onlyInVitest: ReadonlySet<string> = new Set(
  words(
    'soft poll toBeTypeOf toSatisfy toBeOneOf toHaveBeenCalledOnce toHaveResolved',
    'toHaveBeenCalledExactlyOnceWith toMatchFileSnapshot toHaveBeenCalledAfter',
    'toHaveBeenCalledBefore toHaveResolvedTimes toHaveResolvedWith unreachable',
  ),
);

/** The words of all lines. */
export function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}
