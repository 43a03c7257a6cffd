// What a test does besides asserting: changes of it that the gate forbids, and harmless ones beside them.
import { body, file, hello, type Case } from './changes.ts';

const both = `import { equal } from 'node:assert';\nimport { greet } from '../src/shop';\n`;

export const forbiddenSteps: Readonly<Record<string, readonly Case[]>> = {
  'replaced-value': [
    body(
      'a name that stands for another value in an inner block',
      `const r = greet(1); expect(r).toBe(12);`,
      `const r = greet(1); { const r = 12; expect(r).toBe(12); }`,
    ),
    body(
      'a parameter in place of what was looked at',
      `const r = greet(1); expect(r).toBe(12);`,
      `const r = greet(1); ((r) => { expect(r).toBe(12); })(12);`,
    ),
    body(
      'an inner name behind what is looked at',
      `const r = greet(1); const sum = r; expect(sum).toBe(12);`,
      `const r = greet(1); for (const r of [12]) { const sum = r; expect(sum).toBe(12); }`,
    ),
  ],
  'moved-assertion': [
    file(
      'a helper that became a generator',
      `${both}function same(a, b) { equal(a, b); }\ntest('a', () => { same(greet(1), 2); });`,
      `${both}function* same(a, b) { equal(a, b); }\ntest('a', () => { same(greet(1), 2); });`,
    ),
    body(
      'a wait before the step',
      `cart.add(1); expect(cart.total).toBe(1);`,
      `await vi.waitFor(() => expect(cart.total).toBe(1)); cart.add(1);`,
    ),
    body(
      'before the call that it is about',
      `cart.run(save); expect(save).not.toHaveBeenCalled();`,
      `expect(save).not.toHaveBeenCalled(); cart.run(save);`,
    ),
    body(
      'before the step between two assertions',
      `expect(cart.total).toBe(0); const r = cart.add(1); expect(cart.total).toBe(1);`,
      `expect(cart.total).toBe(0); expect(cart.total).toBe(1); const r = cart.add(1);`,
    ),
  ],
  'removed-await': [
    file(
      'a helper that became async, and nothing waits for it',
      `${both}function same(a, b) { equal(a, b); }\ntest('a', () => { same(greet(1), 2); });`,
      `${both}async function same(a, b) { equal(a, b); }\ntest('a', () => { same(greet(1), 2); });`,
    ),
  ],
  'swallowed-error': [
    body('try around a step', `save(1); ${hello}`, `try { save(1); } catch {} ${hello}`),
    body('try around all that a test does', `save(1);`, `try { save(1); } catch {}`),
    body('try around a renamed step', `save(1); ${hello}`, `try { cart.save(1); } catch {} ${hello}`),
    body('catch of a step', `await save(1); ${hello}`, `await save(1).catch(() => {}); ${hello}`),
    body(
      'try around what gives the value',
      `const r = await save(1); expect(cart.total).toBe(r);`,
      `let r; try { r = await save(1); } catch { r = 1; } expect(cart.total).toBe(r);`,
    ),
    body(
      'try in act',
      `await act(async () => { save(1); }); ${hello}`,
      `await act(async () => { try { save(1); } catch {} }); ${hello}`,
    ),
  ],
  'skipped-step': [
    file(
      'a function that takes the steps and was there before',
      `import { createShop, ignore } from '../src/shop.ts';\ntest('a', () => { ignore(); const shop = createShop((x) => { x.list.sort(); }); expect(shop.n).toBe(1); });`,
      `import { ignore } from '../src/shop.ts';\ntest('a', () => { ignore(); const shop = ignore((x) => { x.list.sort(); }); expect(shop.n).toBe(1); });`,
    ),
    file(
      'a function of another module that takes the steps',
      `import { createShop } from '../src/shop.ts';\ntest('a', () => { const shop = createShop((x) => { x.list.sort(); }); expect(shop.n).toBe(1); });`,
      `import { ignore } from '../src/none.ts';\ntest('a', () => { const shop = ignore((x) => { x.list.sort(); }); expect(shop.n).toBe(1); });`,
    ),
    body('allSettled', `await save(1); ${hello}`, `await Promise.allSettled([save(1)]); ${hello}`),
    body('an optional call', `save(1); ${hello}`, `save?.(1); ${hello}`),
    body('an optional member', `cart.add(1); ${hello}`, `cart?.add(1); ${hello}`),
    body('if (false)', `save(1); ${hello}`, `if (false) save(1); ${hello}`),
    body('another condition', `if (cart.on) save(1); ${hello}`, `if (false) save(1); ${hello}`),
    body('a function that is not called', `save(1); ${hello}`, `() => save(1); ${hello}`),
    body('a named function that is not called', `save(1); ${hello}`, `const run = () => save(1); ${hello}`),
    body('a timer', `save(1); ${hello}`, `queueMicrotask(() => save(1)); ${hello}`),
    body('a return before it', `save(1);`, `if (cart.on) return; save(1);`),
  ],
};

export const allowedSteps: readonly Case[] = [
  body('a step in act', `save(1); ${hello}`, `act(() => { save(1); }); ${hello}`),
  file(
    'steps and assertions in a function that is given to what has another name now',
    `import { createShop, greet } from '../src/shop.ts';\ntest('a', () => { const shop = createShop((x) => { x.list.sort(); expect(x.n).toBe(1); }); expect(shop.n).toBe(1); });`,
    `import { greet, makeShop } from '../src/shop.ts';\ntest('a', () => { const shop = makeShop((x) => { x.list.sort(); expect(x.n).toBe(1); }); expect(shop.n).toBe(1); });`,
  ),
  body('a step that is awaited now', `save(1); ${hello}`, `await save(1); ${hello}`),
  body('a step under its new name', `save(1); ${hello}`, `cart.save(1, 2); ${hello}`),
  body(
    'a step in a function that is called',
    `save(1); ${hello}`,
    `const run = () => save(1); run(); ${hello}`,
  ),
  body(
    'steps in a loop over what is written',
    `save(1); save(2); ${hello}`,
    `for (const n of [1, 2]) save(n); ${hello}`,
  ),
  body(
    'steps that are all awaited',
    `await save(1); await save(2); ${hello}`,
    `await Promise.all([save(1), save(2)]); await 1; ${hello}`,
  ),
  body(
    'a step with a clean-up behind it',
    `save(1); ${hello}`,
    `try { save(1); ${hello} } finally { cart.clear(); }`,
  ),
  body(
    'a value that gets a name',
    `expect(greet(save(1))).toBe(1);`,
    `const r = save(1); expect(greet(r)).toBe(1);`,
  ),
  body(
    'a value without its name',
    `const r = save(1); expect(greet(r)).toBe(1);`,
    `expect(greet(save(1))).toBe(1);`,
  ),
  body('a step that is gone with its method', `cart.init(); save(1); ${hello}`, `save(1); ${hello}`),
  body('a step behind the assertions', `save(1); ${hello}`, `save(1); ${hello} cart.clear();`),
  body(
    'a new inner name that nothing else has',
    `const r = greet(1); expect(r).toBe(1);`,
    `const r = greet(1); { const s = r; expect(s).toBe(1); }`,
  ),
  body(
    'a parameter of that name elsewhere in the test',
    `const r = greet(cart); expect(r).toBe(1);`,
    `const all = cart.map((r) => r.id); const r = greet(all); expect(r).toBe(1);`,
  ),
  file(
    'a helper that became async and is awaited',
    `${both}function same(a, b) { equal(a, b); }\ntest('a', async () => { same(greet(1), 2); });`,
    `${both}async function same(a, b) { equal(await a, b); }\ntest('a', async () => { await same(greet(1), 2); });`,
  ),
  body(
    'a caught step that was caught',
    `try { save(1); } catch {} ${hello}`,
    `try { save(1, 2); } catch {} ${hello}`,
  ),
  body(
    'another value in a table that is turned before the loop',
    `Object.entries({ a: 'x', b: 'y' }).forEach(([key, value]) => { save(key); expect(greet(key)).toBe(value); });`,
    `Object.entries({ a: 'x', b: 'z' }).forEach(([key, value]) => { save(key); expect(greet(key)).toBe(value); });`,
  ),
];
