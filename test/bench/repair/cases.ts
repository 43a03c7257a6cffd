// A list of known cases: commits of public repositories where the parent's tests fail on the commit's source.
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const caseSchema = z.object({
  repo: z.string(),
  commit: z.string(),
  parent: z.string(),
  date: z.string(),
  runner: z.string(),
  /** Folder of the tests, relative to the repository. */
  cwd: z.string(),
  category: z.string(),
  /** What the tests need besides, where the project does not say so itself (pytest). */
  packages: z.array(z.string()).optional(),
  failing: z.array(z.object({ id: z.string() })),
});
export type ListedCase = z.infer<typeof caseSchema>;

/** Throws with the place of what does not fit. */
export async function readCases(file: string): Promise<readonly ListedCase[]> {
  const parsed = z.object({ cases: z.array(caseSchema) }).safeParse(JSON.parse(await readFile(file, 'utf8')));
  if (parsed.success) return parsed.data.cases;
  throw new Error(`${file} is no list of cases:\n${z.prettifyError(parsed.error)}`);
}
