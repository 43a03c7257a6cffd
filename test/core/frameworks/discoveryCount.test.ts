// The count of what discovery finds (npm run bench:discovery) on a workspace where every kind of test is known beforehand.
import assert from 'node:assert/strict';
import {
  compare,
  figuresOf,
  type Comparison,
  type OurTest,
  type Written,
} from '../../bench/discovery/compare.ts';
import { measureProject } from '../../bench/discovery/measure.ts';
import type { RunnerTest } from '../../bench/discovery/runnerLists.ts';
import { missList } from '../../bench/discovery/tables.ts';
import { writtenTests } from '../../bench/discovery/writtenTests.ts';
import { temporaryWorkspace } from '../../support/temporaryWorkspace.ts';

const cart = `import { describe, expect, it as spec } from 'vitest';
const named = 'late';
describe('cart', () => {
  spec('adds', () => {});
  spec.skip('removes', () => {});
  spec(\`is \${named}\`, () => {});
  spec.each([1, 2])('holds %i', () => {});
  for (const size of ['small', 'large']) spec('fits', () => {});
});
function shared(): void {
  spec('is shared', () => {});
}
describe('basket', shared);
describe('bag', () => shared());
`;
const told = [
  ['cart › adds', 4],
  ['cart › removes', 5],
  ['cart › is late', 6],
  ['cart › holds 1', 7],
  ['cart › holds 2', 7],
  ['cart › fits', 8],
  ['cart › fits', 8],
  ['basket › is shared', 11],
  ['bag › is shared', 11],
] as const;

describe('counting what discovery finds', () => {
  it("counts vitest's own list: what is written out, and what templates, tables, loops and helpers make", async () => {
    const workspace = await temporaryWorkspace(
      { 'package.json': '{ "devDependencies": { "vitest": "^4" } }', 'cart.test.ts': cart },
      { vitest: true, git: true },
    );
    try {
      const [measured] = await measureProject(workspace.root, {});
      assert.ok(measured);
      assert.equal(measured.framework, 'vitest');
      const { comparison } = measured;
      assert.deepEqual(
        comparison.verdicts.map(({ test }) => [test.names.join(' › '), test.line]),
        told.map((one) => [...one]),
      );
      assert.deepEqual(reasons(comparison), [
        undefined,
        undefined,
        'the title of this test is computed (line 6)',
        'a table makes this test (line 7)',
        'a table makes this test (line 7)',
        'a loop declares it (line 8)',
        'a loop declares it (line 8)',
        'a function declares it, where it is called (line 10)',
        'a function declares it, where it is called (line 10)',
      ]);
      assert.deepEqual(figuresOf(comparison), {
        tests: 9,
        ours: 6,
        precision: 1,
        lines: 1,
        knowable: 2,
        found: 2,
        places: 4,
        placesShown: 4,
        recall: 1,
      });
    } finally {
      await workspace.dispose();
    }
  });

  it('counts as missed what is written out and not found, what is found only as a template, and what nothing explains', async () => {
    const ours = [
      one('cart › removes', 5),
      one('cart › ${any}', 4, { isTemplate: true }),
      one('cart › holds 1', 7),
    ];
    const comparison = await compared(
      [
        ['cart › adds', 4],
        ['cart › removes', 5],
        ['cart › holds 1', 7],
        ['cart › holds 2', 7],
        ['cart › fits', 8],
        ['cart › from nowhere', 9],
      ],
      ours,
    );
    const { found, knowable, places, placesShown } = figuresOf(comparison);
    assert.deepEqual(
      { found, knowable, places, placesShown },
      { found: 1, knowable: 3, places: 2, placesShown: 0 },
    );
    assert.equal(
      missList({ project: 'shop', commit: '', framework: 'vitest', comparison }),
      [
        'shop  missing  cart.test.ts:4  cart › adds  (only its template is shown)',
        'shop  made, shown  cart.test.ts:7  cart › holds 1  (a table makes this test (line 7))',
        'shop  made, not shown  cart.test.ts:7  cart › holds 2  (a table makes this test (line 7))',
        'shop  made, not shown  cart.test.ts:8  cart › fits  (a loop declares it (line 8))',
        'shop  missing  cart.test.ts:9  cart › from nowhere',
        'shop  left out  broken.test.ts:?    (it does not load)',
      ].join('\n'),
    );
  });

  it('counts against precision what the runner does not list, and against the lines what stands elsewhere', async () => {
    const comparison = await compared(
      [
        ['cart › adds', 4],
        ['cart › removes', 5],
      ],
      [
        one('cart › adds', 4),
        one('cart › removes', 50),
        one('cart › melts', 6),
        one('x', 1, { file: 'broken.test.ts' }),
      ],
    );
    const { recall, precision, lines, ours } = figuresOf(comparison);
    assert.deepEqual(
      { recall, precision, lines, ours },
      { recall: 1, precision: 2 / 3, lines: 1 / 2, ours: 3 },
    );
    assert.deepEqual(
      comparison.extra.map(({ names }) => names.join(' › ')),
      ['cart › melts'],
    );
  });
});

function reasons({ verdicts }: Comparison): readonly (string | undefined)[] {
  return verdicts.map(({ unknowable }) => unknowable?.why);
}

function one(names: string, line: number, more: Partial<OurTest> = {}): OurTest {
  return { file: 'cart.test.ts', names: names.split(' › '), line, endLine: line, isTemplate: false, ...more };
}

async function compared(
  tests: readonly (readonly [names: string, line: number])[],
  ours: readonly OurTest[],
): Promise<Comparison> {
  const calls = await writtenTests('/shop/cart.test.ts', cart);
  const written: Written = { in: () => calls, importedBy: () => [] };
  const listed = tests.map(([names, line]): RunnerTest => ({
    file: 'cart.test.ts',
    names: names.split(' › '),
    line,
  }));
  const leftOut = [{ file: 'broken.test.ts', why: 'it does not load' }];
  return compare({ tests: listed, leftOut }, ours, written);
}
