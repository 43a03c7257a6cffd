// The schema of events that is handed out is the one that the code holds them to.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { cycleEventSchema } from '../../../src/core/model/cycle.ts';

const docs = path.resolve(import.meta.dirname, '../../../docs');

describe('the events of a fix cycle', () => {
  // As a reader of events: it lets pass what comes to them later.
  it('have the schema in docs/events.schema.json', async () => {
    const written: unknown = JSON.parse(await readFile(path.join(docs, 'events.schema.json'), 'utf8'));
    assert.deepEqual(written, JSON.parse(JSON.stringify(z.toJSONSchema(cycleEventSchema, { io: 'input' }))));
  });

  it('are all told in docs/events.md', async () => {
    const text = await readFile(path.join(docs, 'events.md'), 'utf8');
    for (const { shape } of cycleEventSchema.options)
      assert.match(text, new RegExp(`\`${shape.type.value}\``));
  });
});
