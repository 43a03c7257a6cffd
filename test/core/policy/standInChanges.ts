// Stand-ins for what the code does, and errors that are not handed on: changes that the gate forbids, and harmless ones beside them.
import { body, file, hello, type Case } from './changes.ts';

const asked = `const shop = new cart.Shop(); expect(shop.total()).toBe(12);`;
const later = `await new Promise((resolve, reject) => { save((e) => { if (e) reject(e); else resolve(); }); });`;
const calledBack = `test('a', (done) => { save((e) => { done(e); }); });`;

export const forbiddenStandIns: Readonly<Record<string, readonly Case[]>> = {
  'replaced-value': [
    body(
      'a function in place of one of the object',
      asked,
      `const shop = new cart.Shop(); shop.total = () => 12; expect(shop.total()).toBe(12);`,
    ),
    body(
      'a function that is assigned with others',
      asked,
      `const shop = new cart.Shop(); Object.assign(shop, { total: () => 12 }); expect(shop.total()).toBe(12);`,
    ),
    body(
      'an object made of the one under test',
      asked,
      `const shop = Object.create(new cart.Shop(), { total: { value: () => 12 } }); expect(shop.total()).toBe(12);`,
    ),
    body(
      'a copy with a function of the test',
      `const shop = { ...cart }; expect(shop.total()).toBe(12);`,
      `const shop = { ...cart, total: () => 12 }; expect(shop.total()).toBe(12);`,
    ),
    body(
      'a class that is derived',
      `class Fake extends cart.Shop {} expect(new Fake().total()).toBe(12);`,
      `class Fake extends cart.Shop { total() { return 12; } } expect(new Fake().total()).toBe(12);`,
    ),
  ],
  'weakened-subject': [
    body(
      'a function of the test around the value',
      `expect(greet(1)).toBe('Hi');`,
      `const id = (x) => 'Hi'; expect(id(greet(1))).toBe('Hi');`,
    ),
    file(
      'a declared function around a named value',
      `import { greet } from '../src/shop';\ntest('a', () => { const r = greet(1); expect(r).toBe('Hi'); });`,
      `import { greet } from '../src/shop';\nfunction norm(x) { return 'Hi'; }\ntest('a', () => { const r = greet(1); expect(norm(r)).toBe('Hi'); });`,
    ),
    file(
      'a function that gives what is written in it now',
      `import { greet } from '../src/shop';\nfunction get() { return greet(); }\ntest('a', () => { expect(get()).toBe(1); });`,
      `import { greet } from '../src/shop';\nfunction get() { greet(); return 1; }\ntest('a', () => { expect(get()).toBe(1); });`,
    ),
  ],
  'swallowed-error': [
    body('resolved with the error', later, later.replace('reject(e)', 'resolve(e)')),
    file('done without the error', calledBack, calledBack.replace('done(e)', 'done()')),
    file(
      'resolved instead of done with the error',
      calledBack,
      `test('a', () => new Promise((done) => { save((e) => { done(e); }); }));`,
    ),
  ],
};

export const allowedStandIns: readonly Case[] = [
  body(
    'a member that nothing asks for',
    asked,
    `const shop = new cart.Shop(); shop.log = () => {}; expect(shop.total()).toBe(12);`,
  ),
  body(
    'a double with one more member',
    `class Fake extends cart.Base { get() { return 1; } } expect(greet(new Fake())).toBe(1);`,
    `class Fake extends cart.Base { get() { return 1; } put() { throw new Error('not expected'); } } expect(greet(new Fake())).toBe(1);`,
  ),
  body(
    'options that are made of others',
    `expect(greet(cart.options)).toBe(1);`,
    `const options = { ...cart.options, log: () => {} }; expect(greet(options)).toBe(1);`,
  ),
  file(
    'a function of the test that makes what the code is given',
    `import { greet } from '../src/shop';\ntest('a', () => { expect(greet({ a: 1 })).toBe(1); });`,
    `import { greet } from '../src/shop';\nconst make = (a) => ({ a, b: 1 });\ntest('a', () => { expect(greet(make(1))).toBe(1); });`,
  ),
  body('an error that is awaited', `${later} ${hello}`, `await save(); ${hello}`),
  file(
    'a promise that is rejected instead of done with the error',
    calledBack,
    `test('a', () => new Promise((resolve, reject) => { save((e) => { if (e) reject(e); else resolve(); }); }));`,
  ),
];
