// The numbers of CONTRACTS S4, each once.
import assert from 'node:assert/strict';
import {
  healingConfidence,
  matchConfidence,
  type HealedElement,
  type StrategyType,
} from '../../../../src/core/scenario/healing/confidence.ts';

describe('the confidence of a match', () => {
  const table: [StrategyType, number, boolean, number][] = [
    ['testId', 1, false, 1],
    ['testId', 2, false, 0.7],
    ['role', 1, true, 0.9],
    ['role', 1, false, 0.7],
    ['role', 3, true, 0.5],
    ['role', 3, false, 0.5],
    ['text', 1, false, 0.8],
    ['text', 2, false, 0.4],
    ['label', 1, false, 0.9],
    ['css', 1, false, 0.8],
    ['xpath', 1, false, 0.7],
    ['testId', 0, false, 0],
  ];
  for (const [type, matches, named, expected] of table)
    it(`is ${expected} for ${type}${named ? ' with a name' : ''} with ${matches} matches`, () => {
      assert.equal(matchConfidence(type, matches, named), expected);
    });
});

describe('the confidence of a healing', () => {
  const same: HealedElement = {
    original: 'testId',
    used: 'testId',
    matches: 1,
    positionChanged: false,
    parentChanged: false,
    attributeSimilarity: 0,
    textSimilarity: 0,
  };
  const switches: [StrategyType, StrategyType, number][] = [
    ['testId', 'testId', 1],
    ['testId', 'role', 0.9],
    ['testId', 'text', 0.85],
    ['testId', 'label', 0.85],
    ['testId', 'css', 0.7],
    ['testId', 'xpath', 0.65],
    ['role', 'text', 0.9],
    ['role', 'css', 0.75],
    ['text', 'css', 0.8],
    ['css', 'xpath', 0.8],
    ['css', 'role', 0.8],
  ];
  for (const [original, used, expected] of switches)
    it(`is ${expected} from ${original} to ${used}`, () => {
      assert.equal(healingConfidence({ ...same, original, used }), expected);
    });

  const changes: [Partial<HealedElement>, number][] = [
    [{ matches: 3 }, 0.8],
    [{ matches: 6 }, 0.5],
    [{ matches: 40 }, 0.5],
    [{ positionChanged: true }, 0.9],
    [{ parentChanged: true }, 0.85],
    [{ positionChanged: true, attributeSimilarity: 0.8 }, 0.9],
    [{ positionChanged: true, attributeSimilarity: 0.81 }, 1],
    [{ parentChanged: true, textSimilarity: 0.9 }, 0.85],
    [{ parentChanged: true, textSimilarity: 0.91 }, 0.95],
    [{ attributeSimilarity: 1, textSimilarity: 1 }, 1],
    [{ original: 'testId', used: 'xpath', matches: 9, positionChanged: true, parentChanged: true }, 0],
  ];
  for (const [change, expected] of changes)
    it(`is ${expected} with ${JSON.stringify(change)}`, () => {
      assert.equal(healingConfidence({ ...same, ...change }), expected);
    });
});
