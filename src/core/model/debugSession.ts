// What an editor's debugger is asked to start, and how that ended; crosses between engine and editor.
import { z } from 'zod';

const debugLanguageSchema = z.enum(['javascript', 'python', 'go']);
export type DebugLanguage = z.infer<typeof debugLanguageSchema>;

export const debugSessionSchema = z.object({
  language: debugLanguageSchema,
  /** For the user: "Vitest". */
  label: z.string(),
  /** Absolute path of node, of python, or for Go the folder of the package under test. */
  program: z.string(),
  args: z.array(z.string()),
  /** Absolute. */
  cwd: z.string(),
  /** Added to the user's environment. */
  env: z.record(z.string(), z.string()),
});
export type DebugSession = z.infer<typeof debugSessionSchema>;

export const debugEndSchema = z.object({
  ended: z.enum(['exited', 'cancelled', 'not-started']),
  /** null where the debugger did not tell. */
  exitCode: z.number().int().nullable(),
  /** Why it did not start, as a sentence with the remedy. */
  error: z.exactOptional(z.string()),
});
export type DebugEnd = z.infer<typeof debugEndSchema>;

/** Runs a session to its end; an abort of the signal ends it. */
export type RunSession = (
  session: DebugSession,
  onOutput: (stream: 'stdout' | 'stderr', text: string) => void,
  signal: AbortSignal | undefined,
) => Promise<DebugEnd>;
