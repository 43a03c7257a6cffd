// Changes the gate forbids: waiting that makes an assertion say less.
import { body, file, hello, inTest, type Case } from './changes.ts';

const waited = (name: string, assertion: string, wait: (assertion: string) => string): Case =>
  body(name, assertion, wait(assertion));
const until = (assertion: string): string => `await vi.waitFor(() => { ${assertion} });`;

const made = `import { run } from '../src/run.ts';\nconst error = vi.fn();\n`;
const unasked = `test('a', () => { expect(error).not.toHaveBeenCalled(); });`;
/** A mock that is cleared before each test, though something ran before all of them. */
const clearedBehind = (name: string, code: string, clear = 'error.mockClear();'): Case =>
  file(name, `${made}${code}\n${unasked}`, `${made}${code}\nbeforeEach(() => { ${clear} });\n${unasked}`);
const forgotten = (name: string, clear: string, given = ''): Case =>
  file(
    `by other words: ${name}`,
    given + inTest(`save(put); expect(put).toHaveBeenCalledTimes(1);`),
    given + inTest(`save(put); ${clear} expect(put).toHaveBeenCalledTimes(1);`),
  );

const total = `expect(cart.total).toBe(1);`;
/** Waiting by a function that the file has, or takes, from elsewhere than a library that is known. */
const waitedBy = (name: string, wait: string, given: string): Case =>
  file(name, inTest(total), `${given}\n${inTest(wait.replace('HOLDS', `() => { ${total} }`))}`);

export const forbiddenWaits: Readonly<Record<string, readonly Case[]>> = {
  'moved-assertion': [
    waitedBy('to a waitFor of its own', 'await waitFor(HOLDS);', 'async function waitFor(check) {}'),
    waitedBy(
      'to a waitFor that swallows',
      'await waitFor(HOLDS);',
      'const waitFor = async (check) => { try { check(); } catch {} };',
    ),
    waitedBy('to one of the source', 'await waitFor(HOLDS);', `import { waitFor } from '../src/app.js';`),
    waitedBy('to one of a helper', 'await waitFor(HOLDS);', `import { waitFor } from './helpers.js';`),
    waitedBy('to a renamed one', 'await waitFor(HOLDS);', `import { run as waitFor } from '../src/app.js';`),
    waitedBy('to a member', 'await cart.waitFor(HOLDS);', ''),
    waitedBy('to a member of a name', 'await save.eventually(HOLDS);', ''),
    waitedBy('to an object', 'await page.waitFor(HOLDS);', 'const page = { waitFor: async () => {} };'),
    waitedBy('to an act of its own', 'await act(HOLDS);', 'const act = async () => {};'),
    waitedBy(
      'to a waitFor that is mocked',
      'await waitFor(HOLDS);',
      `import { waitFor } from '@testing-library/dom';\nvi.mock('@testing-library/dom');`,
    ),
    waitedBy(
      'to a waitFor that a function hides',
      'const waitFor = save; await waitFor(HOLDS);',
      `import { waitFor } from '@testing-library/dom';`,
    ),
    waitedBy('to a vi of its own', 'const vi = cart; await vi.waitFor(HOLDS);', ''),
    waitedBy('beside what is waited for', 'await vi.waitFor(() => {}, HOLDS);', ''),
    waitedBy('to a generator', 'await vi.waitFor(HOLDS);'.replace('HOLDS', `function* () { ${total} }`), ''),
    waitedBy('to a generator that is called', `(function* () { ${total} })();`, ''),
    waitedBy('to a poll without a question', 'await expect.poll(HOLDS);', ''),
  ],
  'erased-calls': [
    clearedBehind('behind a beforeAll', 'beforeAll(() => { run(); });'),
    clearedBehind(
      'all of them behind an async one',
      'beforeAll(async () => { await run(); });',
      'vi.clearAllMocks();',
    ),
    clearedBehind('behind a function before all', 'beforeAll(run);'),
    clearedBehind('behind a call of the module', 'run();'),
    clearedBehind('behind an import', `import '../src/start.ts';`),
    clearedBehind('behind an object of the module', 'const app = new run.App();'),
    clearedBehind('behind a call of a suite', `describe('b', () => { run(); });`),
    clearedBehind('behind a table', `test.each(run())('b %s', () => {});`),
    clearedBehind('behind a call of a mocked module', 'vi.mocked(run).start();'),
    clearedBehind('behind a getter', 'beforeEach(() => { run.started; });'),
    clearedBehind('behind a setter', 'beforeEach(() => { run.started = true; });'),
    file(
      'after each test, behind a beforeAll',
      `${made}beforeAll(() => { run(); });\n${unasked}`,
      `${made}beforeAll(() => { run(); });\nafterEach(() => { error.mockClear(); });\n${unasked}`,
    ),
    file(
      'first in a test, behind a beforeAll',
      `${made}beforeAll(() => { run(); });\n${unasked}`,
      `${made}beforeAll(() => { run(); });\n${unasked.replace('expect', 'error.mockClear(); expect')}`,
    ),
    forgotten('destructured', 'const { mockClear } = put; mockClear();'),
    forgotten('called for another', 'put.mockClear.call(put);'),
    forgotten('reflected', 'Reflect.apply(put.mockClear, put, []);'),
    forgotten('put together', 'put["mock" + "Clear"]();'),
    forgotten('under a name', 'const key = "mock" + "Clear"; const f = put[key]; f.call(put);'),
    forgotten('by a name', 'put[name]();'),
    forgotten('of sinon', 'sinon.reset();', `import sinon from 'sinon';\n`),
    forgotten('its records', 'put.mock.calls.length = 0;'),
    forgotten('one of its records', 'put.mock.calls.pop();'),
  ],
  'waited-absence': [
    waited('for a call that must not come', `expect(save).not.toHaveBeenCalled();`, until),
    waited('for an empty list', `expect(cart.items).toEqual([]);`, until),
    waited('for false', `expect(cart.open).toBe(false);`, until),
    waited('for what is not', `assert.ok(!cart.owner);`, until),
    waited('for what is not, the other way round', `expect(!cart.owner).toBe(true);`, until),
    waited('for a comparison', `expect(cart.owner === undefined).toBe(true);`, until),
    waited('for a choice', `expect(cart.owner ? 0 : 1).toBe(1);`, until),
    waited('for a type', `expect(typeof cart.owner).toBe('undefined');`, until),
    waited('for the opposite', `expect(cart.box).toEqual(expect.not.objectContaining({ a: 1 }));`, until),
    waited('for less', `expect(cart.total).toBeLessThan(3);`, until),
    waited('for a word of chai', `expect(cart.owner).to.be.undefined;`, until),
    waited('for what a function says', `expect(cart.owner).toSatisfy((one) => !one);`, until),
    waited(
      'for nothing by a name',
      `const none = undefined; expect(cart.owner).toBe(none);`,
      () => `const none = undefined; ${until('expect(cart.owner).toBe(none);')}`,
    ),
    waited('for nothing', `expect(cart.owner).toBeNull();`, until),
    body('by polling', `expect(cart.total).not.toBe(1);`, `await expect.poll(() => cart.total).not.toBe(1);`),
  ],
  'waited-count': [
    waited('for a number of calls', `expect(save).toHaveBeenCalledTimes(1);`, until),
    waited('for a length of calls', `expect(save.mock.calls.length).toBe(1);`, until),
    waited('for a length', `expect(cart.items.length).toBe(2);`, until),
    waited('for a size', `expect(cart.items.size).toBe(2);`, until),
    waited('for a count of sinon', `expect(save.callCount).toBe(1);`, until),
    waited('for all calls', `expect(save.mock.calls).toEqual([['a']]);`, until),
    waited('for a number of items', `expect(cart.items).toHaveLength(2);`, until),
    waited('for a number of elements', `expect(cart.rows).toHaveCount(2);`, until),
    waited('for a number of answers', `expect(save).toReturnTimes(2);`, until),
  ],
  'retried-step': [
    ...[
      'cart.n++;',
      'cart.n += 1;',
      'delete cart.n;',
      'cart.next;',
      'void cart.next;',
      'await cart.next;',
      'run`a`;',
      'checkOut(cart);',
    ].map((step) =>
      body(`with ${step}`, `${step} ${total}`, `await vi.waitFor(async () => { ${step} ${total} });`),
    ),
    waited('that counts up', `expect(++cart.total).toBe(1);`, until),
    waited('that takes all', `expect([...cart.all]).toEqual([1]);`, until),
    waited('that asks the code each time', hello, until),
    body(
      'with the step before it',
      `cart.add(1); expect(cart.total).toBe(2);`,
      `await vi.waitFor(() => { cart.add(1); expect(cart.total).toBe(2); });`,
    ),
    body('by polling', `expect(cart.next()).toBe(3);`, `await expect.poll(() => cart.next()).toBe(3);`),
  ],
  'removed-await': [body('of a poll', total, `expect.poll(() => cart.total).toBe(1);`)],
  'longer-timeout': [
    ...[
      '1000 * 60',
      'long',
      '{ timeout: 60_000 }',
      '{ timeout: 1000 * 60 }',
      '{ timeout }',
      '{ ...long }',
    ].map((limit) => body(`of a wait: ${limit}`, total, `await vi.waitFor(() => { ${total} }, ${limit});`)),
    body('of a poll', total, `await expect.poll(() => cart.total, long).toBe(1);`),
    body(
      'of a wait',
      `expect(cart.total).toBe(1);`,
      `await vi.waitFor(() => expect(cart.total).toBe(1), 60_000);`,
    ),
  ],
};
