// A scenario as it is written into a new file: what is not said has its default.
import { Document, isMap, isSeq, visit } from 'yaml';
import type { z } from 'zod';
import type { locatorSchema } from './locatorSchema.ts';
import type { scenarioSchema } from './scenarioSchema.ts';
import type { stepSchema } from './stepSchema.ts';

export type WrittenScenario = z.input<typeof scenarioSchema>;
export type WrittenStep = z.input<typeof stepSchema>;
export type WrittenLocator = z.input<typeof locatorSchema>;
export type WrittenStrategy = WrittenLocator['strategies'][number];

/** YAML with a strategy on each line and the comments, a line each, at its top. */
export function scenarioText(scenario: WrittenScenario, comments: readonly string[] = []): string {
  const document = new Document(scenario, { aliasDuplicateObjects: false });
  visit(document, {
    Pair(_, { key, value }) {
      const name = String(key);
      if (!isSeq(value)) return;
      for (const [at, item] of value.items.entries()) {
        if (!isMap(item)) continue;
        if (name === 'strategies') item.flow = true;
        if (at > 0 && item.has('config')) item.spaceBefore = true;
      }
    },
  });
  // The library writes a comment line as it is given: a text with a line end of its own would leave the comment.
  const lines = comments.map((line) => ` ${line.replace(/[\r\n\u2028\u2029]+/g, ' ')}`);
  if (lines.length > 0) document.commentBefore = lines.join('\n');
  return document.toString({ lineWidth: 0 });
}

/** `Buy a shirt (twice)` → `buy-a-shirt-twice`. */
export function scenarioId(name: string): string {
  const id = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
  return id === '' ? 'scenario' : id;
}
