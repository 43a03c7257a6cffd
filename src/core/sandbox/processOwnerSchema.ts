// How the owner of a sandbox, a journal or a lock is written down: apart from what asks whether one runs, which every run does.
import { z } from 'zod';

export const processOwnerSchema = z.object({
  pid: z.number().int().positive(),
  startTime: z.string(),
  /** Carried by the processes that it started. */
  mark: z.exactOptional(z.string().regex(/^[0-9a-f]{16}$/)),
});
export type ProcessOwner = z.infer<typeof processOwnerSchema>;
