// The tasks that a coordinator hands over (CONTRACTS T14), as JSON files of the session: read, taken, and settled.
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { HumanError, errorMessage } from '../base/humanError.ts';
import { isOwnerRunning, thisProcess } from '../sandbox/processOwner.ts';
import { processOwnerSchema } from '../sandbox/processOwnerSchema.ts';
import { isMissing } from '../workspace/readText.ts';
import { setInJson, type JsonPath } from './jsonEdit.ts';
import { exclusively, readJsonFile, replaceFile, testerFolder } from './sessionFiles.ts';
import { isOwn, standingOf, taskFrom, type Holder, type SessionTask, type Standing } from './sessionTask.ts';

/** Where a task is written. */
export interface PlacedTask extends SessionTask {
  /** Relative to the folder of the session, POSIX separators. */
  readonly file: string;
  /** Of the task in its file. */
  readonly path: JsonPath;
}

interface ReadTasks {
  /** In the order in which they are taken. */
  readonly tasks: readonly PlacedTask[];
  /** What cannot be read, a sentence with file and remedy each; it stops nothing else. */
  readonly troubles: readonly string[];
}

/** One of ours, and whether it may be taken. */
export interface OwnTask extends Standing {
  readonly task: PlacedTask;
}

const claimSchema = processOwnerSchema.extend({ file: z.string(), id: z.string(), host: z.string() });
type Claim = z.infer<typeof claimSchema>;

export class TaskList {
  readonly #session: string;

  /** `session`: absolute folder of the session; nothing is made before a task is taken. */
  constructor(session: string) {
    this.#session = session;
  }

  /** `tasks/*.json`, one task each, by their ids; then `tasks.json`, a list. Links and other files are troubles. */
  async read(): Promise<ReadTasks> {
    const troubles: string[] = [];
    const tasks: PlacedTask[] = [];
    const trouble = (error: unknown): void =>
      void troubles.push(
        error instanceof HumanError ? `${error.message} ${error.details.remedy}` : errorMessage(error),
      );
    for (const file of await this.#taskFiles().catch((error: unknown) => (trouble(error), []))) {
      try {
        const found = await readJsonFile(path.join(this.#session, file));
        if (found) tasks.push(...tasksIn(file, found.value, trouble));
      } catch (error) {
        trouble(error);
      }
    }
    const single = tasks.filter(({ path: place }) => place.length === 0);
    const byId = single.sort(
      (a, b) => naturally.compare(a.name, b.name) || naturally.compare(a.file, b.file),
    );
    return { tasks: [...byId, ...tasks.filter(({ path: place }) => place.length > 0)], troubles };
  }

  /** Ours, in the order in which they are taken. */
  async own(tasks: readonly PlacedTask[]): Promise<readonly OwnTask[]> {
    const claims = await this.#claims();
    return Promise.all(
      tasks
        .filter(isOwn)
        .map(async (task) => ({ task, ...standingOf(task, tasks, await holderOf(task, claims)) })),
    );
  }

  /** Marks the first one that `choose` takes as in progress, held by this process; undefined when it takes none. */
  take(choose: (own: readonly OwnTask[]) => PlacedTask | undefined): Promise<PlacedTask | undefined> {
    return exclusively(this.#session, async () => {
      const { tasks } = await this.read();
      const task = choose(await this.own(tasks));
      if (task === undefined) return undefined;
      const others = (await this.#claims()).filter((claim) => !isOf(claim, task));
      const own = { file: task.file, id: task.id, host: os.hostname(), ...(await thisProcess()) };
      // The claim comes first: who is killed in between leaves a task that is still free.
      await this.#write([...others, own]);
      await this.#setStatus(task, 'in_progress');
      return task;
    });
  }

  /**
   * Ends the work on a task that was taken: no tester holds it any more. Gives its status then, which is what others made of it
   * meanwhile if they did. Throws a HumanError when its file is gone or cannot be read any more.
   */
  settle(task: PlacedTask, status: 'completed' | 'in_progress' | 'pending'): Promise<string> {
    return exclusively(this.#session, async () => {
      await this.#write((await this.#claims()).filter((claim) => !isOf(claim, task)));
      const found = await this.#find(task);
      if (found.status !== 'in_progress') return found.status;
      if (status !== 'in_progress') await this.#setStatus(found, status);
      return status;
    });
  }

  async #taskFiles(): Promise<readonly string[]> {
    const names = await readdir(path.join(this.#session, 'tasks')).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    });
    const single = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'));
    return [...single.sort((a, b) => naturally.compare(a, b)).map((name) => `tasks/${name}`), 'tasks.json'];
  }

  /** The task as it is now: others may have moved it within its list. */
  async #find(task: PlacedTask): Promise<PlacedTask> {
    const found = await readJsonFile(path.join(this.#session, task.file));
    const tasks = found === undefined ? [] : tasksIn(task.file, found.value, () => undefined);
    const same = tasks.filter(({ id }) => id === task.id);
    const now = same.find(({ path: place }) => place.join() === task.path.join()) ?? same[0];
    if (now !== undefined) return now;
    throw new HumanError('stale', `${task.name} is no longer in ${task.file}.`, {
      file: path.join(this.#session, task.file),
      value: task.id,
      remedy: 'What came of it is in the messages and the results of the session.',
    });
  }

  async #setStatus(task: PlacedTask, status: string): Promise<void> {
    const file = path.join(this.#session, task.file);
    const found = await readJsonFile(file);
    const text = found === undefined ? undefined : setInJson(found.text, [...task.path, 'status'], status);
    if (text !== undefined) await replaceFile(file, text);
  }

  get #claimFile(): string {
    return path.join(testerFolder(this.#session), 'claims.json');
  }

  async #claims(): Promise<readonly Claim[]> {
    const found = await readJsonFile(this.#claimFile).catch(() => undefined);
    const claims = z.array(z.unknown()).safeParse(found?.value).data ?? [];
    return claims.flatMap((claim) => claimSchema.safeParse(claim).data ?? []);
  }

  #write(claims: readonly Claim[]): Promise<void> {
    return replaceFile(this.#claimFile, `${JSON.stringify(claims, null, 2)}\n`);
  }
}

/** TEST-2 before TEST-10. */
const naturally = new Intl.Collator('en', { numeric: true });

function tasksIn(file: string, value: unknown, trouble: (error: unknown) => void): readonly PlacedTask[] {
  const isList = file === 'tasks.json';
  const inner = z.object({ tasks: z.array(z.unknown()) }).safeParse(value).data?.tasks;
  const list = z.array(z.unknown()).safeParse(value).data ?? inner;
  if (isList && list === undefined) {
    trouble(`${file} holds no list of tasks. Write it as [{ "id": "TEST-001", … }].`);
    return [];
  }
  const placed: readonly { readonly path: JsonPath; readonly value: unknown }[] =
    isList && list !== undefined
      ? list.map((one, index) => ({ path: inner === list ? ['tasks', index] : [index], value: one }))
      : [{ path: [], value }];
  return placed.flatMap((one) => {
    const found = taskFrom(one.value);
    if ('task' in found) return { ...found.task, file, path: one.path };
    const which = one.path.length === 0 ? file : `Task ${Number(one.path.at(-1)) + 1} of ${file}`;
    trouble(`${which} ${found.wrong}. Correct it, and it is taken.`);
    return [];
  });
}

const isOf = (claim: Claim, task: PlacedTask): boolean => claim.file === task.file && claim.id === task.id;

/** Of a tester on another machine nobody here knows whether it runs: it keeps its task until the coordinator takes it away. */
async function holderOf(task: PlacedTask, claims: readonly Claim[]): Promise<Holder> {
  const claim = claims.find((one) => isOf(one, task));
  if (claim === undefined) return undefined;
  if (claim.host !== os.hostname()) return task.status === 'in_progress' ? 'running' : undefined;
  return (await isOwnerRunning(claim)) ? 'running' : 'ended';
}
