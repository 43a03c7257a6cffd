// What node:test calls its tests, suites, hooks and marks.
import { alikeModules, suite, test } from '../../syntax/javascript/testApi.ts';
import { hooksNamed, type TestVocabulary } from '../../syntax/vocabulary.ts';

/** Every test function is also a member of every other: `test.describe`, `it.test`. */
export const nodeTestVocabulary: TestVocabulary = {
  roots: new Map([
    ['describe', suite],
    ['suite', suite],
    ['it', test],
    ['test', test],
  ]),
  modules: alikeModules,
  moduleItself: 'test',
  subtests: true,
  hooks: hooksNamed({
    beforeAll: 'before',
    beforeEach: 'beforeEach',
    afterEach: 'afterEach',
    afterAll: 'after',
  }),
  marks: new Set(['skip', 'only', 'todo', 'expectFailure', 'runOnly']),
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
