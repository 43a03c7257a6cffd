// Examples of fixers that are about what vitest or jest brings: snapshots, mocks, fake timers, types.
import type { ExampleGroup, FixerExample } from './fixerExamples.ts';

const snapshotTest = `import { expect, it } from 'vitest';
import { card } from '../src/card';

it('is a card', () => {
  expect(card('Ada')).toMatchSnapshot();
});
`;
const stored = (text: string): string =>
  `// Vitest Snapshot v1, https://vitest.dev/guide/snapshot.html\n\nexports[\`is a card 1\`] = \`"${text}"\`;\n`;
const snapshot: FixerExample = {
  fixer: 'snapshot',
  since: '0.2',
  trust: 'oracle',
  lowered: '*propose* by a stop',
  sources: {
    'src/card.ts': [
      'export const card = (name: string) => `Hi, ${name}`;\n',
      'export const card = (name: string) => `Hello, ${name}`;\n',
    ],
  },
  test: {
    file: 'test/__snapshots__/card.test.ts.snap',
    before: stored('Hi, Ada'),
    after: stored('Hello, Ada'),
  },
  files: { 'test/card.test.ts': snapshotTest },
};

const saves = (retries: number): string => `import { expect, it, vi } from 'vitest';
import { store } from '../src/store';

it('saves the cart', () => {
  const save = vi.fn();
  store(save);
  expect(save).toHaveBeenCalledWith('cart', { retries: ${retries} });
});
`;
const stores = (retries: number): string =>
  `export const store = (save: (key: string, options: object) => void) => save('cart', { retries: ${retries} });\n`;
const mockCall: FixerExample = {
  fixer: 'mock-call',
  since: '0.2',
  trust: 'oracle',
  lowered: '*propose* for another number of calls, and for lost arguments',
  sources: { 'src/store.ts': [stores(3), stores(5)] },
  test: { file: 'test/store.test.ts', before: saves(3), after: saves(5) },
};

const priced = (factory: string): string => `import { expect, it, vi } from 'vitest';
import { price } from '../src/price.js';

vi.mock('../src/rates.js', ${factory});

it('is a price', () => {
  expect(price(2)).toBe(6);
});
`;
const mockFactory: FixerExample = {
  fixer: 'mock-factories',
  since: '0.3',
  trust: 'oracle',
  sources: {
    'src/price.js': [
      `import { rate } from './rates.js';\nexport const price = (n) => n * rate();\n`,
      `import { rate, round } from './rates.js';\nexport const price = (n) => round(n * rate());\n`,
    ],
  },
  test: {
    file: 'test/price.test.js',
    before: priced('() => ({ rate: () => 3 })'),
    after: priced('async (importOriginal) => ({ ...(await importOriginal()), rate: () => 3 })'),
  },
  files: {
    'src/rates.js': 'export const rate = () => 2;\nexport const round = (n) => Math.round(n);\n',
  },
};

const published = (assertion: string, test = '() =>'): string => `import { expect, it, vi } from 'vitest';
import { publish } from '../src/publish';

it('sends the text', ${test} {
  const send = vi.fn();
  publish(send, 'a');
  ${assertion}
});
`;
const waiting: FixerExample = {
  fixer: 'waiting',
  since: '0.3',
  trust: 'propose',
  sources: {
    'src/publish.ts': [
      'export const publish = (send: (text: string) => void, text: string) => {\n  send(text);\n};\n',
      'export const publish = (send: (text: string) => void, text: string) => {\n  queueMicrotask(() => send(text));\n};\n',
    ],
  },
  test: {
    file: 'test/publish.test.ts',
    before: published(`expect(send).toHaveBeenCalledWith('a');`),
    after: published(`await vi.waitFor(() => expect(send).toHaveBeenCalledWith('a'));`, 'async () =>'),
  },
};

const counts = (
  more: string,
  forgets = '',
): string => `import { ${forgets === '' ? '' : 'beforeEach, '}expect, it, vi } from 'vitest';
import { save } from '../src/save';
import { put } from '../src/put';

vi.mock('../src/put');
${forgets}
${more}it('saves one', () => {
  save('Ada');
  expect(put).toHaveBeenCalledTimes(1);
});
`;
const savesAnother = `it('saves another', () => {
  save('Bob');
  expect(put).toHaveBeenCalledWith('Bob');
});

`;
const mockState: FixerExample = {
  fixer: 'mock-state',
  since: '0.3',
  trust: 'mechanical',
  lowered: '*propose* where the changed source made the calls',
  sources: {},
  test: {
    file: 'test/save.test.ts',
    committed: counts(''),
    before: counts(savesAnother),
    after: counts(
      savesAnother,
      `
beforeEach(() => {
  vi.mocked(put).mockClear();
});
`,
    ),
  },
  files: {
    'src/put.ts': 'export const put = (name: string): string => name;\n',
    'src/save.ts': `import { put } from './put';\nexport const save = (name: string) => put(name);\n`,
  },
};

const stamps = (
  more: string,
): string => `import { ${more.includes('afterEach') ? 'afterEach, ' : ''}expect, it, vi } from 'vitest';
import { stamp } from '../src/stamp';

${more}it('goes on', () => {
  expect(stamp()).toBeGreaterThan(1e12);
});
`;
const standsStill = `it('stands still', () => {
  vi.useFakeTimers({ now: 0 });
  expect(stamp()).toBe(0);
});

`;
const testLeaks: FixerExample = {
  fixer: 'test-leaks',
  since: '0.3',
  trust: 'mechanical',
  lowered: '*propose* where the changed source looks at it newly, and for answers of mocks',
  sources: {},
  test: {
    file: 'test/stamp.test.ts',
    committed: stamps(''),
    before: stamps(standsStill),
    after: stamps(`afterEach(() => {
  vi.useRealTimers();
});

${standsStill}`),
  },
  files: { 'src/stamp.ts': 'export const stamp = () => Date.now();\n' },
};

export const vitestExamples: ExampleGroup = {
  name: 'vitest',
  files: {
    'package.json': '{"type":"module","devDependencies":{"vitest":"*"}}',
    'vitest.config.js': 'export default { test: { isolate: false } };\n',
  },
  packages: ['vitest', 'vite'],
  examples: [snapshot, mockCall, mockFactory, waiting, mockState, testLeaks],
};

const typed = (kind: string): string => `import { expect, it } from '@jest/globals';
import { soup } from '../src/soup';

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Expect<T extends true> = T;

it('is a dish', () => {
  type t = Expect<Equal<typeof soup.kind, '${kind}'>>;
  expect(soup.hot).toBe(true);
});
`;
const dish = (kind: string): string =>
  `export const soup: { kind: '${kind}'; hot: boolean } = { kind: '${kind}', hot: true };\n`;
const types: FixerExample = {
  fixer: 'types',
  since: '0.3',
  trust: 'oracle',
  lowered: '*propose* for a wider type',
  sources: { 'src/soup.ts': [dish('stew'), dish('soup')] },
  test: { file: 'test/soup.test.ts', before: typed('stew'), after: typed('soup') },
};

export const jestExamples: ExampleGroup = {
  name: 'jest',
  files: {
    'package.json':
      '{"jest":{"preset":"ts-jest"},"devDependencies":{"jest":"*","ts-jest":"*","typescript":"*"}}',
    'tsconfig.json':
      '{"compilerOptions":{"strict":true,"module":"commonjs","target":"es2022","types":[],"lib":["es2022"],"skipLibCheck":true}}',
  },
  packages: ['jest', 'ts-jest', 'typescript', '@types', '@jest'],
  examples: [types],
};
