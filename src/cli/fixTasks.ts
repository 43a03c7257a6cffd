// `testmend fix --session DIR`: the tasks that a coordinator handed over, one after the other (CONTRACTS T14).
import path from 'node:path';
import { HumanError } from '../core/base/humanError.ts';
import { realPathOr } from '../core/base/paths.ts';
import { reasonCode } from '../core/base/reasonCode.ts';
import type { FixSession } from '../core/engine/fixSession.ts';
import { SessionTasks, type PlacedTask, type TaskWish } from '../core/engine/sessionTasks.ts';
import { plainLine, plural } from '../core/reports/paint.ts';
import type { CommandContext, CommandResult } from './command.ts';
import { errorText } from './errors.ts';
import type { FixResult } from './fixResult.ts';
import { say, sessionOf } from './fixSession.ts';
import { sessionFolder } from './sessionFolder.ts';

type Fix = (context: CommandContext, session: FixSession) => Promise<FixResult>;

/** They are about one cycle. */
const ofOneCycle = ['json', 'patch', 'hand-over', 'events', 'reporter', 'resume', 'discard'];

/**
 * Does the tasks that are free, or `--task`; with files, or in a session without tasks for a tester, one cycle without a task. Throws a
 * `no-task` HumanError when there are tasks and none is free.
 */
export async function fixTasks(context: CommandContext, fix: Fix): Promise<CommandResult> {
  const { options, files, signal, terminal } = context;
  const wanted = options.text('task');
  if (wanted !== undefined && files.length > 0)
    throw new HumanError('usage', '--task and files exclude each other.', {
      value: wanted,
      remedy: 'Leave one of them out: a task names its own tests.',
    });
  if (files.length > 0) return fix(context, await sessionOf(context));
  const tasks = new SessionTasks({
    folder: sessionFolder(options),
    root: realPathOr(path.resolve(options.text('root') ?? '.')),
    signal,
    warn: (text) => terminal.err(`! ${plainLine(text)}\n`),
  });
  if (wanted === undefined && !(await tasks.hasAny())) return fix(context, await sessionOf(context));
  return new TaskRound(context, tasks, fix).run(wanted);
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
  readonly #tasks: SessionTasks;
  readonly #fix: Fix;

  constructor(context: CommandContext, tasks: SessionTasks, fix: Fix) {
    this.#context = context;
    this.#tasks = tasks;
    this.#fix = fix;
  }

  async run(wanted: string | undefined): Promise<CommandResult> {
    const { options, signal } = this.#context;
    const isOne = wanted !== undefined || ofOneCycle.some((name) => options.flag(name));
    const all: Done[] = [];
    for (let isOver = false; !isOver; isOver ||= isOne || signal.aborted) {
      const done = await this.#tasks.next(wanted, (task) => this.#work(task));
      if (done === undefined) isOver = true;
      else all.push(done);
    }
    if (all.length === 0) throw await this.#tasks.noneFree(wanted);
    if (!isOne) await say(this.#context, closing(all));
    const [first] = all;
    // The worst of them, as the codes are ordered.
    const exitCode = Math.max(...all.map((one) => one.exitCode));
    const { id, name, subject } = first?.task ?? {};
    return {
      exitCode,
      json: { ...first?.result?.json, task: { id, name, subject, status: first?.status } },
    };
  }

  async #work(task: PlacedTask): Promise<Done> {
    const { terminal, signal } = this.#context;
    const title = terminal.paint.bold(`Task ${plainLine(task.name)}`);
    await say(this.#context, `\n${title}  ${plainLine(withoutName(task))}`);
    try {
      const result = await this.#fix(this.#context, await sessionOf(this.#context, task));
      // A tester that was stopped is like one that died: its task is taken up again.
      if (reasonCode(signal) === 'cancelled')
        return { task, status: 'in_progress', exitCode: result.exitCode, result };
      const isReached = result.outcome?.isReached === true;
      const status = await this.#settle(task, isReached ? 'completed' : 'in_progress');
      return { task, status, exitCode: result.exitCode, result };
    } catch (error) {
      if (reasonCode(signal) === 'cancelled') throw error;
      const isBusy = error instanceof HumanError && error.code === 'busy';
      const status = await this.#settle(task, isBusy ? 'pending' : 'in_progress');
      if (isBusy || terminal.json || !(error instanceof HumanError)) throw error;
      await terminal.err(errorText(error, terminal));
      return { task, status, exitCode: 2 };
    }
  }

  async #settle(task: PlacedTask, wish: TaskWish): Promise<string> {
    const status = await this.#tasks.settle(task, wish);
    if (status !== undefined) await say(this.#context, statusText(task, status));
    return status ?? 'in_progress';
  }
}

function closing(all: readonly Done[]): string {
  const left = all.filter(({ status }) => status !== 'completed').map(({ task }) => plainLine(task.name));
  const rest = left.length === 0 ? '' : `; left for the coordinator: ${left.join(', ')}`;
  return `\n${all.length - left.length} of ${plural(all.length, 'task')} completed${rest}.`;
}

const withoutName = ({ name, subject }: PlacedTask): string =>
  subject.startsWith(name) ? subject.slice(name.length).replace(/^[\s:,;–-]+/, '') : subject;

function statusText({ name }: PlacedTask, status: string): string {
  const plain = plainLine(name);
  if (status === 'completed') return `${plain} is completed.`;
  if (status === 'pending') return `${plain} is released.`;
  if (status === 'in_progress') return `${plain} is left in_progress for the coordinator.`;
  return `${plain} now has the status "${plainLine(status)}", which was kept.`;
}
