// The coverage of a file as it crosses between engine and editor; apart from its types, so that a run starts without a parser.
import { z } from 'zod';
import type { FileCoverage } from './coverage.ts';

const spanSchema = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const countedSchema = z.object({ span: spanSchema, count: z.number() });

export const fileCoverageSchema: z.ZodType<FileCoverage> = z.object({
  file: z.string(),
  statements: z.array(countedSchema.extend({ weight: z.exactOptional(z.number()) })),
  functions: z.array(countedSchema.extend({ name: z.string() })),
  branches: z.array(z.object({ span: spanSchema, arms: z.array(countedSchema) })),
});
