// Healings wait for a decision: approved into the scenario, or rejected for good (CONTRACTS S6).
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { proposedHealing } from '../../../support/proposedHealing.ts';
import { HumanError, type HumanErrorCode } from '../../../../src/core/base/humanError.ts';
import { approveHealing, rejectHealing } from '../../../../src/core/scenario/healing/decideRecord.ts';
import type { NewHealing } from '../../../../src/core/scenario/healing/healingRecord.ts';
import { HealingStore } from '../../../../src/core/scenario/healing/healingStore.ts';

const step = (id: string, name = 'Buy', testId = 'buy'): string =>
  `  - id: ${id}\n    type: click # ${id}\n    config:\n      locator: { displayName: ${name}, strategies: [{ type: testId, value: ${testId} }] }\n`;
const scenario = `id: shop\nname: Shop\nsteps:\n${step('one')}${step('two', 'Pay', 'pay')}`;

describe('a healing', () => {
  let root: string;
  let store: HealingStore;
  const read = (file: string): Promise<string> => readFile(path.join(root, file), 'utf8');
  const healing = (more: Partial<NewHealing> = {}): NewHealing => proposedHealing(scenario, more);
  const refused = async (work: Promise<unknown>, code: HumanErrorCode): Promise<void> => {
    await assert.rejects(work, (error) => error instanceof HumanError && error.code === code);
  };

  beforeEach(async () => {
    root = await mkdtemp(path.join(os.tmpdir(), 'healing-'));
    store = new HealingStore(root);
    await writeFile(path.join(root, 'shop.scenario.yaml'), scenario);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  it('is pending until it is approved, which rewrites its step and nothing else', async () => {
    const { id, status } = await store.propose(healing());
    assert.equal(status, 'pending');
    const { files } = await approveHealing(root, store, id);
    assert.deepEqual(files, ['shop.scenario.yaml']);
    assert.equal(
      await read('shop.scenario.yaml'),
      scenario.replace('{ type: testId, value: buy }', '{ type: role, role: button, name: Buy now }'),
    );
    assert.equal((await store.read(id))?.status, 'approved');
    assert.match(await read('.testmend/.gitignore'), /^\*/);
  });

  it('is approved or rejected only while it is pending', async () => {
    const { id } = await store.propose(healing());
    await rejectHealing(store, id);
    await refused(approveHealing(root, store, id), 'usage');
    await refused(rejectHealing(store, id), 'usage');
    await refused(rejectHealing(store, 'heal-000000000000'), 'usage');
    await refused(rejectHealing(store, '../../package'), 'usage');
    assert.equal(await read('shop.scenario.yaml'), scenario);
  });

  it('is not proposed again once it is rejected, another one for the step is', async () => {
    const { id } = await store.propose(healing());
    await rejectHealing(store, id);
    assert.equal(await store.isRejected(healing({ runId: 'run-2' })), true);
    assert.equal((await store.propose(healing({ runId: 'run-2' }))).status, 'rejected');
    const other = await store.propose(healing({ healedStrategy: { type: 'text', value: 'Order' } }));
    assert.equal(other.status, 'pending');
    assert.equal((await store.list()).length, 2);
  });

  it('is kept once when two runs propose it', async () => {
    await Promise.all(['a', 'b', 'c'].map((runId) => store.propose(healing({ runId }))));
    assert.equal((await store.list()).length, 1);
    assert.equal((await readdir(path.join(root, '.testmend/healings'))).length, 1);
  });

  it('is refused when the scenario changed since', async () => {
    const { id } = await store.propose(healing());
    await writeFile(path.join(root, 'shop.scenario.yaml'), `${scenario}# more\n`);
    await refused(approveHealing(root, store, id), 'stale');
    assert.equal(await read('shop.scenario.yaml'), `${scenario}# more\n`);
    assert.equal((await store.read(id))?.status, 'pending');
  });

  it('can be approved after another one of the same file', async () => {
    const first = await store.propose(healing());
    const second = await store.propose(
      healing({
        stepId: 'two',
        locatorDisplayName: 'Pay',
        originalStrategy: { type: 'testId', value: 'pay' },
      }),
    );
    await approveHealing(root, store, first.id);
    await approveHealing(root, store, second.id);
    assert.ok(!(await read('shop.scenario.yaml')).includes('testId'));
  });

  it('propagates to every scenario with a locator of that name', async () => {
    await mkdir(path.join(root, 'more'));
    const other = scenario.replace('id: shop', 'id: other');
    await writeFile(path.join(root, 'more/other.scenario.yaml'), other);
    await writeFile(path.join(root, 'more/none.scenario.yaml'), other.replace('Buy', 'Sell'));
    await writeFile(path.join(root, 'more/broken.scenario.yaml'), 'a: [');
    const { id } = await store.propose(healing());
    const { files } = await approveHealing(root, store, id, [
      'more/broken.scenario.yaml',
      'more/none.scenario.yaml',
      'more/other.scenario.yaml',
      'shop.scenario.yaml',
    ]);
    assert.deepEqual(files, ['shop.scenario.yaml', 'more/other.scenario.yaml']);
    assert.match(await read('more/other.scenario.yaml'), /displayName: Buy, strategies: \[\{ type: role/);
  });

  it('is not kept through a link out of the root', async () => {
    const outside = await mkdtemp(path.join(os.tmpdir(), 'healing-'));
    await symlink(outside, path.join(root, '.testmend'));
    await refused(store.propose(healing()), 'usage');
    assert.deepEqual(
      (await readdir(outside)).filter((name) => name !== 'healings'),
      [],
    );
    await rm(outside, { recursive: true });
  });
});
