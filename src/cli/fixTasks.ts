// `testmend fix --session DIR`: the tasks that a coordinator handed over, one after the other (CONTRACTS T14).
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import { TaskList, type OwnTask, type PlacedTask } from '../core/session/taskList.ts';
import { takeTurn, type OwnedLock } from '../core/engine/taskTurn.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { errorText } from './errors.ts';
import type { FixResult } from './fixResult.ts';
import { FixSession } from './fixSession.ts';
import { reasonCode } from '../core/base/reasonCode.ts';
import { sessionFolder } from './sessionFolder.ts';

type Fix = (context: CommandContext, session: FixSession) => Promise<FixResult>;

/** They are about one cycle. */
const ofOneCycle = ['json', 'patch', 'hand-over', 'events', 'reporter', 'resume', 'discard'];

/**
 * Does the tasks that are free, or `--task`; with files, or in a session without tasks for a tester, one cycle without a task. Throws a
 * `no-task` HumanError when there are tasks and none is free.
 */
export async function fixTasks(context: CommandContext, fix: Fix): Promise<CommandResult> {
  const { options, files } = context;
  const wanted = options.text('task');
  if (wanted !== undefined && files.length > 0)
    throw new HumanError('usage', '--task and files exclude each other.', {
      value: wanted,
      remedy: 'Leave one of them out: a task says itself which tests it is about.',
    });
  if (files.length > 0) return fix(context, new FixSession(context));
  const list = new TaskList(sessionFolder(options));
  const { tasks, troubles } = await list.read();
  const isPlain = troubles.length === 0 && (await list.own(tasks)).length === 0;
  if (isPlain && wanted === undefined) return fix(context, new FixSession(context));
  return new TaskRound(context, list, fix).run(wanted);
}

interface Done {
  readonly task: PlacedTask;
  readonly status: string;
  readonly exitCode: number;
  readonly result?: FixResult;
}

/** One command's way through the tasks of a session. */
class TaskRound {
  readonly #context: CommandContext;
  readonly #list: TaskList;
  readonly #fix: Fix;
  readonly #done: Done[] = [];
  readonly #told = new Set<string>();

  constructor(context: CommandContext, list: TaskList, fix: Fix) {
    this.#context = context;
    this.#list = list;
    this.#fix = fix;
  }

  async run(wanted: string | undefined): Promise<CommandResult> {
    const { options, signal } = this.#context;
    const isOne = wanted !== undefined || ofOneCycle.some((name) => options.flag(name));
    for (let isOver = false; !isOver; isOver ||= isOne || signal.aborted) {
      const done = await this.#next(wanted);
      if (done === undefined) isOver = true;
      else this.#done.push(done);
    }
    if (this.#done.length === 0) throw await this.#noneFree(wanted);
    if (!isOne) await this.#say(this.#closing());
    const [first] = this.#done;
    // The worst of them, as the codes are ordered.
    const exitCode = Math.max(...this.#done.map((one) => one.exitCode));
    const { id, name, subject } = first?.task ?? {};
    return {
      exitCode,
      json: { ...first?.result?.json, task: { id, name, subject, status: first?.status } },
    };
  }

  /** Takes one task and works on it; undefined when none is free. */
  async #next(wanted: string | undefined): Promise<Done | undefined> {
    const turn = await this.#turn();
    try {
      for (const trouble of (await this.#list.read()).troubles) await this.#warnOnce(trouble);
      const task = await this.#list.take((own) => this.#choose(own, wanted));
      return task && (await this.#work(task));
    } finally {
      await turn.release();
    }
  }

  /** A task is done once in a round, also when its status is set back meanwhile. */
  #choose(own: readonly OwnTask[], wanted: string | undefined): PlacedTask | undefined {
    const isDone = ({ file, id }: PlacedTask): boolean =>
      this.#done.some(({ task }) => task.file === file && task.id === id);
    if (wanted !== undefined)
      return own.find(({ task, isFreeByName }) => isFreeByName && isNamed(task, wanted))?.task;
    return own.find(({ task, isFree }) => isFree && !isDone(task))?.task;
  }

  async #work(task: PlacedTask): Promise<Done> {
    const { terminal, signal } = this.#context;
    await this.#say(
      `\n${terminal.paint.bold(`Task ${plainLine(task.name)}`)}  ${plainLine(withoutName(task))}`,
    );
    try {
      const result = await this.#fix(this.#context, new FixSession(this.#context, task));
      // A tester that was stopped is like one that died: its task is taken up again.
      if (reasonCode(signal) === 'cancelled')
        return { task, status: 'in_progress', exitCode: result.exitCode, result };
      const isReached = result.outcome?.isReached === true;
      return await this.#settle(task, isReached ? 'completed' : 'in_progress', result.exitCode, result);
    } catch (error) {
      if (reasonCode(signal) === 'cancelled') throw error;
      const isBusy = error instanceof HumanError && error.code === 'busy';
      const done = await this.#settle(task, isBusy ? 'pending' : 'in_progress', 2);
      if (isBusy || terminal.json || !(error instanceof HumanError)) throw error;
      await terminal.err(errorText(error, terminal));
      return done;
    }
  }

  async #settle(
    task: PlacedTask,
    wish: 'completed' | 'in_progress' | 'pending',
    exitCode: number,
    result?: FixResult,
  ): Promise<Done> {
    // What could not be written down did not happen: the task still lies there as taken.
    let status = 'in_progress';
    try {
      status = await this.#list.settle(task, wish);
      await this.#say(statusText(task, status));
    } catch (error) {
      await this.#warnOnce(errorMessage(error));
    }
    return { task, status, exitCode, ...(result && { result }) };
  }

  /** One tester at a time works on a folder; others wait before they take a task, so that none lies taken and untouched. */
  async #turn(): Promise<OwnedLock> {
    const { options, signal } = this.#context;
    const root = realPathOr(path.resolve(options.text('root') ?? '.'));
    for (let told = false; ; told = true) {
      const lock = await takeTurn(root);
      if (lock) return lock;
      if (!told)
        await this.#warnOnce('Another tester is working in this folder: waiting until its task is done.');
      await wait(250, undefined, { signal }).catch(() => {
        throw signal.reason;
      });
    }
  }

  async #noneFree(wanted: string | undefined): Promise<HumanError> {
    const { tasks, troubles } = await this.#list.read();
    const own = await this.#list.own(tasks);
    const named = own.filter(({ task }) => wanted === undefined || isNamed(task, wanted));
    const told = named.slice(0, mostTold).map(({ task, reason }) => `${task.name} ${reason}`);
    if (named.length > mostTold) told.push(`and ${named.length - mostTold} more`);
    for (const trouble of troubles) await this.#warnOnce(trouble);
    const file = sessionFolder(this.#context.options);
    if (named.length > 0)
      return new HumanError('no-task', `No task is free: ${told.join(', ')}.`, {
        file,
        remedy: 'Set the status of a task to pending to have it done again.',
      });
    const ids = own.map(({ task }) => task.name).slice(0, mostTold);
    if (wanted === undefined)
      return new HumanError('no-task', `No task can be read. ${troubles.join(' ')}`, {
        file,
        remedy: 'Repair the named files, and start again.',
      });
    return new HumanError('usage', `There is no task ${wanted} for a tester.`, {
      file,
      value: wanted,
      remedy:
        ids.length === 0
          ? 'A task for a tester is named TEST-… and has the owner tester.'
          : `There are ${ids.join(', ')}.`,
    });
  }

  #closing(): string {
    const completed = this.#done.filter(({ status }) => status === 'completed').length;
    const left = this.#done
      .filter(({ status }) => status !== 'completed')
      .map(({ task }) => plainLine(task.name));
    const rest = left.length === 0 ? '' : `; left for the coordinator: ${left.join(', ')}`;
    return `\n${completed} of ${plural(this.#done.length, 'task')} completed${rest}.`;
  }

  /** For people: on stdout unless that belongs to a document. */
  #say(text: string): Promise<void> {
    const { terminal, options } = this.#context;
    const isAside = terminal.json || options.text('events') === 'ndjson';
    return isAside ? terminal.err(`${text}\n`) : terminal.out(`${text}\n`);
  }

  async #warnOnce(text: string): Promise<void> {
    if (this.#told.has(text)) return;
    this.#told.add(text);
    await this.#context.terminal.err(`! ${plainLine(text)}\n`);
  }
}

const mostTold = 10;

const isNamed = ({ id, name }: PlacedTask, wanted: string): boolean => id === wanted || name === wanted;

const withoutName = ({ name, subject }: PlacedTask): string =>
  subject.startsWith(name) ? subject.slice(name.length).replace(/^[\s:,;–-]+/, '') : subject;

function statusText({ name }: PlacedTask, status: string): string {
  const plain = plainLine(name);
  if (status === 'completed') return `${plain} is completed.`;
  if (status === 'pending') return `${plain} is given back.`;
  if (status === 'in_progress') return `${plain} is left in_progress for the coordinator.`;
  return `${plain} has the status "${plainLine(status)}" by now, which was kept.`;
}
