// A thousand calls made at random from the schemas of the tools, none of which a schema allows.
import assert from 'node:assert/strict';
import { z } from 'zod';
import { createRandom } from '../../src/demo/random.ts';
import { tools } from '../../src/mcp/toolSet.ts';
import { watchedShop, type WatchedShop } from './watchedShop.ts';

const wanted = 1_000;
const seed = 20;

describe('a thousand malformed calls of tools', () => {
  let shop: WatchedShop;
  before(async () => {
    shop = await watchedShop();
  });
  after(() => shop.dispose());

  it('are refused within seconds; none starts a process, and the server goes on', async () => {
    const { client } = shop;
    const random = createRandom(seed);
    const { pid } = client;
    const began = performance.now();
    let calls = 0;
    for (let turn = 0; calls < wanted; turn++) {
      assert.ok(turn < 50 * wanted, 'the schemas allow nearly everything');
      const one = oneOf(random, tools);
      const input = inputFor(z.toJSONSchema(one.input, { io: 'input' }), random);
      if (one.input.safeParse(input).success) continue;
      calls += 1;
      const { isError, text } = await client.call(one.name, input);
      const what = `${one.name} ${JSON.stringify(input)}`.slice(0, 300);
      assert.ok(isError && /Invalid arguments/.test(text), `${what}: ${text.slice(0, 200)}`);
      assert.ok(text.length < 20_000, what);
    }
    const took = performance.now() - began;
    console.log(`      ${calls} calls in ${Math.round(took)} ms`);
    assert.ok(took < 30_000, `${took} ms`);
    assert.deepEqual(await shop.started(), []);
    assert.equal(client.pid, pid);
    assert.equal((await client.call('list_tests')).data.matching, 1);
  });
});

type Random = ReturnType<typeof createRandom>;
const chance = (random: Random): number => random.integer(0, 99) / 100;
const oneOf = <T>(random: Random, all: readonly T[]): T => {
  const [first, ...more] = all;
  if (first === undefined) throw new Error('there is nothing to choose from');
  return random.pick([first, ...more]);
};

type Schema = z.core.JSONSchema.JSONSchema;

const texts = [
  '',
  ' ',
  '..',
  '-rf',
  '--reporter=/tmp/x',
  '../../etc/passwd',
  '/etc/passwd',
  'C:\\x',
  '$(touch x)',
  '`id`',
  'a\u0000b',
  '\u001b[2J',
  '\u2028',
  '__proto__',
  'constructor',
  'vitest:a.test.js#x',
  'x'.repeat(10_000),
  '\ud800',
];
const numbers = [-1, 0, 1.5, 1e9, 1e308, Number.MAX_SAFE_INTEGER + 2];

function anything(random: Random, depth = 0): unknown {
  const kinds = ['text', 'number', 'boolean', 'null', ...(depth < 3 ? ['list', 'object'] : [])];
  switch (oneOf(random, kinds)) {
    case 'text':
      return oneOf(random, texts);
    case 'number':
      return oneOf(random, numbers);
    case 'boolean':
      return chance(random) < 0.5;
    case 'list':
      return Array.from({ length: random.integer(0, 3) }, () => anything(random, depth + 1));
    case 'object':
      return { [oneOf(random, texts)]: anything(random, depth + 1) };
    default:
      return null;
  }
}

/** Each argument as its schema has it, as something else, or not at all; now and then one that nobody knows. */
function inputFor({ properties = {} }: Schema, random: Random): object {
  const given = Object.entries(properties).flatMap(([name, schema]): [string, unknown][] => {
    const dice = chance(random);
    if (dice < 0.4) return [];
    return [[name, dice < 0.7 ? anything(random) : likely(schema, random)]];
  });
  // The SDK takes `__proto__` away before a tool hears of it.
  const names = texts.filter((text) => text !== '__proto__');
  const unknown: [string, unknown][] = chance(random) < 0.2 ? [[oneOf(random, names), anything(random)]] : [];
  return Object.fromEntries([...given, ...unknown]);
}

/** Of the right type, and often beyond its limits. */
function likely(schema: Schema | boolean, random: Random): unknown {
  if (typeof schema === 'boolean') return anything(random);
  if (schema.enum !== undefined)
    return chance(random) < 0.5 ? oneOf(random, schema.enum) : oneOf(random, texts);
  switch (schema.type) {
    case 'string':
      return oneOf(random, texts);
    case 'integer':
    case 'number':
      return oneOf(random, numbers);
    case 'boolean':
      return true;
    case 'array':
      return [oneOf(random, texts), anything(random)];
    default:
      return anything(random);
  }
}
