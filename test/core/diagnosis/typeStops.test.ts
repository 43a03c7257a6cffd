// Which new types only a person may accept.
import assert from 'node:assert/strict';
import { typeStops } from '../../../src/core/fixes/types/typeStops.ts';

describe('a new type is only proposed', () => {
  for (const [old, now] of [
    ['string', 'undefined'],
    ['string', 'null'],
    ['string', 'any'],
    ['unknown', 'any'],
    ['string', 'string | undefined'],
    ['{ a: null; b: string }', '{ a: null; b: null }'],
    ['Record<string, string>', 'Record<string, any>'],
    ['string[]', 'never[]'],
    ['true', 'false'],
    ['{ a: true; b: false }', '{ a: false; b: true }'],
  ] as const)
    it(`${old} → ${now}`, () => assert.notDeepEqual(typeStops(old, now), []));
});

describe('a new type is no sign of a bug', () => {
  for (const [old, now] of [
    ['string', 'number'],
    ['any', 'Record<string, any>'],
    ['string | undefined', 'number | undefined'],
    ['true', 'boolean'],
    ["'any'", "'undefined'"],
    ['{ a: true }', '{ a: true; b: number }'],
  ] as const)
    it(`${old} → ${now}`, () => assert.deepEqual(typeStops(old, now), []));
});
