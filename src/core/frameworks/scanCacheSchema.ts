// What the scan cache holds on disk; apart from it, because the schema is needed only when there is such a file.
import { z } from 'zod';
import type { ScannedTest } from '../model/testNode.ts';

const positionSchema = z.object({ line: z.number(), column: z.number() });
const scannedTestSchema: z.ZodType<ScannedTest> = z.lazy(() =>
  z.object({
    kind: z.enum(['suite', 'test', 'template']),
    title: z.string(),
    mode: z.enum(['run', 'skip', 'todo', 'only']),
    range: z.object({ start: positionSchema, end: positionSchema }),
    children: z.array(scannedTestSchema),
  }),
);
export const scanCacheSchema = z.record(
  z.string(),
  z.object({
    size: z.number(),
    mtimeMs: z.number(),
    tests: z.array(scannedTestSchema),
    warnings: z.array(z.string()),
  }),
);
export type CachedScans = z.infer<typeof scanCacheSchema>;
