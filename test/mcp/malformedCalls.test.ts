// Calls that no schema allows: each is refused, nothing is started for any, and the server goes on.
import assert from 'node:assert/strict';
import { watchedShop, type WatchedShop } from './watchedShop.ts';

interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
}

/** Values that some argument of a type must not have. */
const hostile: Readonly<Record<string, readonly unknown[]>> = {
  string: [
    1,
    null,
    [],
    {},
    '',
    '--reporter=/tmp/x',
    '../../etc/passwd',
    'a\u0000b',
    '/etc/passwd',
    'x'.repeat(2_100),
  ],
  array: [1, 'a.test.js', ['--watch'], ['../x'], ['/etc/passwd'], [1], ['\u001b[2J']],
  number: ['1', -1, 1e9, null, {}],
  integer: ['1', -1, 1.5, 1e9, null],
  boolean: ['yes', 1, null],
  object: ['{}', 1, null, []],
};
/** These take what no runner and no file is given. */
const freeText = new Set(['search', 'root', 'summary', 'patch', 'test_id']);

describe('malformed calls of tools', () => {
  let shop: WatchedShop;
  before(async () => {
    shop = await watchedShop();
  });
  after(() => shop.dispose());

  it('are refused, two hundred of them and more, before anything starts', async () => {
    const { client } = shop;
    const { tools } = await client.client.listTools();
    let calls = 0;
    for (const { name, inputSchema } of tools) {
      const schema: Schema = JSON.parse(JSON.stringify(inputSchema));
      for (const input of malformed(schema)) {
        calls += 1;
        const what = `${name} ${JSON.stringify(input)}`.slice(0, 200);
        const { isError, text } = await client.call(name, input);
        assert.ok(isError && /Invalid arguments/.test(text), `${what}: ${text.slice(0, 200)}`);
        assert.ok(text.length < 5_000, what);
      }
    }
    assert.ok(calls >= 200, `${calls} calls`);
    assert.deepEqual(await shop.started(), []);
    assert.equal((await client.call('list_tests')).data.matching, 1);
  });

  it('of tools that are not there are errors of the protocol', async () => {
    await assert.rejects(shop.client.call('rm_rf'));
    await assert.rejects(shop.client.call('__proto__'));
  });
});

/** One argument wrong in each, and one more than there are. */
function* malformed({ properties = {}, required = [] }: Schema): Generator<object> {
  const right = Object.fromEntries(required.map((name) => [name, rightValue(name, properties[name] ?? {})]));
  yield { ...right, unheard: 'of' };
  for (const name of required)
    yield Object.fromEntries(Object.entries(right).filter(([key]) => key !== name));
  for (const [name, schema] of Object.entries(properties)) {
    const values = hostile[schema.type ?? ''] ?? [];
    assert.ok(values.length > 0, name);
    for (const value of values) if (!isAllowed(name, value)) yield { ...right, [name]: value };
  }
}

function isAllowed(name: string, value: unknown): boolean {
  if (typeof value !== 'string' || value === '') return false;
  return freeText.has(name) || (value.startsWith('/') && (name === 'filter' || name === 'title'));
}

function rightValue(name: string, schema: Schema): unknown {
  if (schema.enum !== undefined) return schema.enum[0];
  if (name === 'fixId') return '0123456789ab';
  return name === 'session' ? '.workflow/.team/S1' : 'src/a.js';
}
