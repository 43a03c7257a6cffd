// Functions that take their arguments in another way although a source still calls them as before: a person is asked.
import assert from 'node:assert/strict';
import { signatures } from '../../../../src/core/fixes/signatures/signatures.ts';
import { proposeIn } from './sourceSituation.ts';

interface Change {
  readonly was: string;
  readonly now: string;
  /** In the test. */
  readonly call: string;
  readonly others?: Readonly<Record<string, string>>;
  readonly written?: Readonly<Record<string, string>>;
}

const swap = {
  was: 'export function area(width, height) {\n  return `${width}x${height}`;\n}\n',
  now: 'export function area(height, width) {\n  return `${width}x${height}`;\n}\n',
  call: 'area(2, 3)',
};
const bundle = {
  was: 'export function area(width, height) {\n  return width * height;\n}\n',
  now: 'export function area({ width, height }) {\n  return width * height;\n}\n',
  call: 'area(2, 3)',
};

async function fixOf({ was, now, call, others = {}, written = {} }: Change) {
  const { fixes } = await proposeIn({
    provider: signatures,
    files: {
      'test/shop.test.js': `import { area } from '../src/shop.js';\nit('works', () => {\n  expect(${call}).toBe('2x3');\n});\n`,
      'src/shop.js': was,
      ...others,
    },
    written: { 'src/shop.js': now, ...written },
    message: 'expected NaN to be 6',
    kind: 'assertion',
  });
  return fixes[0];
}

const told = (fix: Awaited<ReturnType<typeof fixOf>>): string =>
  (fix?.stops ?? []).map(({ reason }) => reason).join(' ');

const importing = `import { area } from './shop.js';\n`;
const room = `${importing}\nexport const room = () => area(4, 5);\n`;

describe('a function that takes its arguments in another way', () => {
  for (const [what, change] of Object.entries({ 'another order': swap, 'an object': bundle })) {
    it(`is only followed by a person where an unchanged source still calls it as before: ${what}`, async () => {
      const fix = await fixOf({ ...change, others: { 'src/room.js': room } });
      assert.equal(fix?.trust, 'propose');
      assert.match(told(fix), /Line 3 of src\/room\.js still calls area\(\) in the old form/);
    });

    it(`is only followed by a person where a changed source went half the way: ${what}`, async () => {
      const both = `${room}export const hall = () => area(6, 7);\n`;
      const half = both.replace(
        'area(4, 5)',
        what === 'an object' ? 'area({ width: 4, height: 5 })' : 'area(5, 4)',
      );
      const fix = await fixOf({
        ...change,
        others: { 'src/room.js': both },
        written: { 'src/room.js': half },
      });
      assert.equal(fix?.trust, 'propose');
      assert.match(told(fix), /Line 4 of src\/room\.js still calls area\(\) in the old form/);
    });
  }

  it('sees calls in its own file', async () => {
    const own = 'export const hall = () => area(6, 7);\n';
    const fix = await fixOf({ ...bundle, was: bundle.was + own, now: bundle.now + own });
    assert.match(told(fix), /Line 4 of src\/shop\.js still calls area\(\) in the old form/);
  });

  it('is followed where all sources went along, and where other functions have its name', async () => {
    const others = {
      'src/room.js': room,
      'src/other.js': 'const area = (a, b) => a + b;\nexport const all = area(1, 2);\n',
    };
    const written = { 'src/room.js': room.replace('area(4, 5)', 'area({ width: 4, height: 5 })') };
    const fix = await fixOf({ ...bundle, others, written });
    assert.deepEqual([fix?.trust, told(fix)], ['oracle', '']);
  });

  it('is only followed by a person where arguments change places, whatever the sources do', async () => {
    const fix = await fixOf({
      ...swap,
      others: { 'src/room.js': room },
      written: { 'src/room.js': room.replace('4, 5', '5, 4') },
    });
    assert.equal(fix?.trust, 'propose');
    assert.match(told(fix), /^The arguments change places: [^.]*\.$/);
  });
});
