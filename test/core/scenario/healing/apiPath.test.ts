// A value of an answer that moved is found again where its key still says what it is (CONTRACTS S9).
import assert from 'node:assert/strict';
import { healApiPath, rankApiPaths } from '../../../../src/core/scenario/healing/apiPath.ts';

describe('the path of a value in an answer', () => {
  it('is found under another parent, with the confidence of S9', () => {
    const healed = healApiPath('data.user.email', { result: { user: { email: 'a@b.c', id: 1 } } });
    assert.equal(healed?.path, 'result.user.email');
    assert.equal(healed.value, 'a@b.c');
    // `data.user.email` and `result.user.email` are 6 of 17 letters apart.
    assert.equal(healed.confidence, Math.round((0.7 + 0.3 * (1 - 6 / 17)) * 1_000) / 1_000);
  });

  it('is found with another spelling of its key', () => {
    assert.equal(healApiPath('$.user_name', { userName: 'ann', age: 3 })?.path, 'userName');
  });

  it('keeps its place in a list', () => {
    const body = { products: [{ price: 1 }, { price: 2 }] };
    assert.equal(healApiPath('items[1].price', body)?.path, 'products[1].price');
  });

  it('is not found where nothing reaches 0.7', () => {
    assert.equal(healApiPath('data.total', { data: { count: 3 } }), undefined);
    assert.ok((rankApiPaths('data.total', { data: { count: 3 } })[0]?.confidence ?? 0) < 0.7);
    assert.equal(healApiPath('data.total', 'no object'), undefined);
  });

  it('is not chosen between two that are equally like it', () => {
    assert.equal(healApiPath('x.id', { a: { id: 1 }, b: { id: 2 } }), undefined);
  });
});
