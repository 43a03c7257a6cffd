// What AVA's `t` expects: values, structures and errors that changed, mended in real runs; and what is never mended.
import assert from 'node:assert/strict';
import { expectedValue } from '../../../../src/core/fixes/assertion/expectedValue.ts';
import { exceptionText } from '../../../../src/core/fixes/throws/exceptionText.ts';
import { mendCases, type MendedCase, type MendingCase } from '../../../support/mendCases.ts';

interface Situation extends MendingCase {
  /** What of the test file changes; or why there is no fix. */
  readonly becomes: readonly [from: string, to: string] | RegExp;
}

const situation = (
  name: string,
  change: readonly [from: string, to: string],
  body: string,
  becomes: Situation['becomes'],
  head = '',
): Situation => ({
  source: sources.replaceAll('NAME', name),
  change,
  test: `import test from 'ava';\nimport { NAME } from '../src/NAME.js';\n\n${head}${body}\n`.replaceAll(
    'NAME',
    name,
  ),
  becomes,
});
const sources = `export const NAME = {
  greet: (who) => \`Hello, \${who}\`,
  later: async (id) => ({ id, tags: ['new'], state: 'open' }),
  order: (id) => ({ id, tags: ['new'], state: 'open', total: { net: 10, tax: 2 } }),
  check: (id) => {
    if (id < 1) throw Object.assign(new RangeError('bad id'), { code: 'E_ID' });
    return id;
  },
  load: async (id) => NAME.check(id),
};
`;
const greets = ['Hello, ', 'Good day, '] as const;
const opens = ["state: 'open', total", "state: 'opened', total"] as const;
const one = (callback: string): string => `test('works', ${callback});`;

const values: Readonly<Record<string, Situation>> = {
  is: situation('is', greets, one(`(t) => {\n  t.is(is.greet('Ada'), 'Hello, Ada', 'a message');\n}`), [
    `'Hello, Ada'`,
    `'Good day, Ada'`,
  ]),
  renamed: situation(
    'renamed',
    greets,
    `test.serial('is renamed', async (assert) => {\n  await null;\n  assert.is(renamed.greet('Ada'), "Hello, Ada");\n});`,
    [`"Hello, Ada"`, `"Good day, Ada"`],
  ),
  swapped: situation('swapped', greets, one(`(t) => t.is('Hello, Ada', swapped.greet('Ada'))`), [
    `'Hello, Ada'`,
    `'Good day, Ada'`,
  ]),
  deep: situation(
    'deep',
    opens,
    one(
      `(t) => {\n  t.deepEqual(deep.order(7), {\n    id: 7,\n    tags: ['new'],\n    state: 'open',\n    total: { net: 10, tax: 2 },\n  });\n}`,
    ),
    [`state: 'open'`, `state: 'opened'`],
  ),
  grown: situation(
    'grown',
    ["id, tags: ['new'], state: 'open', total", "id, tags: ['new', 'web'], state: 'open', total"],
    one(`(t) => t.deepEqual(grown.order(7).tags, ['new'])`),
    [`['new'])`, `['new', 'web'])`],
  ),
  like: situation('like', opens, one(`(t) => t.like(like.order(7), { state: 'open', total: { net: 10 } })`), [
    `state: 'open'`,
    `state: 'opened'`,
  ]),
  settled: situation(
    'settled',
    ["tags: ['new'], state: 'open' }", "tags: ['new'], state: 'ready' }"],
    one(`async (t) => {\n  t.deepEqual(await settled.later(1), { id: 1, tags: ['new'], state: 'open' });\n}`),
    [`state: 'open'`, `state: 'ready'`],
  ),
  rows: situation(
    'rows',
    greets,
    `for (const [who, wanted] of [['Ada', 'Hello, Ada']]) {\n  test(\`greets \${who}\`, (t) => t.is(rows.greet(who), wanted));\n}`,
    [`'Hello, Ada'`, `'Good day, Ada'`],
  ),
  helper: situation(
    'helper',
    greets,
    one(`(t) => {\n  check(t, 'Ada', 'Hello, Ada');\n}`),
    [`'Hello, Ada'`, `'Good day, Ada'`],
    `function check(t, who, wanted) {\n  t.is(helper.greet(who), wanted);\n}\n`,
  ),
  macro: situation(
    'macro',
    ['`Hello, ${who}`', "who === 'Bob' ? 'Hi, Bob' : `Hello, ${who}`"],
    `test('Ada', greets, 'Ada', 'Hello, Ada');\ntest('Bob', greets, 'Bob', 'Hello, Bob');`,
    [`'Hello, Bob'`, `'Hi, Bob'`],
    `const greets = (t, who, wanted) => t.is(macro.greet(who), wanted);\n`,
  ),
  declared: situation(
    'declared',
    ['net: 10', 'net: 11'],
    `test(net, 7, 10);`,
    [`7, 10)`, `7, 11)`],
    `const net = test.macro({\n  exec(t, id, wanted) {\n    t.is(declared.order(id).total.net, wanted);\n  },\n  title: (given = '', id) => \`\${given} order \${id}\`,\n});\n`,
  ),
  hook: situation(
    'hook',
    greets,
    `test.beforeEach((t) => {\n  t.is(hook.greet('Ada'), 'Hello, Ada');\n});\ntest('works', (t) => t.pass());`,
    [`'Hello, Ada'`, `'Good day, Ada'`],
  ),
  sideBySide: situation(
    'sideBySide',
    greets,
    `test('one', async (t) => {\n  await new Promise((done) => setImmediate(done));\n  t.true(sideBySide.greet('Ada').endsWith('Ada'));\n});\ntest('two', async (t) => {\n  await null;\n  assert.equal(sideBySide.greet('Bob'), 'Hello, Bob');\n  t.pass();\n});`,
    [`'Hello, Bob'`, `'Good day, Bob'`],
    `import assert from 'node:assert/strict';\n`,
  ),
  not: situation('not', greets, one(`(t) => t.not(not.greet('Ada'), 'Good day, Ada')`), /negated/),
  notDeep: situation(
    'notDeep',
    opens,
    one(`(t) => t.notDeepEqual(notDeep.order(1).state, 'opened')`),
    /negated/,
  ),
  question: situation(
    'question',
    greets,
    one(`(t) => t.is(question.greet('Ada').startsWith('Hello'), true)`),
    /is a condition/,
  ),
  truth: situation('truth', greets, one(`(t) => t.true(truth.greet('Ada') === 'Hello, Ada')`), /^$/),
  attempt: situation(
    'attempt',
    greets,
    one(
      `async (t) => {\n  const tried = await t.try((tt) => tt.is(attempt.greet('Ada'), 'Hello, Ada'));\n  tried.commit();\n}`,
    ),
    /^$/,
  ),
  input: situation(
    'input',
    ["id, tags: ['new'], state: 'open', total", "id: id + 1, tags: ['new'], state: 'open', total"],
    one(`(t) => {\n  const id = 7;\n  t.is(input.order(id).id, id);\n}`),
    /the test also uses it itself/,
  ),
};

const refuses = ["RangeError('bad id')", "RangeError('id must be positive')"] as const;
const errors: Readonly<Record<string, Situation>> = {
  throws: situation(
    'throws',
    refuses,
    one(
      `(t) => {\n  t.throws(() => throws.check(0), { instanceOf: RangeError, code: 'E_ID', message: 'bad id' });\n}`,
    ),
    [`'bad id'`, `'id must be positive'`],
  ),
  throwsAsync: situation(
    'throwsAsync',
    refuses,
    one(
      `async (t) => {\n  const error = await t.throwsAsync(throwsAsync.load(0), { message: 'bad id' });\n  t.is(error.code, 'E_ID');\n}`,
    ),
    [`'bad id'`, `'id must be positive'`],
  ),
  called: situation(
    'called',
    refuses,
    one(`async (t) => {\n  await t.throwsAsync(() => called.load(0), { message: /^bad id$/ });\n}`),
    ['/^bad id$/', '/^id must be positive$/'],
  ),
  otherCode: situation(
    'otherCode',
    ["'bad id'), { code: 'E_ID' }", "'wrong id'), { code: 'E_OTHER' }"],
    one(`(t) => {\n  t.throws(() => otherCode.check(0), { code: 'E_ID', message: 'bad id' });\n}`),
    /Another kind of error/,
  ),
  otherClass: situation(
    'otherClass',
    ["RangeError('bad id')", "Error('wrong id')"],
    one(`(t) => {\n  t.throws(() => otherClass.check(0), { instanceOf: RangeError, message: 'bad id' });\n}`),
    /Another kind of error/,
  ),
  silent: situation(
    'silent',
    ['id < 1', 'id < 0'],
    one(`(t) => {\n  t.throws(() => silent.check(0), { message: 'bad id' });\n}`),
    /The code no longer throws/,
  ),
  crash: situation(
    'crash',
    ['id < 1', 'id.isSmall()'],
    one(`(t) => {\n  t.throws(() => crash.check(0), { message: 'bad id' });\n}`),
    /crashed/,
  ),
  asked: situation(
    'asked',
    refuses,
    one(`(t) => {\n  t.throws(() => asked.check(0), { message: (text) => text === 'bad id' });\n}`),
    /could not be found|does not name a message/,
  ),
};

function holdsFor({ test, becomes }: Situation, found: MendedCase): void {
  if (becomes instanceof RegExp) {
    assert.equal(found.text, test);
    assert.match(found.refusals.join('\n'), becomes);
    return;
  }
  assert.equal(found.text, test.replace(becomes[0], becomes[1]), found.refusals.join('\n'));
  assert.ok(found.passes, found.text);
  assert.deepEqual(found.rules, []);
}

describe('the fixers of expectations in AVA', function () {
  this.timeout(240_000);
  for (const [what, situations, provider] of [
    ['values', values, expectedValue],
    ['errors', errors, exceptionText],
  ] as const) {
    describe(what, () => {
      let mended: Readonly<Record<string, MendedCase>>;
      before(async () => {
        mended = await mendCases(situations, { framework: 'ava', provider });
      });
      for (const [name, situation] of Object.entries(situations))
        it(`${situation.becomes instanceof RegExp ? 'refuses' : 'mends'}: ${name}`, () => {
          const found = mended[name];
          assert.ok(found);
          holdsFor(situation, found);
        });
    });
  }
});
