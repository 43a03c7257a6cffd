// What evidence lets through, and what it does not: patches of people and of attackers, each tried in a sandbox.
import assert from 'node:assert/strict';
import path from 'node:path';
import { openWorkspace } from '../../../src/core/engine/openWorkspace.ts';
import { verifyWorkspace, type PatchVerdict } from '../../../src/core/engine/verifyWorkspace.ts';
import { unifiedDiff } from '../../../src/core/workspace/unifiedDiff.ts';
import { temporaryWorkspace, type TemporaryWorkspace } from '../../support/temporaryWorkspace.ts';
import { honestInNode, honestInVitest } from './honestPatches.ts';
import { honestWhereRed, weakeningWhereRed } from './redPatches.ts';
import { weakeningInNode, weakeningInVitest } from './weakeningPatches.ts';
import { changed, nodeShop, vitestShop, type Attempt, type Shop } from './weighedShop.ts';

const otherInputs = [
  'an input that no longer reaches the discount',
  'a bug of the source avoided by its input',
] as const;

/** Enough on a busy machine too. */
const strengthSeconds = 60;

describe('a patch that only evidence can allow', function () {
  this.timeout(600_000);
  let workspace: TemporaryWorkspace;
  afterEach(() => workspace.dispose());

  const open = async ({ files }: Shop, vitest: boolean): Promise<void> => {
    workspace = await temporaryWorkspace(files, { git: true, vitest });
  };
  const judge = async (
    { files, file }: Shop,
    { edits, source = [], added }: Attempt,
  ): Promise<PatchVerdict> => {
    await workspace.write('src/shop.js', changed(files['src/shop.js'] ?? '', source));
    const test = files[file] ?? '';
    const patch =
      unifiedDiff(file, test, changed(test, edits)) +
      (added ? unifiedDiff(added[0], undefined, added[1]) : '');
    const { signal } = new AbortController();
    const limits = { timeoutMs: 60_000, skillTimeoutMs: 10_000, maxParallel: 2 };
    const cacheFolder = path.join(workspace.root, '../cache');
    const opened = await openWorkspace({ root: workspace.root, limits, frameworks: [], cacheFolder }, signal);
    const quiet = (): void => undefined;
    return verifyWorkspace({
      patch,
      opened,
      inPlace: false,
      signal,
      strengthSeconds,
      onNote: quiet,
      onSandboxNote: quiet,
    });
  };
  const named = (attempts: readonly Attempt[], ...names: readonly string[]): readonly Attempt[] =>
    attempts.filter(({ name }) => names.includes(name));

  it('is verified when its tests notice all that they noticed (node:test)', async () => {
    await open(nodeShop, false);
    for (const attempt of honestInNode) {
      const { verdict, reason, strength, changes } = await judge(nodeShop, attempt);
      const wanted = attempt.isOpen === true ? 'unverifiable' : 'verified';
      assert.equal(verdict, wanted, `${attempt.name}: ${reason} ${strength?.reason}`);
      assert.ok(changes.length > 0);
    }
  });

  it('is never verified when they notice less, or too little to tell (node:test)', async () => {
    await open(nodeShop, false);
    const kinds = new Map<string, string>();
    for (const attempt of weakeningInNode) {
      const { verdict, kind } = await judge(nodeShop, attempt);
      assert.notEqual(verdict, 'verified', attempt.name);
      kinds.set(attempt.name, `${verdict} ${kind}`);
    }
    // Asked with another input: what makes a limit special no planted bug may show.
    for (const name of otherInputs) assert.equal(kinds.get(name), 'rejected forbidden', name);
  });

  it('may mend a test that fails since the source changed, where it notices all that it noticed in the sources as they were', async () => {
    await open(nodeShop, false);
    const told = [
      'an argument that a call must have now',
      'a key of what a double gives',
      'another word, expected and given',
    ];
    for (const attempt of honestWhereRed) {
      const { verdict, kind, reason, strength, changes } = await judge(nodeShop, attempt);
      const wanted = told.includes(attempt.name) ? ['verified', undefined] : ['unverifiable', 'cannot-tell'];
      assert.deepEqual([verdict, kind], wanted, `${attempt.name}: ${reason} ${strength?.reason}`);
      assert.ok(changes.length > 0);
    }
  });

  it('is not verified where the test would walk around what broke it', async () => {
    await open(nodeShop, false);
    const reasons = new Map<string, string | undefined>();
    for (const attempt of weakeningWhereRed) {
      const { verdict, strength } = await judge(nodeShop, attempt);
      assert.notEqual(verdict, 'verified', attempt.name);
      reasons.set(attempt.name, strength?.reason);
    }
    assert.equal(
      reasons.get('an argument in place of a default that is wrong now'),
      '"greets by name" no longer runs src/shop.js:13, where the source changed.',
    );
  });

  it('is told apart under vitest as well', async () => {
    await open(vitestShop, true);
    // One in whose edit the double is vitest's own; the others are weighed in node:test above.
    const [honest, ...more] = named(honestInVitest, 'a key that a double needs now');
    assert.ok(honest && more.length === 0);
    const { verdict, reason, strength } = await judge(vitestShop, honest);
    assert.equal(verdict, 'verified', `${reason} ${strength?.reason}`);
    const weighed = named(
      weakeningInVitest,
      ...otherInputs,
      'an input away from the limit',
      'a bug of the source avoided by an argument',
    );
    assert.equal(weighed.length, 4);
    for (const attempt of weighed) {
      const told = await judge(vitestShop, attempt);
      assert.notEqual(told.verdict, 'verified', attempt.name);
    }
  });
});
