// What `--session` adds to `testmend fix`, from the options, and shown on the terminal.
import path from 'node:path';
import type { EndedCycle, FixSession } from '../core/engine/fixSession.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';
import type { PlacedTask } from '../core/engine/sessionTasks.ts';
import { layerSchema } from '../core/model/settings.ts';
import type { RunSummary } from '../core/model/testResult.ts';
import { plainLine } from '../core/reports/paint.ts';
import type { CommandContext } from './command.ts';
import { LiveLine } from './liveLine.ts';
import type { Options } from './options.ts';
import { sessionFolder } from './sessionFolder.ts';

/** `task`: what it is about. Throws a `usage` HumanError for a command for messages that is none. */
export async function sessionOf(context: CommandContext, task?: PlacedTask): Promise<FixSession> {
  const { options, signal } = context;
  const { FixSession: Session } = await import('../core/engine/fixSession.ts');
  return new Session({
    folder: sessionFolder(options),
    root: path.resolve(options.text('root') ?? '.'),
    messageCommand: options.text('message-command'),
    layer: options.choice('layer', layerSchema.options),
    ...(task && { task }),
    signal,
    warn: (text) => context.terminal.err(`! ${plainLine(text)}\n`),
    onWritten: (file, rates) =>
      say(context, `Results in ${plainLine(path.relative(process.cwd(), file))}: ${rates}.`),
  });
}

/** The options with the framework of the session, unless the user named one or the tests. */
export async function optionsIn(session: FixSession, { options, files }: CommandContext): Promise<Options> {
  if (files.length > 0) return options;
  const framework = await session.framework();
  return framework === undefined || options.flag('framework')
    ? options
    : options.with('framework', framework);
}

/** The command, limited to the tests that the session is about. */
export async function narrowedTo(
  session: FixSession,
  context: CommandContext,
  opened: OpenedWorkspace,
): Promise<CommandContext> {
  const { files, layer } = await session.narrow(opened, context.files.length > 0);
  // Who wrote the files says of which layer they are, whatever their names look like.
  if (files !== undefined) return { ...context, files, options: context.options.without('layer') };
  return layer === undefined ? context : { ...context, options: context.options.with('layer', layer) };
}

/** The last run of a session; what kept it from running is told after what the cycle found. */
export async function lastRun(
  session: FixSession,
  ended: EndedCycle,
  { terminal }: CommandContext,
): Promise<{ readonly run?: RunSummary | undefined; readonly failure?: { readonly error: unknown } }> {
  const live = new LiveLine(terminal);
  live.show('running the tests as they are on disk, with coverage');
  try {
    return { run: await session.measure(ended) };
  } catch (error) {
    return { failure: { error } };
  } finally {
    live.clear();
  }
}

/** For people: on stdout unless that belongs to a document. */
export function say({ terminal, options }: CommandContext, text: string): Promise<void> {
  const isAside = terminal.json || options.text('events') === 'ndjson';
  return isAside ? terminal.err(`${text}\n`) : terminal.out(`${text}\n`);
}
