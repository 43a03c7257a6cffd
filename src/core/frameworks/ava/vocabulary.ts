// What AVA calls its tests, suites, hooks and marks.
import { test } from '../../syntax/javascript/testApi.ts';
import { hooksNamed, type TestVocabulary } from '../../syntax/vocabulary.ts';

/** Hooks and macros are members of the one function there is. */
export const avaVocabulary: TestVocabulary = {
  roots: new Map([['test', test]]),
  modules: new Set(['ava']),
  moduleItself: 'test',
  otherMembers: new Set(['before', 'beforeEach', 'after', 'afterEach', 'macro', 'meta']),
  hooks: hooksNamed({
    beforeAll: 'before',
    beforeEach: 'beforeEach',
    afterEach: 'afterEach',
    afterAll: 'after',
  }),
  marks: new Set(['skip', 'only', 'todo', 'failing']),
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
