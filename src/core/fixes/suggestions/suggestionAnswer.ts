// What the compiler's process is asked about new errors in a test file, and what it answers.
import { z } from 'zod';

export const suggestionQuestionSchema = z.object({
  /** Texts of changed files as they were, null for those that were not there; relative to the root. */
  before: z.record(z.string(), z.nullable(z.string())),
  /** Changed sources that are there now, relative to the root. */
  sources: z.array(z.string()),
  /** Only errors with one of these numbers that name this; all new ones when absent. */
  only: z.exactOptional(z.object({ codes: z.array(z.number()), name: z.string() })),
});
export type SuggestionQuestion = z.infer<typeof suggestionQuestionSchema>;

const suggestionSchema = z.object({
  /** The compiler's name of the kind of change: `import`, `addMissingAwait`. */
  kind: z.string(),
  /** What it says that it does: "Add 'await'". */
  says: z.string(),
  /** The error that it is for. */
  error: z.string(),
  code: z.number().int(),
  /** An import: of one of the changed sources? */
  isOfChanged: z.boolean(),
});
export type Suggestion = z.infer<typeof suggestionSchema>;

/** null where nobody knows by which rules the file is checked, and where it has no new error. */
export const suggestionAnswerSchema = z.nullable(
  z.union([
    z.object({
      /** hashText of the file as the compiler read it. */
      text: z.string(),
      /** The file with all of them in it. */
      after: z.string(),
      /** In the order in which they were made. */
      suggestions: z.array(suggestionSchema),
      /** Every error in the file before, as in TypeAnswer. */
      errors: z.array(z.object({ line: z.number().int(), code: z.number().int() })),
    }),
    z.object({ reason: z.string() }),
  ]),
);
export type SuggestionAnswer = z.infer<typeof suggestionAnswerSchema>;
