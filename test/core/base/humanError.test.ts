// What a remedy is chosen with has another name in each host.
import assert from 'node:assert/strict';
import { errorJson } from '../../../src/cli/errors.ts';
import { HumanError, remedyWith } from '../../../src/core/base/humanError.ts';

describe('the remedy of an error', () => {
  const error = new HumanError('bad-input', 'It has a second name.', {
    remedy: 'Let fixes be tried in a copy.',
    choice: 'copy',
  });

  it('names the option on the command line alone', () => {
    assert.deepEqual(errorJson(error), {
      code: 'bad-input',
      message: 'It has a second name.',
      remedy: 'Let fixes be tried in a copy (--sandbox copy).',
    });
    assert.deepEqual(error.toJSON(), {
      code: 'bad-input',
      message: 'It has a second name.',
      remedy: 'Let fixes be tried in a copy.',
    });
  });

  it('stays as it is where the host has no name for the choice', () => {
    assert.equal(remedyWith(error, { root: '--root' }), 'Let fixes be tried in a copy.');
  });
});
