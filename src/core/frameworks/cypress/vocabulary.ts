// What Cypress calls its tests, suites, hooks and marks: the words of Mocha's interface "bdd".
import { alikeModules, skipped, suite, test } from '../../syntax/javascript/testApi.ts';
import { hooksNamed, type TestVocabulary } from '../../syntax/vocabulary.ts';

export const cypressVocabulary: TestVocabulary = {
  roots: new Map([
    ['describe', suite],
    ['context', suite],
    ['xdescribe', skipped(suite)],
    ['xcontext', skipped(suite)],
    ['it', test],
    ['specify', test],
    ['xit', skipped(test)],
    ['xspecify', skipped(test)],
  ]),
  modules: alikeModules,
  hooks: hooksNamed({
    beforeAll: 'before',
    beforeEach: 'beforeEach',
    afterEach: 'afterEach',
    afterAll: 'after',
  }),
  marks: new Set(['skip', 'only']),
  member: (api, name) => (name === 'skip' || name === 'only' ? { ...api, [name]: true } : undefined),
};
