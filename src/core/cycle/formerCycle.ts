// A fix cycle whose process was killed, as its record has it.
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { fixSchema } from '../model/fix.ts';
import { isOwnerRunning } from '../sandbox/processOwner.ts';
import { processOwnerSchema } from '../sandbox/processOwnerSchema.ts';

/** What the cycle was asked for, as far as a command or an editor asks for it. */
const askedSchema = z.object({
  /** Of whoever asked; tells cycles apart. */
  cycleId: z.string().optional(),
  /** Relative to the root. */
  files: z.array(z.string()).optional(),
  layer: z.enum(['L1', 'L2', 'L3']).optional(),
  coverage: z.boolean().optional(),
  preset: z.enum(['tester', 'qa']),
  assume: z.enum(['ask', 'source-is-right']),
  strategy: z.enum(['auto', 'conservative', 'aggressive', 'surgical']),
  maxIterations: z.number().int(),
  targetPassRate: z.number(),
});
export type AskedCycle = z.infer<typeof askedSchema>;

const recordedFixSchema = z.object({
  fix: fixSchema,
  /** What the person said about it, when one was asked. */
  said: z.enum(['accept', 'bug', 'skip']).optional(),
});
export type RecordedFix = z.infer<typeof recordedFixSchema>;

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('cycle'),
    version: z.literal(2),
    root: z.string(),
    owner: processOwnerSchema,
    /** ms since 1970. */
    startedAt: z.number(),
    asked: askedSchema,
  }),
  z.object({ type: z.literal('iteration'), number: z.number().int() }),
  recordedFixSchema.extend({ type: z.literal('fix') }),
  /** It was taken back, or did not hold when it was proven again. */
  z.object({ type: z.literal('dropped'), id: z.string() }),
]);
export type RecordLine = z.infer<typeof lineSchema>;

/** A cycle whose process was killed. */
export interface FormerCycle {
  /** ms since 1970. */
  readonly startedAt: number;
  readonly asked: AskedCycle;
  /** Iterations that ended. */
  readonly iterations: number;
  /** In the order in which they were proven; those that a person turned down as well. */
  readonly fixes: readonly RecordedFix[];
}

/** Beside the lock of the cycle. */
export const recordFile = (root: string, cacheFolder: string): string =>
  path.join(cacheFolder, `cycle-${hashText(root).slice(0, 16)}.record.jsonl`);

/** The cycle of this root that was killed; undefined when there is none with a proven fix, or when its process lives. */
export async function readFormerCycle(root: string, cacheFolder: string): Promise<FormerCycle | undefined> {
  const text = await readFile(recordFile(root, cacheFolder), 'utf8').catch(() => '');
  const [head, ...lines] = text.split('\n').flatMap((line) => parseLine(line) ?? []);
  if (head?.type !== 'cycle' || head.root !== root || (await isOwnerRunning(head.owner))) return undefined;
  let iterations = 0;
  const fixes = new Map<string, RecordedFix>();
  for (const line of lines) {
    if (line.type === 'iteration') iterations = line.number;
    if (line.type === 'dropped') fixes.delete(line.id);
    if (line.type === 'fix')
      fixes.set(line.fix.id, { fix: line.fix, ...(line.said !== undefined && { said: line.said }) });
  }
  const { startedAt, asked } = head;
  return fixes.size === 0 ? undefined : { startedAt, asked, iterations, fixes: [...fixes.values()] };
}

/** Forgets the cycle that was killed. */
export async function discardFormerCycle(root: string, cacheFolder: string): Promise<void> {
  await rm(recordFile(root, cacheFolder), { force: true });
}

/** Undefined for half a line of a process that was killed. */
function parseLine(text: string): RecordLine | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
