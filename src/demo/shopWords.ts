// The names and values of one sample shop, all drawn from a seed.
import { createRandom } from './random.ts';

export interface Product {
  readonly name: string;
  /** Cents. */
  readonly price: number;
}

export interface ShopWords {
  readonly shop: string;
  readonly people: readonly [string, string, string];
  readonly products: readonly [Product, Product, Product];
  /** Sold in bottles: the one product with a deposit after the change. */
  readonly bottled: string;
  /** Cents. */
  readonly deposit: number;
  readonly greeting: { readonly old: string; readonly new: string };
  readonly currency: { readonly symbol: string; readonly code: string };
  /** Spend this many cents and get so many percent off. */
  readonly discount: { readonly from: number; readonly percent: number };
  /** The discount function before and after the change. */
  readonly discountName: { readonly old: string; readonly new: string };
  /** The folder that dates.ts moves into. */
  readonly datesFolder: string;
  readonly day: { readonly year: number; readonly month: number; readonly day: number };
  readonly skill: string;
}

const people = [
  'Ada',
  'Grace',
  'Linus',
  'Margaret',
  'Edsger',
  'Barbara',
  'Alan',
  'Radia',
  'Ken',
  'Frances',
  'Tony',
  'Hedy',
];
const goods = [
  'Green Tea',
  'Coffee',
  'Oat Bar',
  'Honey',
  'Rye Bread',
  'Olives',
  'Apricots',
  'Walnuts',
  'Pickles',
  'Cocoa',
];
const drinks = ['Cola', 'Lemonade', 'Apple Juice', 'Ginger Beer', 'Mineral Water'];

/** The same words for the same seed, on every machine. */
export function shopWords(seed: number): ShopWords {
  const random = createRandom(seed);
  const [first = '', second = '', third = ''] = random.sample(people, 3);
  const [one = '', two = '', three = ''] = random.sample(goods, 3);
  const product = (name: string): Product => ({ name, price: random.integer(3, 38) * 25 });
  return {
    shop: `${random.pick(['Corner', 'Harbour', 'Market', 'Station', 'Village'])} ${random.pick(['Pantry', 'Larder', 'Grocery', 'Deli'])}`,
    people: [first, second, third],
    products: [product(one), product(two), product(three)],
    bottled: random.pick(['Cola', ...drinks]),
    deposit: random.pick([15, 25, 30]),
    greeting: random.pick([
      { old: 'Hi', new: 'Hello' },
      { old: 'Hey', new: 'Welcome' },
      { old: 'Hello', new: 'Good day' },
    ]),
    currency: random.pick([
      { symbol: '€', code: 'EUR' },
      { symbol: '£', code: 'GBP' },
      { symbol: '$', code: 'USD' },
    ]),
    discount: { from: random.integer(4, 9) * 1000, percent: random.pick([5, 10, 20]) },
    discountName: {
      old: random.pick(['applyDiscount', 'withDiscount', 'discounted']),
      new: random.pick(['discountedPrice', 'priceAfterDiscount']),
    },
    datesFolder: random.pick(['calendar', 'time', 'lib']),
    day: { year: random.integer(2021, 2029), month: random.integer(1, 9), day: random.integer(13, 28) },
    skill: random.pick(['gift-wrap', 'gift-note', 'loyalty-card']),
  };
}
