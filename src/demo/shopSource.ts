// The sample shop's own code: as committed, and after somebody changed it.
import type { ShopWords } from './shopWords.ts';

export type Files = Readonly<Record<string, string>>;

/** Every file of the shop that is not a test, as of its only commit. */
export function shopSource(words: ShopWords): Files {
  return {
    'package.json': packageJson(words),
    'tsconfig.json': `{ "compilerOptions": { "target": "ES2022", "module": "ESNext", "moduleResolution": "Bundler", "strict": true } }\n`,
    '.gitignore': 'node_modules\n',
    'src/greeting.ts': greeting(words.greeting.old),
    'src/money.ts': money(`\`${words.currency.symbol}\${amount}\``),
    'src/pricing.ts': pricing(words, words.discountName.old),
    'src/dates.ts': dates('`${two(day.getUTCDate())}/${two(day.getUTCMonth() + 1)}/${day.getUTCFullYear()}`'),
    'src/cart.ts': cart(words, words.discountName.old, false),
    ...skill(words),
  };
}

/** What the change leaves behind; `null` means the file is gone. */
export function changedSource(words: ShopWords): Readonly<Record<string, string | null>> {
  return {
    'src/greeting.ts': greeting(words.greeting.new),
    'src/money.ts': money(`\`\${amount} ${words.currency.code}\``),
    'src/pricing.ts': pricing(words, words.discountName.new),
    'src/dates.ts': null,
    [`src/${words.datesFolder}/dates.ts`]: dates('day.toISOString().slice(0, 10)'),
    'src/cart.ts': cart(words, words.discountName.new, true),
  };
}

function packageJson(words: ShopWords): string {
  const name = words.shop.toLowerCase().replaceAll(' ', '-');
  const content = {
    name,
    private: true,
    type: 'module',
    scripts: { test: 'vitest run' },
    devDependencies: { vitest: '^4.0.0' },
  };
  return JSON.stringify(content, undefined, 2) + '\n';
}

const greeting = (word: string): string => `/** The line on top of every letter and page. */
export function greet(name: string): string {
  return \`${word}, \${name.trim()}!\`;
}

export function farewell(name: string): string {
  return \`Goodbye, \${name.trim()}.\`;
}

export function letter(name: string, body: string): string {
  return \`\${greet(name)}\\n\\n\${body}\`;
}
`;

const money = (format: string): string => `/** An amount of cents as customers read it. */
export function formatMoney(cents: number): string {
  const amount = (cents / 100).toFixed(2);
  return ${format};
}

export function parseMoney(text: string): number {
  return Math.round(Number(text.replace(/[^\\d.-]/g, '')) * 100);
}
`;

const pricing = ({ discount }: ShopWords, name: string): string => `export const taxRate = 0.2;

/** Percent off for a basket worth so many cents. */
export function discountRate(cents: number): number {
  if (cents >= ${discount.from * 2}) return ${discount.percent * 2};
  return cents >= ${discount.from} ? ${discount.percent} : 0;
}

export function ${name}(cents: number): number {
  return Math.round(cents * (1 - discountRate(cents) / 100));
}

export function withTax(cents: number): number {
  return Math.round(cents * (1 + taxRate));
}
`;

const dates = (format: string): string => `const dayMs = 24 * 60 * 60 * 1000;
${format.includes('two(') ? "const two = (value: number): string => String(value).padStart(2, '0');\n" : ''}
export function formatDate(day: Date): string {
  return ${format};
}

export function deliveryDate(ordered: Date, days: number): Date {
  return new Date(ordered.getTime() + days * dayMs);
}

export function daysBetween(from: Date, to: Date): number {
  return Math.round((to.getTime() - from.getTime()) / dayMs);
}
`;

/** After the change every line adds its deposit, which only one product has: the others add undefined * quantity. */
const cart = (
  words: ShopWords,
  discount: string,
  withDeposit: boolean,
): string => `import { formatMoney } from './money';
import { ${discount} } from './pricing';

interface Line {
  name: string;
  /** Cents. */
  price: number;
  quantity: number;
}

export interface Cart {
  lines: Line[];
}
${withDeposit ? `\n/** Cents on every bottle. */\nconst deposits: Record<string, number> = { '${words.bottled}': ${words.deposit} };\n` : ''}
export function addLine(cart: Cart, line: Line): Cart {
  const same = cart.lines.find((other) => other.name === line.name);
  if (!same) return { lines: [...cart.lines, line] };
  const merged = { ...same, quantity: same.quantity + line.quantity };
  return { lines: cart.lines.map((other) => (other === same ? merged : other)) };
}

export function removeLine(cart: Cart, name: string): Cart {
  return { lines: cart.lines.filter((line) => line.name !== name) };
}

export function countItems(cart: Cart): number {
  return cart.lines.reduce((sum, line) => sum + line.quantity, 0);
}

export function cartTotal(cart: Cart): number {
  const sum = cart.lines.reduce((total, line) => total + ${withDeposit ? '(line.price + deposits[line.name])' : 'line.price'} * line.quantity, 0);
  return ${discount}(sum);
}

export function priceTag(line: Line): { name: string; price: string } {
  return { name: line.name, price: formatMoney(line.price) };
}
`;

function skill({ skill, shop }: ShopWords): Files {
  return {
    [`skills/${skill}/SKILL.md`]: `---\nname: ${skill}\ndescription: Writes the card that goes into a parcel of ${shop}.\n---\n\n# ${skill}\n\nCall \`card(name)\` and print what it returns.\n`,
    [`skills/${skill}/card.mjs`]: `export function card(name) {\n  return \`For \${name}, with love from ${shop}\`;\n}\n`,
  };
}
