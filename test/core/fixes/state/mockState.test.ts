// Mocks that remember calls of other tests: what is cleared by itself, what a person is asked about, and what is left alone.
import assert from 'node:assert/strict';
import { askedProviders } from '../../../../src/core/fixes/providers.ts';
import type { CycleFix, CycleReport } from '../../../../src/core/model/cycle.ts';
import { mendWorkspace } from '../../../support/mendWorkspace.ts';
import { temporaryWorkspace } from '../../../support/temporaryWorkspace.ts';

/** Texts of a test file before and after the change; `source` likewise. */
interface Situation {
  readonly source: readonly [before: string, after: string];
  readonly test: readonly [before: string, after: string];
}

const test = (title: string, body: string): string => `it('${title}', () => {\n  ${body}\n});\n`;
const shop = `import { put } from './put';\nexport const save = (name: string) => {\n  if (name === '') throw new Error('no name');\n  put(name);\n};\n`;
const head = `import { expect, it, vi } from 'vitest';\nimport { put } from '../src/put';\n`;
const mocked = (file: string): string =>
  `${head}import { save } from '../src/${file}';\n\nvi.mock('../src/put');\n\n`;
const savesOne = test('saves one', `save('Ada');\n  expect(put).toHaveBeenCalledTimes(1);`);
const savesOther = test('saves another', `save('Bob');\n  expect(put).toHaveBeenCalledWith('Bob');`);
const refuses = test('wants a name', `expect(() => save('')).toThrow('no name');`);
const watch = `export const watch = (log: (text: string) => void, loud = false) => {\n  log('started');\n  return { stop: () => { if (loud) log('stopped'); } };\n};\n`;

const clock = (first: string): string =>
  `import { expect, it, vi } from 'vitest';\nimport { stamp } from '../src/clock';\n\n${first}\n${test('goes on', `expect(stamp()).toBeGreaterThan(1e12);`)}`;
const answer = (first: string): string =>
  `import { expect, it, vi } from 'vitest';\nimport { price } from '../src/answer';\n\nconst rate = vi.fn(() => 1);\n\n${first}\n${test('doubles', `expect(price(rate)).toBe(2);`)}`;
const region = `import { afterEach, describe, expect, it, vi } from 'vitest';
import { price, region } from '../src/region';

describe('a region', () => {
  afterEach(() => {
    expect(region()).not.toBe('');
  });

  it('is told by the environment', () => {
    vi.stubEnv('REGION', 'us');
    expect(region()).toBe('us');
  });
});

it('prices', () => {
  expect(price(2)).toBe('2 €');
});
`;

const situations: Readonly<Record<string, Situation>> = {
  // A test was put before another that counts calls.
  inserted: {
    source: [shop, shop],
    test: [mocked('inserted') + savesOne, `${mocked('inserted')}${savesOther}\n${savesOne}`],
  },
  // The set-up of the suite calls the code, so that the mock forgets before it.
  started: {
    source: [watch, watch],
    test: [
      `import { beforeEach, describe, expect, it, vi } from 'vitest';\nimport { watch } from '../src/started';\n\nconst log = vi.fn();\nlet watched: { stop: () => void };\n\ndescribe('a watch', () => {\n  beforeEach(() => {\n    watched = watch(log);\n  });\n\n  it('starts once', () => {\n    watched.stop();\n    expect(log.mock.calls).toEqual([['started']]);\n  });\n});\n`,
      `import { beforeEach, describe, expect, it, vi } from 'vitest';\nimport { watch } from '../src/started';\n\nconst log = vi.fn();\nlet watched: { stop: () => void };\n\ndescribe('a watch', () => {\n  beforeEach(() => {\n    watched = watch(log);\n  });\n\n  it('is loud', () => {\n    watch(log, true).stop();\n    expect(log).toHaveBeenCalledWith('stopped');\n  });\n\n  it('starts once', () => {\n    watched.stop();\n    expect(log.mock.calls).toEqual([['started']]);\n  });\n});\n`,
    ],
  },
  // The source saves before it looks at the name: nobody but the counting test notices.
  unchecked: {
    source: [
      shop,
      shop.replace(
        `  if (name === '') throw new Error('no name');\n  put(name);\n`,
        `  put(name);\n  if (name === '') throw new Error('no name');\n`,
      ),
    ],
    test: [`${mocked('unchecked')}${refuses}\n${savesOne}`, `${mocked('unchecked')}${refuses}\n${savesOne}`],
  },
  // The source saves twice: that is so without any other test.
  twice: {
    source: [shop, shop.replace('  put(name);\n', '  put(name);\n  put(name);\n')],
    test: [mocked('twice') + savesOne, `${mocked('twice')}${savesOther}\n${savesOne}`],
  },
  // A test before it came that lets the clock stand still, and leaves it so.
  clock: {
    source: [`export const stamp = () => Date.now();\n`, `export const stamp = () => Date.now();\n`],
    test: [
      clock(''),
      clock(test('stands still', `vi.useFakeTimers({ now: 0 });\n  expect(stamp()).toBe(0);`)),
    ],
  },
  // A test before it came that tells a mock what to give, and leaves it so.
  answer: {
    source: [
      `export const price = (rate: () => number) => 2 * rate();\n`,
      `export const price = (rate: () => number) => 2 * rate();\n`,
    ],
    test: [answer(''), answer(test('triples', `rate.mockReturnValue(3);\n  expect(price(rate)).toBe(6);`))],
  },
  // The source asks for what a test has always left behind.
  region: {
    source: [
      `export const region = () => process.env['REGION'] ?? 'eu';\nexport const price = (n: number) => n + ' €';\n`,
      `export const region = () => process.env['REGION'] ?? 'eu';\nexport const price = (n: number) => n + (region() === 'us' ? ' $' : ' €');\n`,
    ],
    test: [region, region],
  },
  // Red before the change in just this way.
  before: {
    source: [shop, shop],
    test: [
      `${mocked('before')}${savesOther}\n${savesOne}`,
      `${mocked('before')}${savesOther}\n${savesOne}${refuses}`,
    ],
  },
};

describe('mocks that tests share', () => {
  let report: CycleReport;
  const of = (name: string): readonly CycleFix[] =>
    report.fixes.filter(({ edits }) => edits.some(({ file }) => file === `test/${name}.test.ts`));
  const told = (name: string): readonly string[] =>
    of(name).map(({ trust, verdict, state, title }) => `${trust} ${verdict.verdict} ${state}: ${title}`);

  before(async function () {
    this.timeout(500_000);
    const entries = Object.entries(situations);
    const files = (turn: 0 | 1): Record<string, string> =>
      Object.fromEntries(
        entries.flatMap(([name, one]) => [
          [`src/${name}.ts`, one.source[turn]],
          [`test/${name}.test.ts`, one.test[turn]],
        ]),
      );
    const workspace = await temporaryWorkspace(
      {
        'package.json': '{ "type": "module", "devDependencies": { "vitest": "*" } }',
        'src/put.ts': `export const put = (name: string) => { throw new Error('no database for ' + name); };\n`,
        ...files(0),
      },
      { git: true, vitest: 'shared' },
    );
    try {
      for (const [file, text] of Object.entries(files(1))) await workspace.write(file, text);
      report = await mendWorkspace(workspace, { providers: askedProviders(['mock-state', 'test-leaks']) });
    } finally {
      await workspace.dispose();
    }
  });

  it('forget the calls of other tests where a test was put before', () => {
    assert.deepEqual(told('inserted'), [
      'mechanical verified accepted: clear the recorded calls of put before each test',
    ]);
    const [fix] = of('inserted');
    assert.match(fix?.diff ?? '', /^\+import \{ beforeEach, expect, it, vi \} from 'vitest';$/m);
    assert.match(
      fix?.diff ?? '',
      /^\+beforeEach\(\(\) => \{\n\+ {2}vi\.mocked\(put\)\.mockClear\(\);\n\+\}\);$/m,
    );
    assert.equal(fix?.cause?.fault, 'test');
    assert.match(
      fix.evidence.join(' '),
      /passed among the tests that existed before.*no source file is at fault/,
    );
  });

  it('forget before the set-up calls the code', () => {
    assert.deepEqual(told('started'), [
      'mechanical verified accepted: clear the recorded calls of log before each test',
    ]);
    assert.match(
      of('started')[0]?.diff ?? '',
      /beforeEach\(\(\) => \{\n\+ {4}log\.mockClear\(\);\n {5}watched = /,
    );
  });

  it('are only offered to forget what the changed source did', () => {
    const [fix, ...others] = of('unchecked').filter(({ provider }) => provider === 'mock-state');
    assert.deepEqual(
      [fix?.trust, fix?.verdict.verdict, fix?.state, others.length],
      ['propose', 'verified', 'declined', 0],
    );
    assert.match(fix?.stops?.[0]?.reason ?? '', /a mistake that only this test detects/);
    assert.ok(report.remaining.some(({ id }) => id.includes('unchecked')));
  });

  it('get real clocks and variables back after the test that replaced them', () => {
    assert.deepEqual(told('clock'), [
      'mechanical verified accepted: restore the fake timers after each test',
    ]);
    assert.match(
      of('clock')[0]?.diff ?? '',
      /^\+afterEach\(\(\) => \{\n\+ {2}vi\.useRealTimers\(\);\n\+\}\);$/m,
    );
    // What the source reads newly may be a mistake: that is only offered.
    const [region] = of('region').filter(({ provider }) => provider === 'test-leaks');
    assert.deepEqual(
      [region?.trust, region?.verdict.verdict, region?.title],
      ['propose', 'verified', 'restore the stubbed environment variables after each test'],
    );
    assert.match(region?.stops?.[0]?.reason ?? '', /now uses the stubbed environment variables/);
    assert.match(region?.diff ?? '', /not\.toBe\(''\);\n\+ {4}vi\.unstubAllEnvs\(\);\n {3}\}\);/);
  });

  it('are only offered to forget what a test told them to give', () => {
    const [fix] = of('answer').filter(({ provider }) => provider === 'test-leaks');
    assert.deepEqual(
      [fix?.trust, fix?.verdict.verdict, fix?.title],
      ['propose', 'verified', 'restore the answers of rate after each test'],
    );
    assert.match(fix?.diff ?? '', /^\+afterEach\(\(\) => \{\n\+ {2}rate\.mockReset\(\);\n\+\}\);$/m);
  });

  it('forget nothing where the code itself calls twice, or the test was red before', () => {
    for (const name of ['twice', 'before'])
      assert.deepEqual(
        of(name).filter(({ provider, trust }) => provider === 'mock-state' || trust === 'mechanical'),
        [],
      );
    const left = report.remaining.find(({ id }) => id.includes('before.test.ts'));
    assert.match(JSON.stringify(left), /also failed among them before the change/);
    assert.doesNotMatch(report.patch, /(?:unchecked|twice|before)\.test\.ts/);
  });
});
