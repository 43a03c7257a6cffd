// What is known of a cycle, kept in a file line by line as it happens: a window that dies loses at most a half-written line.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../../core/base/hash.ts';
import { cycleEventSchema, type CycleEvent } from '../../core/model/cycle.ts';
import {
  fixDecisionSchema,
  lastingEvents,
  panelMessageSchema,
  rerunSchema,
  type FixDecision,
  type PanelMessage,
  type Rerun,
} from '../../webview/messages.ts';

/** What a file was and what it will be, by content hash, while fixes are being written into it. */
const writingSchema = z.object({
  fixes: z.array(z.string()),
  files: z.array(z.object({ file: z.string(), before: z.string(), after: z.string() })),
});
export type Writing = z.infer<typeof writingSchema>;

const headSchema = z.object({
  type: z.literal('cycle'),
  version: z.literal(1),
  cycleId: z.string(),
  root: z.string(),
  folder: z.string(),
  files: z.array(z.string()).optional(),
});

const lineSchema = z.discriminatedUnion('type', [
  headSchema,
  z.object({ type: z.literal('events'), events: z.array(cycleEventSchema) }),
  /** null: the decision was taken back. */
  z.object({ type: z.literal('decided'), decisions: z.record(z.string(), fixDecisionSchema.nullable()) }),
  /** Texts of files as they were before the first fix of the cycle was written into them. */
  z.object({ type: z.literal('bases'), texts: z.record(z.string(), z.string()) }),
  /** Written just before fixes are applied; a later `wrote` says that it was seen through, whichever way. */
  writingSchema.extend({ type: z.literal('writing') }),
  z.object({ type: z.literal('wrote') }),
  z.object({ type: z.literal('rerun'), outcomes: rerunSchema.shape.outcomes }),
  z.object({
    type: z.literal('over'),
    phase: z.enum(['ended', 'failed']),
    message: panelMessageSchema.optional(),
  }),
]);
type Line = z.infer<typeof lineSchema>;

export interface KeptCycle extends CycleIdentity {
  readonly events: readonly CycleEvent[];
  readonly decisions: Readonly<Record<string, FixDecision>>;
  readonly bases: Readonly<Record<string, string>>;
  readonly outcomes: Rerun['outcomes'];
  /** Fixes whose writing was begun and not seen to its end. */
  readonly writing: Writing | undefined;
  /** How the cycle ended; undefined when nobody saw it end. */
  readonly over: { readonly phase: 'ended' | 'failed'; readonly message?: PanelMessage } | undefined;
}

/** Journals of a root that are kept: other windows may still show theirs. */
const keptJournals = 8;

export interface CycleScope {
  readonly root: string;
  /** Test files relative to the root; absent for all. */
  readonly files?: readonly string[];
}

export interface CycleIdentity extends CycleScope {
  readonly cycleId: string;
  /** Name of the workspace folder. */
  readonly folder: string;
}

/** The journal of one cycle; each line is on its way to the disk when the call returns. */
export class CycleJournal {
  readonly #file: string;

  private constructor(file: string) {
    this.#file = file;
  }

  /** Begins the journal of a new cycle and removes the oldest ones of its root. */
  static begin(storage: string, { cycleId, root, folder, files }: CycleIdentity): CycleJournal {
    const corner = cornerOf(storage, root);
    mkdirSync(corner, { recursive: true });
    for (const { file } of journalsIn(corner).slice(keptJournals - 1)) rmSync(file, { force: true });
    const journal = new CycleJournal(fileOf(corner, cycleId));
    journal.#add({
      type: 'cycle',
      version: 1,
      cycleId,
      root,
      folder,
      ...(files === undefined ? {} : { files: [...files] }),
    });
    return journal;
  }

  /** Goes on with the journal of a cycle that was read. */
  static continue(storage: string, { cycleId, root }: CycleIdentity): CycleJournal {
    return new CycleJournal(fileOf(cornerOf(storage, root), cycleId));
  }

  events(events: readonly CycleEvent[]): void {
    const lasting = events.filter(({ type }) => type !== 'progress');
    if (lasting.length > 0) this.#add({ type: 'events', events: lasting });
  }

  decided(decisions: Readonly<Record<string, FixDecision | null>>): void {
    this.#add({ type: 'decided', decisions });
  }

  bases(texts: Readonly<Record<string, string>>): void {
    if (Object.keys(texts).length > 0) this.#add({ type: 'bases', texts });
  }

  writing(writing: Writing): void {
    this.#add({ type: 'writing', ...writing });
  }

  wrote(): void {
    this.#add({ type: 'wrote' });
  }

  rerun(outcomes: Rerun['outcomes']): void {
    this.#add({ type: 'rerun', outcomes });
  }

  over(phase: 'ended' | 'failed', message?: PanelMessage): void {
    this.#add({ type: 'over', phase, ...(message === undefined ? {} : { message }) });
  }

  /** The cycle never began. */
  remove(): void {
    rmSync(this.#file, { force: true });
  }

  #add(line: Line): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`);
  }
}

/** A cycle as its journal has it; undefined when there is none, or when it cannot be read. */
export function readCycle(storage: string, root: string, cycleId: string): KeptCycle | undefined {
  return readJournal(fileOf(cornerOf(storage, root), cycleId));
}

/** The latest cycle of any of the roots. */
export function latestCycle(storage: string, roots: readonly string[]): KeptCycle | undefined {
  const [latest] = roots
    .flatMap((root) => journalsIn(cornerOf(storage, root)))
    .sort((a, b) => b.time - a.time);
  return latest === undefined ? undefined : readJournal(latest.file);
}

function readJournal(file: string): KeptCycle | undefined {
  const [head, ...rest] = linesOf(file);
  if (head?.type !== 'cycle') return undefined;
  const { cycleId, root, folder, files } = head;
  const events: CycleEvent[] = [];
  const decisions: Record<string, FixDecision> = {};
  let kept: Pick<KeptCycle, 'bases' | 'outcomes' | 'writing' | 'over'> = {
    bases: {},
    outcomes: {},
    writing: undefined,
    over: undefined,
  };
  for (const line of rest) {
    if (line.type === 'events') events.push(...line.events);
    else if (line.type === 'bases') kept = { ...kept, bases: { ...line.texts, ...kept.bases } };
    else if (line.type === 'writing') kept = { ...kept, writing: { fixes: line.fixes, files: line.files } };
    else if (line.type === 'wrote') kept = { ...kept, writing: undefined };
    else if (line.type === 'rerun') kept = { ...kept, outcomes: { ...kept.outcomes, ...line.outcomes } };
    else if (line.type === 'over')
      kept = {
        ...kept,
        over: { phase: line.phase, ...(line.message === undefined ? {} : { message: line.message }) },
      };
    else if (line.type === 'decided')
      for (const [id, decision] of Object.entries(line.decisions)) {
        if (decision === null) delete decisions[id];
        else decisions[id] = decision;
      }
  }
  return {
    cycleId,
    root,
    folder,
    ...(files === undefined ? {} : { files }),
    events: lastingEvents(events),
    decisions,
    ...kept,
  };
}

/** Lines that can be read; what a dying window left half-written is dropped. */
function linesOf(file: string): Line[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    const parsed = lineSchema.safeParse(parseJson(line));
    return parsed.success ? [parsed.data] : [];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function journalsIn(corner: string): { readonly file: string; readonly time: number }[] {
  let names: string[];
  try {
    names = readdirSync(corner);
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => path.join(corner, name))
    .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => b.time - a.time);
}

function cornerOf(storage: string, root: string): string {
  return path.join(storage, 'cycles', hashText(root));
}

/** The id comes back from the webview: nothing of it may name another folder. */
function fileOf(corner: string, cycleId: string): string {
  return path.join(corner, `${cycleId.replaceAll(/[^\w-]/g, '_')}.jsonl`);
}
