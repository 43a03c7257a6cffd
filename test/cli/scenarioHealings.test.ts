// `testmend scenario healings`: what healed is listed, approved into the scenario, or rejected.
import assert from 'node:assert/strict';
import { proposedHealing } from '../support/proposedHealing.ts';
import { decideHealing, listHealings } from '../../src/mcp/tools/healings.ts';
import { HealingStore } from '../../src/core/scenario/healing/healingStore.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../support/temporaryWorkspace.ts';
import { testmend, type CliResult } from '../support/testmendCli.ts';

const scenario = `id: shop
name: Shop
steps:
  - id: buy # the one
    type: click
    config: { locator: { displayName: Buy, strategies: [{ type: testId, value: buy }] } }
`;

describe('testmend scenario healings', function () {
  this.timeout(60_000);
  let workspace: TemporaryWorkspace;
  let id: string;
  const healings = (...args: readonly string[]): Promise<CliResult> =>
    testmend(['scenario', 'healings', ...args], { cwd: workspace.root });

  beforeEach(async () => {
    workspace = await temporaryWorkspace({
      'shop.scenario.yaml': scenario,
      'more/other.scenario.yaml': scenario.replace('id: shop', 'id: other'),
    });
    ({ id } = await new HealingStore(workspace.root).propose(
      proposedHealing(scenario, {
        stepId: 'buy',
        evidence: { score: 0.87, margin: 0.31, reasons: ['text 0.80'] },
      }),
    ));
  });
  afterEach(() => workspace.dispose());

  it('lists them, and writes an approved one into every scenario with that name', async () => {
    const { code, stdout } = await healings();
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `${id}  pending  shop.scenario.yaml buy  Buy: testId "buy" → role button "Buy now"  confidence 0.90, score 0.87, 0.31 ahead\n\n` +
        '1 healing pending: --approve ID or --reject ID decides.\n',
    );
    const approved = await healings('--approve', id, '--propagate', '--json');
    assert.equal(approved.code, 0);
    assert.deepEqual(JSON.parse(approved.stdout).files, ['shop.scenario.yaml', 'more/other.scenario.yaml']);
    const written = scenario.replace('type: testId, value: buy', 'type: role, role: button, name: Buy now');
    assert.equal(await workspace.read('shop.scenario.yaml'), written);
    assert.equal(await workspace.read('more/other.scenario.yaml'), written.replace('id: shop', 'id: other'));
    assert.equal((await healings('--reject', id)).code, 2);
  });

  it('refuses an approval when the scenario changed since, and both decisions at once', async () => {
    await workspace.write('shop.scenario.yaml', `${scenario}# mine\n`);
    const refused = await healings('--approve', id);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /shop\.scenario\.yaml changed since/);
    assert.equal((await healings('--approve', id, '--reject', id)).code, 2);
    assert.equal((await healings('--propagate')).code, 2);
    assert.equal(await workspace.read('shop.scenario.yaml'), `${scenario}# mine\n`);
  });

  it('remembers a rejection', async () => {
    assert.equal((await healings('--reject', id)).code, 0);
    const { healings: known } = JSON.parse((await healings('--json')).stdout);
    assert.deepEqual(
      known.map(({ status }: { status: string }) => status),
      ['rejected'],
    );
    assert.equal(await workspace.read('shop.scenario.yaml'), scenario);
  });

  it('is listed and decided by agents too', async () => {
    const call = {
      settings: { roots: [{ root: workspace.root }], trusted: true, version: '0' },
      signal: new AbortController().signal,
      progress: () => undefined,
      person: { isThere: false, answer: () => undefined },
    };
    const listed = await listHealings.run({ status: 'pending' }, call);
    assert.match(JSON.stringify(listed), /"score":0\.87,"margin":0\.31/);
    const decided = await decideHealing.run({ id, decision: 'approve' }, call);
    assert.match(JSON.stringify(decided), /"status":"approved".*"files":\["shop\.scenario\.yaml"\]/);
    assert.ok(!(await workspace.read('shop.scenario.yaml')).includes('testId'));
    await assert.rejects(Promise.resolve(decideHealing.run({ id, decision: 'reject' }, call)));
  });
});
