// The cases of `npm run bench:healing`: one JSON line each.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { fingerprintSchema } from '../../../src/core/scenario/healing/fingerprint.ts';

const caseSchema = z.object({
  old: fingerprintSchema,
  candidates: z.array(fingerprintSchema),
  /** The place of the element in `candidates`; null when it is not there any more. */
  truth: z.number().int().nonnegative().nullable(),
  site: z.string().optional().catch(undefined),
  half: z.string().optional().catch(undefined),
  page: z.string().optional().catch(undefined),
  label: z.string().optional().catch(undefined),
});
export type HealingCase = z.infer<typeof caseSchema>;

/** One after the other, so that a large file is never held whole. Throws with the number of a line that is none. */
export async function* readCases(file: string): AsyncGenerator<HealingCase> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Infinity });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() !== '') yield parseCase(line, `${file}:${number}`);
  }
}

function parseCase(line: string, place: string): HealingCase {
  let data: unknown;
  try {
    data = JSON.parse(line);
  } catch (error) {
    throw new Error(`${place}: no JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const parsed = caseSchema.safeParse(data);
  if (!parsed.success) throw new Error(`${place}: no case:\n${z.prettifyError(parsed.error)}`);
  if (parsed.data.truth !== null && parsed.data.truth >= parsed.data.candidates.length)
    throw new Error(
      `${place}: truth is ${parsed.data.truth}, and there are ${parsed.data.candidates.length} candidates`,
    );
  return parsed.data;
}
