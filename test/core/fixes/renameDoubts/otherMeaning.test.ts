// Names that mean something else, and names that only put the same in other words.
import assert from 'node:assert/strict';
import { mayMeanAnother } from '../../../../src/core/fixes/renameDoubts/otherMeaning.ts';

describe('a new name', () => {
  for (const [old, now] of [
    ['isOpen', 'isClosed'],
    ['canEdit', 'cannotEdit'],
    ['has_errors', 'no_errors'],
    ['hasErrors', 'noErrors'],
    ['total', '_total'],
    ['timeoutSeconds', 'timeoutMs'],
    ['net', 'tax'],
    ['size', 'sizeInPixels'],
    ['is_admin', 'is_member'],
    ['isExpired', 'isValid'],
    ['isActive', 'isArchived'],
    ['owner', 'guest'],
    ['billing', 'shipping'],
    ['success', 'error'],
    ['onSuccess', 'onError'],
    ['errors', 'warnings'],
    ['resolve', 'reject'],
    ['ok', 'failed'],
    ['subtotal', 'total'],
    ['preTax', 'postTax'],
    ['draft', 'published'],
    ['createdAt', 'updatedAt'],
    ['today', 'yesterday'],
    ['daily', 'hourly'],
    ['sum', 'average'],
    ['mean', 'median'],
    ['primary', 'secondary'],
    ['client', 'server'],
    ['x', 'y'],
    ['hot', 'cold'],
    ['NotFound', 'Forbidden'],
    ['NotFoundError', 'ForbiddenError'],
  ] as const)
    it(`may mean something else: ${now} for ${old}`, () => {
      assert.notEqual(mayMeanAnother(old, now), undefined);
      assert.notEqual(mayMeanAnother(now, old) ?? (now.startsWith('_') ? '' : undefined), undefined);
    });

  for (const [old, now] of [
    ['total', 'amount'],
    ['parseChunk', 'write'],
    ['getUser', 'findUser'],
    ['MissingError', 'NotFoundError'],
    ['isOpen', 'isOpened'],
    ['valid', 'isValid'],
    ['add', 'addItem'],
    ['priceEur', 'costEur'],
    ['load', 'fetch'],
    ['is_open', 'is_opened'],
  ] as const)
    it(`says the same in other words: ${now} for ${old}`, () => {
      assert.equal(mayMeanAnother(old, now), undefined);
    });
});
