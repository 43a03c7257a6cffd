// Changes the gate forbids and lets through in the words of AVA.
import { file, type Case } from './changes.ts';

const shop = (body: string, declared = "test('greets', async (t) => {", more = ''): string =>
  `import test from 'ava';
import { greet, save } from '../src/shop.js';
${more}
${declared}
  ${body}
});
`;
const hi = "t.is(greet('Ada'), 'Hi, Ada');";
const within = (name: string, before: string, after: string): Case => file(name, shop(before), shop(after));
/** The same where the context has another name. */
const own = (name: string, before: string, after: string): Case => {
  const text = (body: string): string =>
    shop(body, "test.serial('greets', async (own) => {").replace(/\bt\./g, 'own.');
  return file(`${name}, of a context with a name of its own`, text(before), text(after));
};
const around = (name: string, declared: string): Case => file(name, shop(hi), shop(hi, declared));
const macro = `const greets = (it, who, wanted) => it.is(greet(who), wanted);\ntest('Ada', greets, 'Ada', 'Hi, Ada');\ntest('five', greets, 5, 15);`;
const inMacro = (name: string, before: string, after: string): Case =>
  file(name, shop(hi, undefined, macro), shop(hi, undefined, macro.replace(before, after)));
const helper = `import type { ExecutionContext } from 'ava';
export function check(run: ExecutionContext<unknown>, who: string) {
  run.deepEqual(greet(who), { text: 'Hi' });
}
`;
/** A helper of another file, as it is called. */
const given = (name: string, before: string, after: string): Case => {
  const imports = `import { greets } from './helpers.js';\nimport * as helpers from './helpers.js';`;
  return file(name, shop(before, undefined, imports), shop(after, undefined, imports));
};
const refusal = (expectations: string): string => `t.throws(() => greet(''), ${expectations});`;
const throwing = (name: string, before: string, after: string): Case =>
  within(name, refusal(before), refusal(after));

const forged = '{ is: () => true }';
const ownTest = `const test = anyTest as TestFn;\ntest('x', (u) => { u.is(greet('x'), 'x'); });`;
const vitest = (limit: string, more = ''): string =>
  `import { expect, test } from 'vitest';\n${more}\ntest('greets', () => { expect(1).toBe(1); }, ${limit});\n`;

export const forbiddenInAva: Readonly<Record<string, readonly Case[]>> = {
  'skip-or-only': [
    around('test.skip', "test.skip('greets', async (t) => {"),
    around('test.only', "test.only('greets', async (t) => {"),
    around('test.failing', "test.failing('greets', async (t) => {"),
    around('test.serial.skip', "test.serial.skip('greets', async (t) => {"),
    within('t.is.skip', hi, hi.replace('t.is(', 't.is.skip(')),
    within(
      'an attempt that is discarded',
      `const tried = await t.try((tt) => tt.is(greet('Ada'), 'Hi, Ada'));\n  tried.commit();`,
      `const tried = await t.try((tt) => tt.is(greet('Ada'), 'Hi, Ada'));\n  tried.discard();`,
    ),
  ],
  'weaker-matcher': [
    within('t.is → t.truthy', hi, "t.truthy(greet('Ada'));"),
    own('t.is → t.truthy', hi, "t.truthy(greet('Ada'));"),
    within('t.is → t.assert', hi, "t.assert(greet('Ada'));"),
    within('t.is → t.deepEqual', hi, hi.replace('t.is', 't.deepEqual')),
    within('t.is → t.snapshot', hi, "t.snapshot(greet('Ada'));"),
    within('t.is → t.regex', hi, "t.regex(greet('Ada'), /Hi/);"),
    within(
      't.deepEqual → t.like',
      't.deepEqual(save(), { id: 1, n: 2 });',
      't.like(save(), { id: 1, n: 2 });',
    ),
    own('t.deepEqual → t.like', 't.deepEqual(save(), { id: 1, n: 2 });', 't.like(save(), { id: 1, n: 2 });'),
    within('a looser pattern', "t.regex(greet('Ada'), /^Hi, Ada$/);", "t.regex(greet('Ada'), /.*/);"),
    throwing('an error without its message', `{ code: 'E', message: 'no name' }`, `{ code: 'E' }`),
    throwing('a code in place of a message', `{ message: 'no name' }`, `{ code: 'E' }`),
    throwing('a check in place of a message', `{ message: 'no name' }`, `{ message: () => true }`),
    throwing('any error at all', '{ instanceOf: TypeError }', '{ instanceOf: Error }'),
    throwing('anything thrown', `{ message: 'no name' }`, `{ message: 'no name', any: true }`),
    within('t.throws without expectations', refusal(`{ message: 'no name' }`), "t.throws(() => greet(''));"),
    file('a helper', helper, helper.replace('run.deepEqual', 'run.like')),
    inMacro('in a macro', 'it.is(greet(who), wanted)', 'it.truthy(greet(who))'),
  ],
  widened: [
    within('t.like that names less', 't.like(save(), { id: 1, n: 2 });', 't.like(save(), { id: 1 });'),
  ],
  inverted: [
    within('t.is → t.not', hi, hi.replace('t.is', 't.not')),
    own('t.is → t.not', hi, hi.replace('t.is', 't.not')),
    within('t.true → t.false', "t.true(greet('Ada').ok);", "t.false(greet('Ada').ok);"),
    within('t.deepEqual → t.notDeepEqual', 't.deepEqual(save(), []);', 't.notDeepEqual(save(), []);'),
    within('t.regex → t.notRegex', "t.regex(greet('Ada'), /Hi/);", "t.notRegex(greet('Ada'), /Hi/);"),
    within('t.throws → t.notThrows', "t.throws(() => greet(''));", "t.notThrows(() => greet(''));"),
  ],
  'fewer-assertions': [
    within('t.is → t.pass', hi, 't.pass();'),
    within('t.is → t.notThrows', hi, "t.notThrows(() => greet('Ada'));"),
    own('a lost assertion', `${hi} t.true(save());`, 't.true(save());'),
  ],
  'assertion-count': [
    within('t.plan that is gone', `t.plan(1); ${hi}`, hi),
    own('t.plan that is gone', `t.plan(1); ${hi}`, hi),
    own('a lower t.plan', `t.plan(2); ${hi}`, `t.plan(1); ${hi}`),
  ],
  'moved-assertion': [within('into an attempt', hi, `await t.try((t) => { ${hi} });`)],
  'conditional-assertion': [own('under a condition', hi, `if (save()) { ${hi} }`)],
  'test-api-tampering': [
    file('another t', shop(hi), shop(`const t = ${forged};\n  ${hi}`, "test('greets', async (_t) => {")),
    within('an inner t', hi, `{ const t = ${forged}; ${hi} }`),
    within('a t of a function', hi, `((t) => ${hi.slice(0, -1)})(${forged});`),
    within('a t of a call with is', hi, `const is = () => true;\n  ((t) => ${hi.slice(0, -1)})({ is });`),
    within('t.is = …', hi, `t.is = () => true;\n  ${hi}`),
    own('t.is = …', hi, `t.is = () => true;\n  ${hi}`),
    within("t['is'] = …", hi, `t['is'] = () => true;\n  ${hi}`),
    within('t.is of a pattern', hi, `[t.is] = [() => true];\n  ${hi}`),
    within('Object.assign(t)', hi, `Object.assign(t, { is() {} });\n  ${hi}`),
    within('Object.assign(t) of what is imported', hi, `Object.assign(t, save);\n  ${hi}`),
    own('Reflect.set(t)', hi, `Reflect.set(t, 'is', save);\n  ${hi}`),
    within('Object.defineProperty(t)', hi, `Object.defineProperty(t, 'is', save);\n  ${hi}`),
    within('t under another name', hi, `const u = t;\n  u[save] = save;\n  ${hi}`),
    ...[
      "helpers['check'](Object, save(), 2);",
      '{ const { check: k } = helpers; k(Object, save(), 2); }',
    ].map((after) =>
      file(
        `a helper by another name: ${after}`,
        shop('helpers.check(t, save(), 2);', undefined, "import * as helpers from './helpers.js';"),
        shop(after, undefined, "import * as helpers from './helpers.js';"),
      ),
    ),
    within('t given to a function', hi, `save(t);\n  ${hi}`),
    within('t given to a second parameter', hi, `((_, t) => ${hi.slice(0, -1)})(0, save);`),
    file('a hook', shop(hi), shop(hi, undefined, 'test.beforeEach((t) => { t.is = save; });')),
    file('a module', shop(hi), shop(hi, "test('greets', async (own) => {", "import { t } from './fake.js';")),
    file(
      'what a helper is given',
      shop('check(t);', undefined, `const check = (t) => t.is(greet('A'), 'A');`),
      shop('check(save);', undefined, `const check = (t) => t.is(greet('A'), 'A');`),
    ),
    given('what a helper of another file is given', 'greets(t);', 'greets(save);'),
    given('what such a helper is given beside a text', "greets(t, 'Ada');", "greets(save, 'Ada');"),
    given('what such a helper is given last', "await greets('Ada', t);", "await greets('Ada', save);"),
    given('what a helper of a namespace is given', 'helpers.greets(t);', 'helpers.greets(save);'),
    given('what such a helper is given in an object', 'greets({ t });', 'greets({ t: save });'),
    given('what such a helper is given in a list', 'greets([t, 1]);', 'greets([save, 1]);'),
    given('the context somewhere else', "greets(t, 'Ada');", "greets(save, 'Ada', t);"),
    given('one of two calls of a helper', 'greets(t); greets(t, 1);', 'greets(t); greets(save, 1);'),
    given('another function in the place of a helper', 'greets(t);', 'save(t);'),
    file(
      'a t beside a test of a type of its own',
      shop(hi, undefined, ownTest).replace('import test', 'import anyTest'),
      shop(hi, undefined, ownTest.replace('(u) => {', '(u) => { u.is = save;')).replace(
        'import test',
        'import anyTest',
      ),
    ),
  ],
  'longer-timeout': [
    file(
      'beside a type of AVA',
      vitest('1000'),
      vitest('900000', "import type { ExecutionContext } from 'ava';"),
    ),
    file(
      'beside one type of AVA among its names',
      vitest('1000'),
      vitest('900000', "import { type ExecutionContext } from 'ava';"),
    ),
    own('t.timeout', `t.timeout(100); ${hi}`, `t.timeout(100000); ${hi}`),
  ],
  'removed-await': [
    own(
      'of t.throwsAsync',
      "await t.throwsAsync(save(), { message: 'no' });",
      "t.throwsAsync(save(), { message: 'no' });",
    ),
  ],
};

export const allowedInAva: readonly Case[] = [
  within('another expected text', hi, hi.replace('Hi', 'Hello')),
  within('another leaf', 't.like(save(), { id: 1, n: 2 });', 't.like(save(), { id: 1, n: 3 });'),
  within('t.like → t.deepEqual', 't.like(save(), { id: 1 });', 't.deepEqual(save(), { id: 1 });'),
  throwing('another message', `{ message: 'no name' }`, `{ message: 'a name is missing' }`),
  inMacro('a value of a macro', "'Hi, Ada')", "'Hello, Ada')"),
  inMacro('a number of a macro', '5, 15', '5, 16'),
  file(
    'a number of a macro of a test with a type of its own',
    shop(hi, undefined, `const test = anyTest as TestFn;\n${macro}`).replace('import test', 'import anyTest'),
    shop(hi, undefined, `const test = anyTest as TestFn;\n${macro.replace('15', '9000')}`).replace(
      'import test',
      'import anyTest',
    ),
  ),
  within('t.context', hi, `t.context.name = 'Ada';\n  ${hi}`),
  given('another expected value of a helper of another file', "greets(t, 'Hi');", "greets(t, 'Hello');"),
  given('a helper of another file that is awaited', 'greets(t);', 'await greets(t);'),
  given('a helper that is given more', "helpers.greets(t, 'Hi');", "helpers.greets(t, 'Hi', 2);"),
  given('what a helper without a context is given', "greets('Ada'); t.pass();", "greets('Bob'); t.pass();"),
  within('a helper with t that stays', `save(t);\n  ${hi}`, `save(t);\n  ${hi.replace('Hi', 'Ho')}`),
  within(
    't of a loop that stays',
    `for (const t of save()) greet(t); ${hi}`,
    `for (const t of save()) greet(t); ${hi.replace('Hi', 'Ho')}`,
  ),
];
