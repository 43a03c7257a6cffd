import assert from 'node:assert/strict';
import { ReporterGroup } from '../../../src/core/reports/reporter.ts';

describe('a group of reporters', () => {
  it('goes on with the others when one throws, and says so once', async () => {
    const heard: string[] = [];
    const troubles: string[] = [];
    const group = new ReporterGroup<number, string>(
      [
        {
          name: 'bad',
          onEvent: () => {
            throw new Error('boom');
          },
          onEnd: () => void heard.push('bad'),
        },
        {
          name: 'good',
          onEvent: (event) => void heard.push(`event ${event}`),
          onEnd: async (end) => void heard.push(end),
        },
        { name: 'late', onEnd: () => Promise.reject(new Error('disk full')) },
      ],
      (message) => troubles.push(message),
    );
    group.onEvent(1);
    group.onEvent(2);
    await group.onEnd('end');
    assert.deepEqual(heard, ['event 1', 'event 2', 'end']);
    assert.deepEqual(troubles, ['Reporter bad failed: boom', 'Reporter late failed: disk full']);
  });
});
