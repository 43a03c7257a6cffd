// Changes of conditions that tests state: which only a person may agree to, and which nobody may make.
import { body, type Case } from './changes.ts';

const says = (name: string, before: string, after: string): Case =>
  body(name, `expect(${before}).toBe(true);`, `expect(${after}).toBe(true);`);

/** Just another literal that asks for as much: found by this rule alone. */
export const proposedPredicates: readonly Case[] = [
  says('a prefix', `greet().startsWith('Found 3 errors')`, `greet().startsWith('Found 3 problems')`),
  says('a suffix', `greet().endsWith('the cart.')`, `greet().endsWith('your cart.')`),
  says('a pattern', `/^Hi, Ada/.test(greet())`, `/^Hello, Ada/.test(greet())`),
  says('an item of a list', `cart().some((x) => x.name === 'tea')`, `cart().some((x) => x.name === 'milk')`),
  says('an equal value', `greet() === 'Hi'`, `greet() === 'Hello'`),
  says('a tighter limit', `cart().length > 3`, `cart().length > 4`),
  says('a centre', `Math.abs(cart() - 1.5) < 0.01`, `Math.abs(cart() - 1.73) < 0.01`),
  body('in assert', `assert.ok(greet().includes('a cart'));`, `assert.ok(greet().includes('a basket'));`),
  body(
    'behind a name',
    `const text = 'Hi, Ada'; assert(greet().startsWith(text));`,
    `const text = 'Hello, Ada'; assert(greet().startsWith(text));`,
  ),
];

export const forbiddenPredicates: Readonly<Record<string, readonly Case[]>> = {
  'changed-predicate': proposedPredicates,
  'weaker-matcher': [
    says('a shorter prefix', `greet().startsWith('Hi, Ada')`, `greet().startsWith('Hi')`),
    says('an empty part', `greet().includes('Hi, Ada')`, `greet().includes('')`),
    says('fewer words', `greet().startsWith('Found 3 errors')`, `greet().startsWith('Found problems')`),
    says('a wider pattern', `/^Hi, Ada$/.test(greet())`, `/Hi, Ada/.test(greet())`),
    says('a pattern for all', `/^Hi, Ada$/.test(greet())`, `/^.*$/.test(greet())`),
    says('a larger tolerance', `Math.abs(cart() - 1.5) < 0.01`, `Math.abs(cart() - 1.5) < 1`),
    says('a computed tolerance', `Math.abs(cart() - 1.5) < 0.01`, `Math.abs(cart() - 1.5) < cart()`),
    says(
      'a shorter text of an item',
      `cart().some((x) => x.includes('red tea'))`,
      `cart().some((x) => x.includes('tea'))`,
    ),
    body(
      'a shorter text behind a name',
      `const text = 'Hi, Ada'; assert(greet().startsWith(text));`,
      `const text = 'Hi'; assert(greet().startsWith(text));`,
    ),
    body('in assert', `assert.ok(greet().includes('Hi, Ada'));`, `assert.ok(greet().includes('Hi'));`),
  ],
  'weakened-subject': [
    says('anywhere instead of at the start', `greet().startsWith('Hi')`, `greet().includes('Hi')`),
    says('a prefix instead of the whole', `greet() === 'Hi, Ada'`, `greet().startsWith('Hi, Ada')`),
    says('a limit that may be met', `cart().length > 3`, `cart().length >= 3`),
    says('a limit instead of the number', `cart() === 3`, `cart() <= 3`),
    says('a place from which it counts', `greet().startsWith('Hi')`, `greet().startsWith('', 2)`),
    body(
      'what must not be',
      `expect(greet().includes('secret')).toBe(false);`,
      `expect(greet().includes('hidden')).toBe(false);`,
    ),
  ],
  'computed-expectation': [
    says('what the code itself gives', `greet('a').startsWith('Hi')`, `greet('a').startsWith(greet('a'))`),
  ],
  widened: [
    says('a lower limit', `cart().length > 3`, `cart().length > 2`),
    says('a higher limit', `cart() < 1.5`, `cart() < 1.6`),
  ],
  inverted: [
    says('true and false', `cart().open === true`, `cart().open === false`),
    says('the other direction', `cart() > 3`, `cart() < 3`),
  ],
  'changed-type': [says('a text for a number', `cart() === 3`, `cart() === '3'`)],
};

export const allowedPredicates: readonly Case[] = [
  says('a smaller tolerance', `Math.abs(cart() - 1.5) < 0.01`, `Math.abs(cart() - 1.5) < 0.001`),
  says('other quotes', `greet().startsWith('Hi')`, `greet().startsWith("Hi")`),
  body(
    'an equality in place of a condition',
    `expect(greet() === 'Hi').toBe(true);`,
    `expect(greet()).toBe('Hi');`,
  ),
];
