// The names of the test libraries that the gate knows, and which modules may give them.
import { scriptVocabulary } from '../frameworks/vocabularies.ts';
import type { TestApi } from '../syntax/javascript/testApi.ts';

const { roots, hooks, benches = [], marks } = scriptVocabulary;
const rootsThat = (fits: (api: TestApi) => boolean): readonly string[] =>
  [...roots].flatMap(([name, api]) => (fits(api) ? [name] : []));
/** Of runners that Testmend does not run: harmless in none of them. */
const foreignTests = ['ftest', 'xsuite'];

export const testNames: ReadonlySet<string> = new Set([...roots.keys(), ...benches, ...foreignTests]);

export const suiteNames: ReadonlySet<string> = new Set([
  ...rootsThat(({ role }) => role === 'suite'),
  'xsuite',
]);

export const hookNames: ReadonlySet<string> = new Set(hooks.keys());

/** What may be written before an assertion's matcher. */
export const assertionRoots: ReadonlySet<string> = new Set([
  'expect',
  'assert',
  'expectTypeOf',
  'assertType',
]);

export const apiNames: ReadonlySet<string> = new Set([
  ...testNames,
  ...hookNames,
  ...assertionRoots,
  'vi',
  'vitest',
  'jest',
  'mock',
  'chai',
]);

/** Names that keep a test from running, or turn its failure into a pass. */
export const skippingNames: ReadonlySet<string> = new Set([...marks, 'skipRest']);
export const skippingFunctions: ReadonlySet<string> = new Set([
  ...rootsThat(({ skip, only }) => skip || only),
  ...benches,
  ...foreignTests,
]);

/** Links after which one more call holds parameters, before the call that defines the test. */
export const parameterLinks: ReadonlySet<string> = new Set([
  'each',
  'for',
  'skipIf',
  'runIf',
  'extend',
  'scoped',
  'override',
]);

/** Words of chai that assert nothing by themselves. */
export const chaiWords: ReadonlySet<string> = new Set(
  words(
    'to be been is that which and has have with at of same but does still also deep own any all',
    'nested ordered not a an include resolves rejects eventually soft poll element strict then catch',
    'finally',
  ),
);

/** Assertions of ava and node:test on the test's own argument. */
export const contextAssertions: ReadonlySet<string> = new Set(
  words(
    'is isNot not like truthy falsy true false regex notRegex throws assert throwsAsync notThrows',
    'notThrowsAsync snapshot deepEqual notDeepEqual equal fail',
  ),
);

/** Modules that the names of a test library may come from. */
export function isTestLibrary(module: string): boolean {
  return /^(?:node:)?(?:assert(?:\/strict)?|test)$|^(?:vitest|mocha|chai|ava|tape|expect|sinon|bun:test)(?:\/|$)|^@(?:vitest|jest|playwright|testing-library)\//.test(
    module,
  );
}

export function isAssertModule(module: string): boolean {
  return /^(?:node:)?assert(?:\/strict)?$/.test(module);
}

/** A module of the workspace rather than a package: relative, or an alias people use for their own source. */
export function isSourceModule(module: string): boolean {
  return /^(?:\.{1,2}(?:\/|$)|\/|[@~#]\/|#|src\/|file:)/.test(module);
}

/** The words of all lines, for long lists of names. */
export function words(...lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => line.split(' '));
}
