// To which address a key of a model's endpoint goes, and that a traced message does not show it.
import assert from 'node:assert/strict';
import { redactSecrets } from '../../src/core/base/redactSecrets.ts';
import { requests, type StartCycle } from '../../src/server/messages.ts';
import { EndpointKeys } from '../../src/extension/models/endpointKeys.ts';

/** As VS Code's storage for one user; the real one is used in test/ui/models.test.ts. */
function storage(): ConstructorParameters<typeof EndpointKeys>[0] {
  const [secrets, state] = [new Map<string, string>(), new Map<string, unknown>()];
  return {
    secrets: {
      get: (key) => Promise.resolve(secrets.get(key)),
      store: (key, value) => Promise.resolve(void secrets.set(key, value)),
      delete: (key) => Promise.resolve(void secrets.delete(key)),
    },
    globalState: {
      get: (key) => state.get(key),
      update: (key, value) => Promise.resolve(void state.set(key, value)),
    },
  };
}
const url = (text: string): URL => new URL(text);

describe('the key of an endpoint', () => {
  it('goes to the origin that it was given for, and to no other', async () => {
    const keys = new EndpointKeys(storage(), {});
    await keys.set(url('https://models.example/v1'), 'own');
    assert.equal(await keys.keyFor(url('https://models.example/other/v2')), 'own');
    for (const other of [
      'http://models.example/v1',
      'https://models.example:8443/v1',
      'https://models.example.evil.test/v1',
      'https://evil.test/models.example/v1',
    ])
      assert.equal(await keys.keyFor(url(other)), undefined, other);
  });

  it('is not that of the environment, which is only known to be there', async () => {
    const environment = { TESTMEND_MODEL_KEY: 'env', TESTMEND_MODEL_URL: 'https://models.example/v1' };
    const keys = new EndpointKeys(storage(), environment);
    assert.equal(await keys.keyFor(url('https://models.example/v2')), undefined);
    assert.equal(keys.standsInEnvironment(url('https://models.example/v2')), true);
    assert.equal(keys.standsInEnvironment(url('https://evil.test/v1')), false);
    await keys.set(url('https://models.example/v1'), 'own');
    assert.equal(await keys.keyFor(url('https://models.example/v1')), 'own');
  });

  it('is forgotten with all others', async () => {
    const keys = new EndpointKeys(storage(), {});
    await keys.set(url('https://a.example/v1'), 'a');
    await keys.set(url('https://b.example/v1'), 'b');
    assert.deepEqual(await keys.forget(), ['https://a.example', 'https://b.example']);
    assert.equal(await keys.keyFor(url('https://a.example/v1')), undefined);
    assert.deepEqual(await keys.forget(), []);
  });

  it('is blotted out where the message with it is traced, whatever stands in it', () => {
    for (const apiKey of ['no-pattern-knows-this-one', 'with "quotes" and \\', "it's: one, two"]) {
      const outside = {
        kind: 'endpoint',
        url: 'https://a.example/v1',
        model: 'm',
        apiKey,
        limits: {},
      } as const;
      const message: StartCycle = requests.startCycle.params.parse({ cycleId: '1', root: '/shop', outside });
      const traced = redactSecrets(`Params: ${JSON.stringify(message, null, 4)}\n`);
      assert.match(traced, /"apiKey": "\[redacted\]",\n/);
      assert.match(traced, /"model": "m"/);
    }
  });
});
