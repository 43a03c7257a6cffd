// What Vitest calls its tests, suites, hooks and marks.
import { alikeModules, suite, test } from '../../syntax/javascript/testApi.ts';
import { hooksNamed, type TestVocabulary } from '../../syntax/vocabulary.ts';

export const vitestVocabulary: TestVocabulary = {
  roots: new Map([
    ['describe', suite],
    ['suite', suite],
    ['it', test],
    ['test', test],
  ]),
  modules: alikeModules,
  hooks: hooksNamed({
    beforeAll: 'beforeAll aroundAll',
    beforeEach: 'beforeEach aroundEach',
    afterEach: 'afterEach onTestFinished',
    afterAll: 'afterAll',
  }),
  benches: new Set(['bench']),
  marks: new Set(['skip', 'only', 'todo', 'skipIf', 'runIf', 'fails']),
  suitesGiveTests: true,
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
