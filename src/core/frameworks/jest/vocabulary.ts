// What Jest calls its tests, suites, hooks and marks.
import { alikeModules, alone, skipped, suite, test } from '../../syntax/javascript/testApi.ts';
import { hooksNamed, type TestVocabulary } from '../../syntax/vocabulary.ts';

export const jestVocabulary: TestVocabulary = {
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
  modules: alikeModules,
  hooks: hooksNamed({
    beforeAll: 'beforeAll',
    beforeEach: 'beforeEach',
    afterEach: 'afterEach',
    afterAll: 'afterAll',
  }),
  marks: new Set(['skip', 'only', 'todo', 'failing']),
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
