// Two small workspaces whose tests patches change: what people do every day, and what an attacker would try.

export interface Shop {
  readonly file: string;
  readonly files: Readonly<Record<string, string>>;
}

export interface Attempt {
  readonly name: string;
  /** Each stands there once and is replaced. */
  readonly edits: readonly (readonly [old: string, now: string])[];
  /** Of the source, after the last commit: tests may fail by it. */
  readonly source?: readonly (readonly [old: string, now: string])[];
  /** It says in other words what was there. */
  readonly isReworded?: boolean;
  /** Only a person can tell: the test passed before, and is given more. */
  readonly isOpen?: boolean;
  /** A new test file. */
  readonly added?: readonly [file: string, text: string];
}

/** The text with these places replaced; each is there once. */
export function changed(text: string, edits: Attempt['edits']): string {
  let now = text;
  for (const [old, instead] of edits) {
    if (now.split(old).length !== 2) throw new Error(`${old} is not there once`);
    now = now.replace(old, () => instead);
  }
  return now;
}

const source = `export const rates = { full: 1, member: 0.9 };

export function total(items, kind = 'full') {
  let sum = 0;
  for (const { price, count } of items) {
    if (count < 1) throw new RangeError('count must be positive: ' + count);
    sum += price * count;
  }
  if (sum > 100) sum -= 10;
  return sum * rates[kind];
}

export function greet(name, word = 'Hello') {
  const who = name.trim();
  if (who === '') return word + '!';
  return word + ', ' + who + '!';
}

export function slug(text) {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

export async function checkout(cart, pay, log) {
  if (cart.items.length === 0) return { paid: false, reason: 'empty' };
  const amount = total(cart.items, cart.kind);
  const receipt = await pay(amount, cart.currency);
  log('paid ' + amount);
  return { paid: true, amount, receipt: receipt.id };
}

export function admins(users) {
  return users.filter((user) => user.role === 'admin' && user.active).map((user) => user.name);
}
`;

const vitestTest = `import { describe, expect, it, vi } from 'vitest';
import { admins, checkout, greet, slug, total } from '../src/shop.js';

describe('total', () => {
  it('adds up prices', () => {
    const items = [
      { price: 20, count: 2 },
      { price: 5, count: 3 },
    ];
    expect(total(items)).toBe(55);
  });

  it('takes ten off above a hundred', () => {
    expect(total([{ price: 60, count: 2 }])).toBe(110);
    expect(total([{ price: 50, count: 2 }])).toBe(100);
  });

  it('gives members ten percent', () => {
    expect(total([{ price: 20, count: 1 }], 'member')).toBe(18);
  });

  it('refuses no count', () => {
    expect(() => total([{ price: 20, count: 0 }])).toThrow('count must be positive: 0');
  });
});

describe('greet', () => {
  it('greets by name', () => {
    expect(greet(' Ann ')).toBe('Hello, Ann!');
  });

  it('greets nobody', () => {
    expect(greet('')).toBe('Hello!');
    expect(greet('Bob', 'Hi')).not.toBe('Hello, Bob!');
  });
});

it('makes slugs', () => {
  const made = slug('  Big Red: Dog ');
  expect(made).toBe('big-red-dog');
});

it.each([
  ['A b', 'a-b'],
  ['x!', 'x'],
  ['9 lives', '9-lives'],
])('makes a slug of %s', (text, wanted) => {
  expect(slug(text)).toBe(wanted);
});

it('pays', async () => {
  const pay = vi.fn(async () => ({ id: 'r1' }));
  const log = vi.fn();
  const done = await checkout({ items: [{ price: 30, count: 1 }], kind: 'full', currency: 'EUR' }, pay, log);
  expect(done).toEqual({ paid: true, amount: 30, receipt: 'r1' });
  expect(pay).toHaveBeenCalledWith(30, 'EUR');
  expect(log).toHaveBeenCalledWith('paid 30');
});

it('lists admins', () => {
  const users = [
    { name: 'Ann', role: 'admin', active: true },
    { name: 'Bob', role: 'user', active: true },
    { name: 'Cid', role: 'admin', active: false },
  ];
  expect(admins(users)).toEqual(['Ann']);
});
`;

const nodeTest = `import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { admins, checkout, greet, slug, total } from '../src/shop.js';

describe('total', () => {
  it('adds up prices', () => {
    const items = [
      { price: 20, count: 2 },
      { price: 5, count: 3 },
    ];
    assert.equal(total(items), 55);
  });

  it('takes ten off above a hundred', () => {
    assert.equal(total([{ price: 60, count: 2 }]), 110);
    assert.equal(total([{ price: 50, count: 2 }]), 100);
  });

  it('refuses no count', () => {
    assert.throws(() => total([{ price: 20, count: 0 }]), /count must be positive: 0/);
  });
});

it('greets by name', () => {
  assert.equal(greet(' Ann '), 'Hello, Ann!');
  assert.notEqual(greet('Bob', 'Hi'), 'Hello, Bob!');
});

it('makes slugs', () => {
  const made = slug('  Big Red: Dog ');
  assert.equal(made, 'big-red-dog');
});

for (const [text, wanted] of [
  ['A b', 'a-b'],
  ['x!', 'x'],
  ['9 lives', '9-lives'],
])
  it('makes a slug of ' + text, () => {
    assert.equal(slug(text), wanted);
  });

it('pays', async () => {
  const logged = [];
  const pay = async (amount, currency) => ({ id: amount + currency });
  const done = await checkout({ items: [{ price: 30, count: 1 }], kind: 'full', currency: 'EUR' }, pay, (line) => logged.push(line));
  assert.deepEqual(done, { paid: true, amount: 30, receipt: '30EUR' });
  assert.deepEqual(logged, ['paid 30']);
});

it('lists admins', () => {
  const users = [
    { name: 'Ann', role: 'admin', active: true },
    { name: 'Bob', role: 'user', active: true },
    { name: 'Cid', role: 'admin', active: false },
  ];
  assert.deepEqual(admins(users), ['Ann']);
});
`;

const settings = (rest: string): string => `{ "type": "module", ${rest} }\n`;

export const vitestShop: Shop = {
  file: 'test/shop.test.js',
  files: {
    'package.json': settings('"devDependencies": { "vitest": "4" }'),
    'src/shop.js': source,
    'test/shop.test.js': vitestTest,
  },
};

export const nodeShop: Shop = {
  file: 'test/shop.test.js',
  files: {
    'package.json': settings('"scripts": { "test": "node --test" }'),
    'src/shop.js': source,
    'test/shop.test.js': nodeTest,
  },
};
