// A small source whose coverage is known exactly, in the module systems and languages of the frameworks, and how coverage is drawn.
import { lineCounts, type FileCoverage, type RunCoverage } from '../../src/core/model/coverage.ts';

const javascript = `const limits = { low: 1, high: 10 };

function grade(value, { strict = false } = {}) {
  if (value > limits.high) {
    return 'high';
  } else if (value < limits.low && !strict) {
    return 'low';
  }
  switch (value) {
    case 5:
      return 'middle';
    default:
      return value % 2 ? 'odd' : 'even';
  }
}

class Cart {
  items = [];
  constructor(owner) {
    this.owner = owner ?? 'nobody';
  }
  add(item) {
    if (!item) throw new Error('nothing');
    this.items.push(item);
    return this;
  }
  get total() {
    return this.items.reduce((sum, { price }) => sum + price, 0);
  }
  clear() {
    this.items.length = 0;
  }
}

const unused = (a) => a || (() => 1);

async function wait(ms) {
  for (let i = 0; i < ms; i++) {
    await null;
    if (i > 1) break;
  }
  try {
    throw new Error('no');
  } catch {
    return ms;
  } finally {
    limits.low = 1;
  }
}
`;

/** `commonJs` ends with one statement more, which runs. */
export const source = {
  commonJs: `${javascript}module.exports = { grade, Cart, unused, wait };\n`,
  module: `${javascript}export { grade, Cart, unused, wait };\n`,
  /** The same places on the same lines, with types between them. */
  typescript: javascript
    .replace('function grade(value, ', 'function grade(value: number, ')
    .replace('{ strict = false } = {})', '{ strict = false }: { strict?: boolean } = {}): string')
    .replace('items = [];', 'items: Priced[] = []; owner?: string;')
    .replace('constructor(owner)', 'constructor(owner?: string)')
    .replace('add(item)', 'add(item: Priced): this')
    .replace('get total()', 'get total(): number')
    .replace('(a) =>', '(a: number) =>')
    .replace('wait(ms)', 'wait(ms: number): Promise<number | undefined>')
    .replace(/$/, 'interface Priced { price: number }\nexport { grade, Cart, unused, wait };\n'),
};

/** What the test does with it. */
export const body =
  "grade(11); grade(5); grade(4); grade(0); await wait(3); new Cart('me').add({ price: 3 }).total;";

/** What every tool counts: `line:count` of lines and functions, `line:count,count…` of branches by their arms. */
export const expected = {
  lines:
    '1:1 4:4 5:1 6:3 7:1 9:2 11:1 13:1 18:1 20:1 23:1 24:1 25:1 28:1 31:0 35:1 38:1 39:3 40:3 42:1 43:1 45:1 47:1',
  functions: '3:4 19:1 22:1 27:1 28:1 30:0 35:0 35:0 37:1',
  branches: '3:4 3:4 4:1,3 6:1,2 6:3,1 9:1,1 13:0,1 20:1,0 23:0,1 35:0,0 40:1,2',
};

/** The line of CommonJS that the modules do not have. */
export const exportLine = ' 50:1';

export function draw(coverage: RunCoverage | undefined, name: string): typeof expected {
  const file = coverage?.files.find((one) => one.file === name);
  if (!file) throw new Error(`no coverage of ${name}: ${coverage?.files.map((one) => one.file).join(', ')}`);
  return drawFile(file);
}

export function drawFile(file: FileCoverage): typeof expected {
  const inOrder = (items: readonly (readonly [line: number, column: number, count: string])[]): string =>
    [...items]
      .sort((a, b) => a[0] - b[0] || a[1] - b[1])
      .map(([line, , count]) => `${line}:${count}`)
      .join(' ');
  return {
    lines: inOrder([...lineCounts(file)].map(([line, count]) => [line, 0, String(count)])),
    functions: inOrder(file.functions.map(({ span, count }) => [span[0], span[1], String(count)])),
    branches: inOrder(
      file.branches.map(({ span, arms }) => [span[0], span[1], arms.map(({ count }) => count).join(',')]),
    ),
  };
}
