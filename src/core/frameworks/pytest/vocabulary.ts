// What pytest calls the functions that it runs around tests, those of unittest and nose among them.
import { hooksNamed, type HookVocabulary } from '../../syntax/vocabulary.ts';

export const pytestVocabulary: HookVocabulary = {
  hooks: hooksNamed({
    beforeAll: 'setUpClass setup_class setUpModule setup_module',
    beforeEach: 'setup setUp asyncSetUp setup_method setup_function',
    afterEach: 'teardown tearDown asyncTearDown teardown_method teardown_function',
    afterAll: 'tearDownClass teardown_class tearDownModule teardown_module',
  }),
};
