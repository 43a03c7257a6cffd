// The JSON document of `testmend strength`.
import { z } from 'zod';
import type { Strength, TriedBug } from './strengthWorkspace.ts';

const bugSchema = z.strictObject({
  file: z.string(),
  line: z.number().int(),
  column: z.number().int(),
  /** The function around it. */
  within: z.string().optional(),
  kind: z.string(),
  from: z.string(),
  to: z.string(),
  fate: z.enum(['noticed', 'unnoticed', 'unreached', 'untried']),
  /** The first test that noticed it. */
  by: z.strictObject({ file: z.string(), line: z.number().int(), names: z.array(z.string()) }).optional(),
});

export const strengthDocument = z.strictObject({
  noticed: z.number().int(),
  unnoticed: z.number().int(),
  unreached: z.number().int(),
  untried: z.number().int(),
  /** Bugs that act only while a file loads: they are not tried. */
  atLoad: z.number().int(),
  bugs: z.array(bugSchema),
  notes: z.array(z.string()),
});

export type StrengthJson = z.infer<typeof strengthDocument>;

export function strengthJson({ bugs, atLoad, notes }: Strength): StrengthJson {
  const count = (fate: TriedBug['fate']): number => bugs.filter((one) => one.fate === fate).length;
  return {
    noticed: count('noticed'),
    unnoticed: count('unnoticed'),
    unreached: count('unreached'),
    untried: count('untried'),
    atLoad,
    bugs: bugs.map(({ bug, fate, by }) => ({
      file: bug.file,
      line: bug.line,
      column: bug.column,
      ...(bug.within === undefined ? {} : { within: bug.within }),
      kind: bug.kind,
      from: bug.from,
      to: bug.to,
      fate,
      ...(by && { by: { file: by.file, line: by.line, names: [...by.suites, by.title] } }),
    })),
    notes: [...notes],
  };
}
