// What the process that asks the compiler answers about one test file.
import { z } from 'zod';
import { textChangeSchema } from '../../model/fileEdit.ts';

const typeRepairSchema = z.object({
  kind: z.enum(['expected type', 'expected error', 'type arguments']),
  changes: z.array(textChangeSchema),
  /** Source text of both sides. */
  old: z.string(),
  new: z.string(),
  /** The compiler knows less of the value than before: that is hardly what anyone wants. */
  isWider: z.exactOptional(z.literal(true)),
});
export type TypeRepair = z.infer<typeof typeRepairSchema>;

const foundErrorSchema = z.object({ line: z.number().int(), code: z.number().int() });
export type FoundError = z.infer<typeof foundErrorSchema>;

/** null where nobody knows by which rules the file is checked. */
export const typeAnswerSchema = z.nullable(
  z.object({
    /** hashText of the file as the compiler read it. */
    text: z.string(),
    /** In the file, in order; lines are 1-based. */
    errors: z.array(foundErrorSchema),
    /** One for each error, or the reason why one of them has none. */
    repairs: z.union([z.array(typeRepairSchema), z.object({ reason: z.string() })]),
  }),
);
export type TypeAnswer = z.infer<typeof typeAnswerSchema>;
