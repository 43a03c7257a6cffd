// The shape of an edit of files, free of Node, so that the panel can read it too.
import { z } from 'zod';

export const textChangeSchema = z.object({
  /** UTF-16 offsets into the text whose hash is `before`; end is exclusive. */
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  newText: z.string(),
});
export type TextChange = z.infer<typeof textChangeSchema>;

export const fileEditSchema = z.object({
  /** Relative to the root, POSIX separators. */
  file: z.string(),
  /** hashText of the text that the changes were made for. */
  before: z.string(),
  changes: z.array(textChangeSchema),
});
export type FileEdit = z.infer<typeof fileEditSchema>;
