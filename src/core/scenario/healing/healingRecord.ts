// What is kept of a healed step, until somebody decides about it (CONTRACTS S6).
import { z } from 'zod';
import { hashText } from '../../base/hash.ts';

/** Loose: a strategy also keeps `priority`, `nth` or `timeout` as its scenario has them. */
const strategySchema = z.looseObject({ type: z.enum(['testId', 'role', 'text', 'label', 'css', 'xpath']) });
export type RecordedStrategy = z.infer<typeof strategySchema>;

export const healingRecordSchema = z.object({
  id: z.string().regex(/^heal-[\da-f]{12}$/),
  scenarioId: z.string(),
  /** The file that holds the locator, a scenario or a component, relative to the root with `/`. */
  file: z.string(),
  /** Of the text of that file when the step ran; an approval needs the same text. */
  fileHash: z.string(),
  stepId: z.string(),
  runId: z.string(),
  locatorDisplayName: z.string(),
  originalStrategy: strategySchema,
  healedStrategy: strategySchema,
  /** Further unique ways to the same element, written behind the healed one. */
  furtherStrategies: z.array(strategySchema).default([]),
  trigger: z.enum(['element_not_found', 'multiple_matches', 'wrong_element', 'api_path_changed']),
  /** By the table of S4; what decided is the evidence. */
  confidence: z.number(),
  evidence: z.object({ score: z.number(), margin: z.number(), reasons: z.array(z.string()) }).optional(),
  status: z.enum(['pending', 'approved', 'rejected', 'auto_approved']),
  /** Relative to the root: pictures of the page on the last green run and on this one. */
  screenshots: z.object({ before: z.string().optional(), after: z.string().optional() }).optional(),
  /** Of the healed element on the later picture, in CSS pixels. */
  outline: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }).optional(),
  /** ISO 8601. */
  createdAt: z.string(),
  decidedAt: z.string().optional(),
});
export type HealingRecord = z.infer<typeof healingRecordSchema>;

/** All of a record that the run knows: the rest is the store's. */
export type NewHealing = Omit<
  z.input<typeof healingRecordSchema>,
  'id' | 'status' | 'createdAt' | 'decidedAt'
>;

/** The same proposal for the same locator always has the same id: so it is not kept twice, and a rejected one stays rejected. */
export function healingId(healing: NewHealing): string {
  const { file, stepId, locatorDisplayName, originalStrategy, healedStrategy } = healing;
  const said = [file, stepId, locatorDisplayName, canonical(originalStrategy), canonical(healedStrategy)];
  return `heal-${hashText(JSON.stringify(said)).slice(0, 12)}`;
}

/** Of a strategy, without what says only when and in which order it is tried. */
export function canonical(strategy: object): string {
  return JSON.stringify(
    Object.entries(strategy)
      .filter(([key, value]) => key !== 'priority' && key !== 'timeout' && value !== undefined)
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}
