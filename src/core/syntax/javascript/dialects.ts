// The vocabularies of the test frameworks: which names and chains of names declare suites and tests.
import type { TestApi } from './testApi.ts';

/** How a framework writes its tests down. */
export interface TestDialect {
  /** Global (or imported) functions that declare suites and tests. */
  readonly roots: ReadonlyMap<string, TestApi>;
  /** Modules whose exports are the real thing, under whatever local name. */
  readonly modules: ReadonlySet<string>;
  /** The root that such a module is itself: its default export, and what `require` gives. */
  readonly moduleItself?: string;
  /** Members of a test function that declare no tests, and are too common to parse a file in full for them. */
  readonly otherMembers?: ReadonlySet<string>;
  /** Tests may have tests in their bodies, also through the context they are given: `t.test('…')`. */
  readonly subtests?: true;
  /** A suite may be declared without a title: its tests are those of the suite around it. */
  readonly untitledSuites?: true;
  /** `api.name`, or undefined when that declares no tests (`test.beforeEach`, `test.step`). */
  member(api: TestApi, name: string): TestApi | undefined;
}

const plain = { each: false, skip: false, only: false, todo: false, needs: 'nothing' } as const;
const suite: TestApi = { ...plain, role: 'suite' };
const test: TestApi = { ...plain, role: 'test' };
const skipped = (api: TestApi): TestApi => ({ ...api, skip: true });
const alone = (api: TestApi): TestApi => ({ ...api, only: true });

/** `node:test`, `bun:test` and the others are close enough that a file which imports them may be read by any dialect. */
const modules = new Set(['vitest', '@jest/globals', 'node:test', 'bun:test', 'mocha']);

export const vitestDialect: TestDialect = {
  roots: new Map([
    ['describe', suite],
    ['suite', suite],
    ['it', test],
    ['test', test],
  ]),
  modules,
  member: (api, name) => {
    if (api.needs !== 'nothing') return undefined;
    switch (name) {
      case 'concurrent':
      case 'sequential':
        return api;
      case 'skip':
      case 'only':
      case 'todo':
        return { ...api, [name]: true };
      case 'each':
      case 'for':
        return { ...api, each: true, needs: 'table' };
      case 'skipIf':
      case 'runIf':
        return { ...api, needs: 'call' };
      case 'shuffle':
        return api.role === 'suite' ? api : undefined;
      case 'fails':
        return api.role === 'test' ? api : undefined;
      case 'extend':
      case 'override':
      case 'scoped':
        return api.role === 'test' ? { ...api, needs: 'call' } : undefined;
      case 'describe':
      case 'suite':
        return api.role === 'test' ? suite : undefined;
      default:
        return undefined;
    }
  },
};

export const jestDialect: TestDialect = {
  roots: new Map([
    ['describe', suite],
    ['xdescribe', skipped(suite)],
    ['fdescribe', alone(suite)],
    ['it', test],
    ['test', test],
    ['xit', skipped(test)],
    ['xtest', skipped(test)],
    ['fit', alone(test)],
  ]),
  modules,
  member: (api, name) => {
    if (api.needs !== 'nothing') return undefined;
    switch (name) {
      case 'skip':
      case 'only':
        return { ...api, [name]: true };
      case 'each':
        return { ...api, each: true, needs: 'table' };
      case 'concurrent':
      case 'failing':
        return api.role === 'test' ? api : undefined;
      case 'todo':
        return api.role === 'test' ? { ...api, todo: true } : undefined;
      default:
        return undefined;
    }
  },
};

/** mocha knows `only` and `skip`; a test without a function is pending. */
const mochaMember: TestDialect['member'] = (api, name) =>
  name === 'skip' || name === 'only' ? { ...api, [name]: true } : undefined;

/**
 * The interfaces bdd, tdd and qunit in one: a file uses the names of one of them, and which is configured somewhere else. The names
 * of the interface "exports" are known after a run only.
 */
export const mochaDialect: TestDialect = {
  roots: new Map([
    ['describe', suite],
    ['context', suite],
    ['xdescribe', skipped(suite)],
    ['xcontext', skipped(suite)],
    ['suite', suite],
    ['it', test],
    ['specify', test],
    ['xit', skipped(test)],
    ['xspecify', skipped(test)],
    ['test', test],
  ]),
  modules,
  member: mochaMember,
};

/** Hooks and macros are members of the one function there is. */
export const avaDialect: TestDialect = {
  roots: new Map([['test', test]]),
  modules: new Set(['ava']),
  moduleItself: 'test',
  otherMembers: new Set(['before', 'beforeEach', 'after', 'afterEach', 'macro', 'meta']),
  member: (api, name) => {
    switch (name) {
      case 'serial':
      case 'failing':
      case 'default':
        return api;
      case 'skip':
      case 'only':
      case 'todo':
        return { ...api, [name]: true };
      default:
        return undefined;
    }
  },
};

/** Every test function is also a member of every other: `test.describe`, `it.test`. */
export const nodeTestDialect: TestDialect = {
  roots: new Map([
    ['describe', suite],
    ['suite', suite],
    ['it', test],
    ['test', test],
  ]),
  modules,
  moduleItself: 'test',
  subtests: true,
  member: (api, name) => {
    switch (name) {
      case 'skip':
      case 'only':
      case 'todo':
        return { ...api, [name]: true };
      case 'describe':
      case 'suite':
        return suite;
      case 'it':
      case 'test':
        return test;
      default:
        return undefined;
    }
  },
};

/** Everything is a member of `test`, which fixtures extend: `export const test = base.extend({ … })`. */
export const playwrightDialect: TestDialect = {
  roots: new Map([['test', test]]),
  modules: new Set(['@playwright/test', 'playwright/test', '@playwright/experimental-ct-react']),
  moduleItself: 'test',
  untitledSuites: true,
  otherMembers: new Set([
    'beforeEach',
    'afterEach',
    'beforeAll',
    'afterAll',
    'use',
    'step',
    'slow',
    'setTimeout',
    'configure',
    'info',
  ]),
  member: (api, name) => {
    if (api.needs !== 'nothing') return undefined;
    const isTest = api.role === 'test';
    switch (name) {
      case 'describe':
        return isTest ? suite : undefined;
      case 'serial':
      case 'parallel':
        return isTest ? undefined : api;
      case 'only':
        return alone(api);
      case 'skip':
      case 'fixme':
        return isTest ? { ...skipped(api), mayAnnotate: true } : skipped(api);
      case 'fail':
        return isTest ? { ...api, mayAnnotate: true } : undefined;
      case 'extend':
        return isTest ? { ...api, needs: 'call' } : undefined;
      default:
        return undefined;
    }
  },
};
