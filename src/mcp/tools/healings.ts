// `list_healings` and `decide_healing`: locators of scenarios that healed, and the decision about each.
import { z } from 'zod';
import { decideHealingOf, healingsOf, type HealingRecord } from '../../core/engine/scenarioHealings.ts';
import { rootNamed } from '../allowedRoots.ts';
import { rootArgument } from '../argumentSchemas.ts';
import { tool } from '../tool.ts';

const strategySchema = z.looseObject({ type: z.string() });
const healingSchema = z.object({
  id: z.string(),
  status: z.enum(['pending', 'approved', 'rejected', 'auto_approved']),
  file: z.string().describe('Relative to the root.'),
  scenarioId: z.string(),
  stepId: z.string(),
  locatorDisplayName: z.string(),
  originalStrategy: strategySchema,
  healedStrategy: strategySchema,
  trigger: z.string(),
  confidence: z.number(),
  score: z.number().optional().describe('Likeness to the recorded element, 0 to 1: it decided.'),
  margin: z.number().optional().describe('Distance to the next candidate.'),
  createdAt: z.string(),
});

export const listHealings = tool({
  name: 'list_healings',
  title: 'Healed locators',
  about: 'Locators of browser scenarios that no longer found their element, and what was found instead.',
  readOnly: true,
  idempotent: true,
  input: z.strictObject({
    status: z.enum(['pending', 'approved', 'rejected', 'auto_approved']).optional(),
    ...rootArgument,
  }),
  output: z.object({ healings: z.array(healingSchema) }),
  run: async ({ status, root: name }, call) => {
    const healings = await healingsOf(rootNamed(call.settings, name));
    return { healings: healings.filter((one) => status === undefined || one.status === status).map(told) };
  },
});

export const decideHealing = tool({
  name: 'decide_healing',
  title: 'Decide about a healed locator',
  about:
    'Approve a pending healing, which rewrites the scenario, or reject it for good. Refused when the scenario changed since.',
  readOnly: false,
  destructive: true,
  input: z.strictObject({
    id: z.string().regex(/^heal-[\da-f]{12}$/, 'take it from list_healings'),
    decision: z.enum(['approve', 'reject']),
    propagate: z
      .boolean()
      .optional()
      .describe('Also rewrite every scenario that has a locator with the same displayName.'),
    ...rootArgument,
  }),
  output: z.object({ healing: healingSchema, files: z.array(z.string()).describe('Rewritten files.') }),
  run: async ({ id: healing, decision, propagate, root: name }, call) => {
    const root = rootNamed(call.settings, name);
    const decided = await decideHealingOf(root, { healing, decision, ...(propagate && { propagate }) });
    return { healing: told(decided.record), files: [...decided.files] };
  },
});

function told(record: HealingRecord): z.infer<typeof healingSchema> {
  const { score, margin } = record.evidence ?? {};
  return healingSchema.parse({ ...record, score, margin });
}
