// What Playwright calls its tests, suites, hooks and marks.
import { alone, skipped, suite, test } from '../../syntax/javascript/testApi.ts';
import { hooksNamed, type TestVocabulary } from '../../syntax/vocabulary.ts';

/** Everything is a member of `test`, which fixtures extend: `export const test = base.extend({ … })`. */
export const playwrightVocabulary: TestVocabulary = {
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
  hooks: hooksNamed({
    beforeAll: 'beforeAll',
    beforeEach: 'beforeEach',
    afterEach: 'afterEach',
    afterAll: 'afterAll',
  }),
  marks: new Set(['skip', 'only', 'fixme']),
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
