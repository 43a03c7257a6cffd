// What a task of a session is, which tasks are ours to take, and what a task's text asks for (CONTRACTS T14, F10).
import { z } from 'zod';
import type { Layer } from '../model/settings.ts';

const idSchema = z.union([z.string().min(1).max(200), z.number()]).transform(String);
const textSchema = z.string().nullish();

/** What must be right in a task that is ours; everything else in it belongs to others. */
const taskSchema = z.object({
  status: z.string(),
  owner: textSchema,
  description: textSchema,
  blockedBy: z.array(idSchema).nullish(),
});
/** What tells whose it is; in a task of others anything may be missing. */
const labelSchema = z.object({
  id: z.exactOptional(idSchema.catch('')),
  subject: textSchema.catch(undefined),
  title: textSchema.catch(undefined),
  status: z.string().nullish().catch(undefined),
});

export interface SessionTask {
  /** As it is named in `blockedBy`. */
  readonly id: string;
  /** `TEST-001`: the id, or the word that the subject begins with. */
  readonly name: string;
  readonly subject: string;
  /** Subject and description. */
  readonly text: string;
  readonly owner: string | undefined;
  readonly status: string;
  readonly blockedBy: readonly string[];
}

/** T14. */
const prefix = 'TEST-';
const tester = 'tester';

/** A task, or what is wrong with one of ours, as the end of a sentence. */
export function taskFrom(value: unknown): { readonly task: SessionTask } | { readonly wrong: string } {
  const label = labelSchema.safeParse(value).data;
  if (label === undefined) return { wrong: 'is no task: an object with id, subject, owner, status' };
  const subject = label.subject ?? label.title ?? '';
  const id = label.id ?? '';
  const name = id.startsWith(prefix) ? id : (/^TEST-[^\s:,;]+/.exec(subject)?.[0] ?? id);
  const parsed = taskSchema.safeParse(value);
  const isTest = name.startsWith(prefix);
  if (isTest && id === '') return { wrong: 'has no id' };
  if (isTest && !parsed.success) {
    const field = String(parsed.error.issues[0]?.path[0] ?? 'a field');
    return { wrong: `has a "${field}" that is ${field === 'blockedBy' ? 'no list of ids' : 'no text'}` };
  }
  const { owner, description, blockedBy } = parsed.data ?? {};
  return {
    task: {
      id,
      name,
      subject,
      text: [subject, description ?? ''].join('\n'),
      owner: owner ?? undefined,
      status: label.status ?? '',
      blockedBy: blockedBy ?? [],
    },
  };
}

export const isOwn = ({ name, owner }: SessionTask): boolean => name.startsWith(prefix) && owner === tester;

/** Who holds a task: a tester that runs, one that ended amid, or none. */
export type Holder = 'running' | 'ended' | undefined;

/** May it be taken: at once, only by who names it, or not at all? `reason` is the end of a sentence. */
export interface Standing {
  readonly isFree: boolean;
  readonly isFreeByName: boolean;
  readonly reason: string;
}

const free: Standing = { isFree: true, isFreeByName: true, reason: 'is free' };
const closed = (reason: string): Standing => ({ isFree: false, isFreeByName: false, reason });

export function standingOf(
  { status, blockedBy }: SessionTask,
  all: readonly SessionTask[],
  holder: Holder,
): Standing {
  if (status === 'completed') return closed('is completed');
  if (holder === 'running') return closed('is being worked on');
  if (status === 'in_progress' && holder === undefined)
    return { isFree: false, isFreeByName: true, reason: 'is left in_progress for the coordinator' };
  if (status === 'in_progress') return free;
  if (status !== 'pending') return closed(`has the status "${status}"`);
  const open = blockedBy.filter((id) => !isCompleted(id, all));
  return open.length === 0 ? free : closed(`waits for ${open.join(', ')}`);
}

/** A blocker that nobody knows is not known to be complete. */
function isCompleted(id: string, all: readonly SessionTask[]): boolean {
  const named = all.filter((task) => task.id === id || task.name === id);
  return named.length > 0 && named.every(({ status }) => status === 'completed');
}

/** F10: `layer: L1` in the text of a task; `wrong` is a layer that there is not. */
export function layerOf(text: string): { readonly layer?: Layer; readonly wrong?: string } {
  // Also as in Markdown (`**Layer:** L1`) or JSON (`"layer": "L1"`).
  const named = /\blayer["'`*_]{0,3}\s?:["'`*_]{0,3}\s{0,9}["'`*_]{0,3}([^\s"'`*_]{1,40})/i.exec(text)?.[1];
  if (named === undefined) return {};
  const layer = /^L[123](?!\w)/i.exec(named)?.[0].toUpperCase();
  return layer === 'L1' || layer === 'L2' || layer === 'L3' ? { layer } : { wrong: named };
}
