// What the process that runs scenarios is told, as its first argument.
import { z } from 'zod';

export const workerTaskSchema = z.strictObject({
  /** Absolute: of the workspace. */
  root: z.string(),
  /** Absolute path of what is imported as Playwright. */
  playwright: z.string(),
  /** Scenarios at once, unless the configuration says so. */
  workers: z.number().int().min(1),
  environment: z.exactOptional(z.string()),
  browser: z.exactOptional(z.string()),
  headed: z.exactOptional(z.boolean()),
  untrusted: z.exactOptional(z.boolean()),
  autoApprove: z.exactOptional(z.boolean()),
  debug: z.exactOptional(z.boolean()),
});
export type WorkerTask = z.infer<typeof workerTaskSchema>;
