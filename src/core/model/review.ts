// A fix cycle that a person looks at in the chat: what its server tells the page that is shown there.
import { z } from 'zod';
import { cycleReportSchema } from './cycle.ts';

/** By the id of a fix, what became of it in the workspace; stale: its files changed after it was proven. */
const becameSchema = z.record(z.string(), z.enum(['applied', 'stale', 'takenBack']));
export type Became = z.infer<typeof becameSchema>;

/** A cycle as it was kept, and where its fixes stand now. */
export const reviewSchema = z.object({
  root: z.string(),
  /** Its name. */
  folder: z.string(),
  report: cycleReportSchema,
  became: becameSchema,
});

/** What came of fixes that a person accepted; `outcomes`: of their tests, by id, as they ran on disk. */
export const acceptedFixesSchema = z.object({
  became: becameSchema,
  outcomes: z.record(z.string(), z.enum(['passed', 'failed'])),
  notes: z.array(z.string()),
});
