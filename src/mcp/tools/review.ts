// `get_review` and `accept_fixes`: what the page of a review shows, and what the person there accepts. No model is told of them.
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import { applyFixes } from '../../core/engine/applyFixes.ts';
import { storedCycle } from '../../core/engine/cycleStore.ts';
import { becameOf } from '../../core/engine/becameOf.ts';
import { acceptedFixesSchema, reviewSchema, type Became } from '../../core/model/review.ts';
import { openAt, rootNamed } from '../allowedRoots.ts';
import { handleSchema, rootArgument } from '../argumentSchemas.ts';
import { tool } from '../tool.ts';

const cycleArgument = { cycleId: handleSchema, ...rootArgument };

export const getReview = tool({
  name: 'get_review',
  title: 'Review of a cycle',
  about: 'A cycle as it was kept, with where its fixes stand now.',
  onlyForPages: true,
  readOnly: true,
  idempotent: true,
  input: z.strictObject(cycleArgument),
  output: reviewSchema,
  run: async ({ cycleId, root: name }, { settings }) => {
    const root = rootNamed(settings, name);
    const cycle = await storedCycle(root, cycleId);
    if (cycle === undefined)
      throw new HumanError('stale', 'This fix cycle is not known any more.', {
        value: cycleId,
        remedy: 'Ask the agent to propose fixes again.',
      });
    return {
      root,
      folder: path.basename(root),
      report: { ...cycle.report, patch: '' },
      became: await becameOf(cycle),
    };
  },
});

export const acceptFixes = tool({
  name: 'accept_fixes',
  title: 'Accept fixes',
  about:
    'Writes fixes of a cycle that the person accepted who sees them, all or none, and judges them on disk.',
  onlyForPages: true,
  readOnly: false,
  destructive: true,
  input: z.strictObject({
    fixIds: z
      .array(z.string().regex(/^[0-9a-f]{12,40}$/))
      .min(1)
      .max(1_000),
    ...cycleArgument,
  }),
  output: acceptedFixesSchema,
  run: async ({ cycleId, fixIds, root: name }, { settings, signal, progress }) => {
    const root = rootNamed(settings, name);
    const opened = await openAt(root, settings, signal);
    const notes: string[] = [];
    progress('applying and judging on disk');
    const { outcome, unwritten } = await applyFixes({
      opened,
      ids: fixIds,
      agreed: 'person',
      signal,
      onNote: (note) => notes.push(note),
    });
    if (unwritten !== undefined) throw unwritten.error;
    const { fixes, remaining, notes: said } = outcome.report;
    const accepted = fixes.filter(({ id }) => fixIds.includes(id));
    const stands = accepted.filter(({ verdict }) => verdict.verdict === 'verified');
    const red = new Set(remaining.map(({ id }) => id));
    const took: Became = Object.fromEntries(
      accepted.map((fix) => [fix.id, stands.includes(fix) ? 'applied' : 'takenBack']),
    );
    const outcomes: Record<string, 'passed' | 'failed'> = Object.fromEntries(
      stands.flatMap(({ failures }) => failures).map((id) => [id, red.has(id) ? 'failed' : 'passed']),
    );
    const cycle = await storedCycle(root, cycleId);
    return {
      became: { ...(cycle && (await becameOf(cycle))), ...took },
      outcomes,
      notes: [...notes, ...said].slice(0, 10),
    };
  },
});
