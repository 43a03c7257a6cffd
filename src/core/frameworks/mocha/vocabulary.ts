// What Mocha calls its tests, suites, hooks and marks.
import { alikeModules, skipped, suite, test } from '../../syntax/javascript/testApi.ts';
import { hooksNamed, type TestVocabulary } from '../../syntax/vocabulary.ts';

/**
 * The interfaces bdd, tdd and qunit in one: a file uses the names of one of them, and which is configured somewhere else. The names
 * of the interface "exports" are known after a run only.
 */
export const mochaVocabulary: TestVocabulary = {
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
  modules: alikeModules,
  hooks: hooksNamed({
    beforeAll: 'before suiteSetup',
    beforeEach: 'beforeEach setup',
    afterEach: 'afterEach teardown',
    afterAll: 'after suiteTeardown',
  }),
  marks: new Set(['skip', 'only']),
  member: (api, name) => (name === 'skip' || name === 'only' ? { ...api, [name]: true } : undefined),
};
