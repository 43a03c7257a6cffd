// The element that was meant is ranked first, and only what is sure enough is healed.
import assert from 'node:assert/strict';
import { actionBar, assertBar, decideHealing } from '../../../../src/core/scenario/healing/decideHealing.ts';
import {
  fingerprintSchema,
  type ElementFingerprint,
} from '../../../../src/core/scenario/healing/fingerprint.ts';
import { rankCandidates } from '../../../../src/core/scenario/healing/rankCandidates.ts';

const button = (text: string, more: Partial<ElementFingerprint> = {}): ElementFingerprint => ({
  tag: 'button',
  type: 'submit',
  role: 'button',
  accessibleName: text,
  text,
  classes: ['btn'],
  path: 'html[1]/body[1]/form[1]/button[1]',
  position: { x: 100, y: 400 },
  size: { width: 90, height: 30 },
  ...more,
});
const old = button('Place order', {
  id: 'place-order',
  neighbours: ['Total: 20 €', 'Continue shopping'],
  heading: 'Your cart',
});

describe('the ranking of candidates', () => {
  it('puts a moved and renamed button before one that took its place', () => {
    const moved = button('Place your order', {
      id: 'order-now',
      neighbours: ['Total: 20 €'],
      heading: 'Your cart',
      path: 'html[1]/body[1]/main[1]/div[2]/button[2]',
    });
    const ranked = rankCandidates(old, [button('Apply voucher'), moved, { tag: 'div', text: 'Place order' }]);
    assert.equal(ranked[0]?.index, 1);
    assert.equal(decideHealing(ranked).verdict, 'heal');
  });

  it('takes a link with the look of a button for a button', () => {
    const link: ElementFingerprint = { ...old, tag: 'a', type: undefined, role: 'button' };
    const ranked = rankCandidates(old, [{ ...old, tag: 'a', type: undefined, role: 'link' }, link]);
    assert.equal(ranked[0]?.index, 1);
  });

  it('holds against an element that it stood beside the lost one before', () => {
    const neighbour = button('Continue shopping', { path: 'html[1]/body[1]/form[1]/button[2]' });
    const [ranked] = rankCandidates(old, [neighbour]);
    assert.equal(ranked?.reasons[0]?.property, 'wasNeighbour');
    assert.equal(decideHealing(rankCandidates(old, [neighbour])).verdict, 'abstain');
  });

  it('gives scores from 0 to 1 with weights that add up to 1', () => {
    assert.equal(rankCandidates(old, [old])[0]?.score, 1);
    const [ranked] = rankCandidates(old, [button('Place order')]);
    assert.ok(ranked && ranked.score > 0 && ranked.score < 1);
    assert.ok(Math.abs(ranked.reasons.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9);
  });

  it('ranks sparse fingerprints, and equals in their order', () => {
    assert.deepEqual(
      rankCandidates({ tag: 'a' }, [{ tag: 'p' }, { tag: 'a' }, { tag: 'a' }]).map(({ index }) => index),
      [1, 2, 0],
    );
    assert.deepEqual(rankCandidates(old, []), []);
  });
});

describe('the decision to heal', () => {
  const decide = (scores: number[], identity: number | undefined, assert = false): string =>
    decideHealing(
      scores.map((score, index) => ({ index, score, identity, reasons: [] })),
      { assert },
    ).verdict;

  it('needs a score and a distance to the next', () => {
    assert.deepEqual(decideHealing([{ index: 3, score: 0.9, identity: 1, reasons: [] }]), {
      verdict: 'heal',
      index: 3,
      score: 0.9,
      margin: 0.9,
    });
    assert.equal(decide([0.9, 0.85], 1), 'heal');
    assert.equal(decide([0.9, 0.89], 1), 'abstain');
    assert.equal(decide([], 1), 'abstain');
  });

  it('takes a lower score where nothing comes near, down to a limit', () => {
    assert.equal(decide([actionBar.score, 0.6], 1), 'abstain');
    assert.equal(decide([actionBar.score, actionBar.score - actionBar.margin], 1), 'heal');
    assert.equal(decide([actionBar.score - 0.01, 0], 1), 'abstain');
  });

  it('asks for more where the name is another one, and most where there is none', () => {
    const table: [number, string, string, string][] = [
      [0.83, 'heal', 'abstain', 'abstain'],
      [0.88, 'heal', 'heal', 'abstain'],
      [0.93, 'heal', 'heal', 'heal'],
    ];
    for (const [score, ...expected] of table)
      assert.deepEqual(
        [1, 0.5, undefined].map((identity) => decide([score, score - 0.07], identity)),
        expected,
      );
  });

  it('is stricter for an assertion', () => {
    for (const identity of [1, 0.5, undefined]) assert.equal(decide([0.94, 0.86], identity), 'heal');
    assert.equal(decide([0.94, 0.86], 0.5, true), 'abstain');
    assert.equal(decide([assertBar.score - 0.01, 0], 1), 'heal');
    assert.equal(decide([assertBar.score - 0.01, 0], 1, true), 'abstain');
  });
});

describe('a fingerprint that is read', () => {
  it('drops unknown fields, and those of a wrong type', () => {
    assert.deepEqual(
      fingerprintSchema.parse({ tag: 'A', color: 'red', classes: 'btn', text: null, id: 'x' }),
      {
        tag: 'a',
        id: 'x',
      },
    );
    assert.equal(fingerprintSchema.safeParse({ text: 'x' }).success, false);
  });
});
