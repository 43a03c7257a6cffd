// The tasks that a coordinator hands over in a session (CONTRACTS T14): taken one after the other, by one tester at a time in a folder.
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { hashText } from '../base/hash.ts';
import { HumanError, errorMessage } from '../base/humanError.ts';
import { takeLock, type OwnedLock } from '../sandbox/ownedLock.ts';
import { TaskList, type OwnTask, type PlacedTask } from '../session/taskList.ts';
import { cacheFolderOf } from './workspaceOf.ts';

export type { PlacedTask } from '../session/taskList.ts';

interface AskedTasks {
  /** Absolute folder of the session. */
  readonly folder: string;
  /** Absolute real path of the folder that the tasks are about. */
  readonly root: string;
  readonly signal: AbortSignal;
  /** For the user's information; each sentence is told once. */
  readonly warn: (text: string) => Promise<void>;
}

/** Completed, left for the coordinator, or given back. */
export type TaskWish = 'completed' | 'in_progress' | 'pending';

const mostTold = 10;

export class SessionTasks {
  readonly #asked: AskedTasks;
  readonly #list: TaskList;
  readonly #done: PlacedTask[] = [];
  readonly #told = new Set<string>();

  constructor(asked: AskedTasks) {
    this.#asked = asked;
    this.#list = new TaskList(asked.folder);
  }

  /** False in a session without anything that is, or may be, a task for a tester. */
  async hasAny(): Promise<boolean> {
    const { tasks, troubles } = await this.#list.read();
    return troubles.length > 0 || (await this.#list.own(tasks)).length > 0;
  }

  /**
   * Takes the task of this id or name, else one that was not taken before, when no other tester works in the folder, and works on it;
   * undefined when none is free.
   */
  async next<T>(wanted: string | undefined, work: (task: PlacedTask) => Promise<T>): Promise<T | undefined> {
    const turn = await this.#turn();
    try {
      for (const trouble of (await this.#list.read()).troubles) await this.#warnOnce(trouble);
      const task = await this.#list.take((own) => this.#choose(own, wanted));
      if (task === undefined) return undefined;
      this.#done.push(task);
      return await work(task);
    } finally {
      await turn.release();
    }
  }

  /** Ends the work on a task. Gives its status; undefined where that could not be written, and the task still lies there as taken. */
  async settle(task: PlacedTask, wish: TaskWish): Promise<string | undefined> {
    try {
      return await this.#list.settle(task, wish);
    } catch (error) {
      await this.#warnOnce(errorMessage(error));
      return undefined;
    }
  }

  /** Why `next` took none. */
  async noneFree(wanted: string | undefined): Promise<HumanError> {
    const { tasks, troubles } = await this.#list.read();
    const own = await this.#list.own(tasks);
    const named = own.filter(({ task }) => wanted === undefined || isNamed(task, wanted));
    const told = named.slice(0, mostTold).map(({ task, reason }) => `${task.name} ${reason}`);
    if (named.length > mostTold) told.push(`and ${named.length - mostTold} more`);
    for (const trouble of troubles) await this.#warnOnce(trouble);
    const file = this.#asked.folder;
    if (named.length > 0)
      return new HumanError('no-task', `No task is free: ${told.join(', ')}.`, {
        file,
        remedy: 'Set the status of a task to pending to repeat it.',
      });
    const ids = own.map(({ task }) => task.name).slice(0, mostTold);
    if (wanted === undefined)
      return new HumanError('no-task', `No task can be read. ${troubles.join(' ')}`, {
        file,
        remedy: 'Repair these files, and try again.',
      });
    return new HumanError('usage', `There is no task ${wanted} for a tester.`, {
      file,
      value: wanted,
      remedy:
        ids.length === 0
          ? 'A task for a tester is named TEST-… and has the owner tester.'
          : `The tasks are ${ids.join(', ')}.`,
    });
  }

  /** A task is done once in a round, also when its status is set back meanwhile. */
  #choose(own: readonly OwnTask[], wanted: string | undefined): PlacedTask | undefined {
    const isDone = ({ file, id }: PlacedTask): boolean =>
      this.#done.some((task) => task.file === file && task.id === id);
    if (wanted !== undefined)
      return own.find(({ task, isFreeByName }) => isFreeByName && isNamed(task, wanted))?.task;
    return own.find(({ task, isFree }) => isFree && !isDone(task))?.task;
  }

  /** Others wait before they take a task, so that none lies taken and untouched. */
  async #turn(): Promise<OwnedLock> {
    const { root, signal } = this.#asked;
    const file = path.join(cacheFolderOf(root), `tasks-${hashText(root).slice(0, 16)}.lock`);
    for (let told = false; ; told = true) {
      const lock = await takeLock(file);
      if (lock) return lock;
      if (!told)
        await this.#warnOnce('Another tester is working in this folder: waiting for it to finish its task.');
      await wait(250, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }

  async #warnOnce(text: string): Promise<void> {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    await this.#asked.warn(text);
  }
}

const isNamed = ({ id, name }: PlacedTask, wanted: string): boolean => id === wanted || name === wanted;
