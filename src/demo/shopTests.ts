// The sample shop's tests, in the different styles that people write them in.
import type { Files } from './shopSource.ts';
import type { Product, ShopWords } from './shopWords.ts';

/** Every test file, right for the shop as committed. */
export function shopTests(words: ShopWords): Files {
  return {
    'tests/greeting.test.ts': greetingTests(words),
    'tests/money.test.ts': moneyTests(words),
    'tests/pricing.test.ts': pricingTests(words),
    'tests/dates.test.ts': datesTests(words),
    'tests/cart.test.ts': cartTests(words),
    [`tests/${words.skill}.tests.mjs`]: skillTests(words),
  };
}

/** Full titles of the tests that the source bug makes fail, and no edit of a test may make pass. */
export const bugTitles: readonly string[] = [
  'cart › total › adds up the lines',
  'cart › total › takes the discount off a big basket',
];

function greetingTests({ people: [first, , third], greeting, products: [product] }: ShopWords): string {
  return `import { describe, expect, it } from 'vitest';
import { farewell, greet, letter } from '../src/greeting';

const expectedGreeting = '${greeting.old}, ${first}!';

describe('greeting', () => {
  it('greets a customer by name', () => {
    expect(greet('${first}')).toBe('${greeting.old}, ${first}!');
  });

  it('trims the name', () => {
    expect(greet('  ${first} ')).toBe(expectedGreeting);
  });

  it('says goodbye', () => {
    expect(farewell('${third}')).toBe('Goodbye, ${third}.');
  });

  it('starts a letter with the greeting', () => {
    const body = 'Your ${product.name} is on its way.';
    expect(letter('${third}', body)).toBe(\`${greeting.old}, ${third}!\\n\\n\${body}\`);
  });
});
`;
}

function moneyTests({ products: [first, second, third], currency: { symbol } }: ShopWords): string {
  const amount = ({ price }: Product): string => (price / 100).toFixed(2);
  return `import { expect, test } from 'vitest';
import { formatMoney, parseMoney } from '../src/money';

test.each([
  { cents: ${first.price}, text: '${symbol}${amount(first)}' },
  { cents: ${second.price + 1000}, text: '${symbol}${((second.price + 1000) / 100).toFixed(2)}' },
])('formats $cents cents', ({ cents, text }) => {
  expect(formatMoney(cents)).toBe(text);
});

test('reads an amount back', () => {
  expect(parseMoney('${amount(third)}')).toBe(${third.price});
});

test('reads an amount with a currency', () => {
  expect(parseMoney('${symbol}${amount(second)}')).toBe(${second.price});
});
`;
}

function pricingTests({ discount: { from, percent }, discountName: { old } }: ShopWords): string {
  return `import { describe, expect, it } from 'vitest';
import { ${old}, discountRate, withTax } from '../src/pricing';

describe('discountRate', () => {
  it.each([
    [${from - 1}, 0],
    [${from}, ${percent}],
    [${from * 2 - 1}, ${percent}],
    [${from * 2}, ${percent * 2}],
  ])('for %i cents is %i percent', (cents, rate) => {
    expect(discountRate(cents)).toBe(rate);
  });
});

describe('prices', () => {
  it('takes the discount off', () => {
    expect(${old}(${from})).toBe(${Math.round(from * (1 - percent / 100))});
  });

  it('leaves small baskets alone', () => {
    expect(${old}(${from - 100})).toBe(${from - 100});
  });

  it('adds the tax', () => {
    expect(withTax(${from})).toBe(${Math.round(from * 1.2)});
  });
});
`;
}

function datesTests({ day: { year, month, day } }: ShopWords): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  const iso = `${year}-${two(month)}-${two(day)}`;
  return `import { describe, expect, it } from 'vitest';
import { daysBetween, deliveryDate, formatDate } from '../src/dates';

const ordered = new Date('${iso}T00:00:00Z');

describe('dates', () => {
  it('formats a day for the receipt', () => {
    expect(formatDate(ordered)).toBe('${two(day)}/${two(month)}/${year}');
  });

  it('delivers some days after the order', () => {
    const delivered = deliveryDate(ordered, 3);
    expect(delivered.getTime()).toBeGreaterThan(ordered.getTime());
    expect(daysBetween(ordered, delivered)).toBe(3);
  });

  it('counts no days within one day', () => {
    expect(daysBetween(ordered, ordered)).toBe(0);
  });
});
`;
}

function cartTests({ products: [first, second, third], discount, currency: { symbol } }: ShopWords): string {
  const line = ({ name, price }: Product, quantity: number): string =>
    `{ name: '${name}', price: ${price}, quantity: ${quantity} }`;
  const many = Math.ceil((discount.from * 2) / first.price);
  const big = Math.round(many * first.price * (1 - (discount.percent * 2) / 100));
  const small = first.price * 2 + second.price;
  const smallTotal = Math.round(small * (1 - (small >= discount.from ? discount.percent : 0) / 100));
  return `import { describe, expect, it } from 'vitest';
import { addLine, cartTotal, countItems, priceTag, removeLine, type Cart } from '../src/cart';

const cart: Cart = {
  lines: [
    ${line(first, 2)},
    ${line(second, 1)},
  ],
};

describe('cart', () => {
  it('adds a new line', () => {
    expect(addLine({ lines: [] }, ${line(third, 1)})).toEqual({
      lines: [${line(third, 1)}],
    });
  });

  it('merges lines of one product', () => {
    expect(addLine(cart, ${line(second, 3)}).lines[1]).toEqual(${line(second, 4)});
  });

  it('removes a line', () => {
    expect(removeLine(cart, '${first.name}').lines).toEqual([${line(second, 1)}]);
  });

  it('counts items', () => {
    expect(countItems(cart)).toBe(3);
  });

  describe('total', () => {
    it('is nothing for an empty cart', () => {
      expect(cartTotal({ lines: [] })).toBe(0);
    });

    it('adds up the lines', () => {
      expect(cartTotal(cart)).toBe(${smallTotal});
    });

    it('takes the discount off a big basket', () => {
      expect(cartTotal({ lines: [${line(first, many)}] })).toBe(${big});
    });
  });

  it('prints a price tag', () => {
    expect(priceTag(${line(third, 1)})).toEqual({
      name: '${third.name}',
      price: '${symbol}${(third.price / 100).toFixed(2)}',
    });
  });
});
`;
}

function skillTests({ skill, shop, people: [first] }: ShopWords): string {
  return `import assert from 'node:assert/strict';
import { card } from '../skills/${skill}/card.mjs';

export default function runTests() {
  const errors = [];
  let passed = 0;
  const check = (name, body) => {
    try {
      body();
      passed++;
    } catch (error) {
      errors.push(\`\${name}: \${error.message}\`);
    }
  };
  check('names the receiver', () => assert.match(card('${first}'), /^For ${first},/));
  check('names the shop', () => assert.ok(card('${first}').endsWith('${shop}')));
  return { passed, failed: errors.length, errors };
}
`;
}
