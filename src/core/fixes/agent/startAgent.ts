// Starts a coding agent in a copy of its own: in a jail where there is one, which hides the user's files and ends all it started.
import { existsSync } from 'node:fs';
import { cp, lstat, mkdir, readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { isInside, realPathOr } from '../../base/paths.ts';
import { runInJail, type Jail } from '../../process/jail.ts';
import { endWorkingIn } from '../../process/processTree.ts';
import { pathPlaces, programPlaces } from '../../process/programPlaces.ts';
import { programOnPath } from '../../process/programOnPath.ts';
import { underReaper } from '../../process/underReaper.ts';
import { runProcess, type ProcessRequest, type ProcessResult } from '../../process/runProcess.ts';
import type { OwnCopy } from '../../sandbox/sandbox.ts';
import { agentFilesOf, type AgentCommand } from './agentCommand.ts';

/** What of the user's files an agent in a jail gets beside the copy and its programs; absolute paths, at which it finds them. */
export interface AgentAccess {
  readonly reads: readonly string[];
  /** What it writes there stays. */
  readonly writes: readonly string[];
}

export interface AgentStart {
  readonly agent: AgentCommand;
  /** The words with the task in place. */
  readonly args: readonly string[];
  readonly copy: OwnCopy;
  /** Undefined: it runs with the user's rights. */
  readonly jail: Jail | undefined;
  readonly access: AgentAccess;
  /** Absolute folder with the task, which it may read. */
  readonly taskFolder: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (text: string) => void;
}

/** Resolves when the agent ended, and with it all it started, as far as that can be found. */
export async function startAgent(start: AgentStart): Promise<ProcessResult> {
  const { agent, args, copy, jail, timeoutMs, signal, onOutput } = start;
  const asked: ProcessRequest = {
    command: agent.command,
    args,
    cwd: copy.root,
    withoutEnv: oursAndDoors(jail !== undefined),
    timeoutMs,
    signal,
    onOutput: (_, text) => onOutput(text),
  };
  const command = programAt(agent.command, copy.root);
  if (jail === undefined) {
    const reaped = command === undefined ? undefined : underReaper(command, args);
    const result = await runProcess({ ...asked, ...reaped });
    await endWorkingIn(copy.folder);
    return result;
  }
  if (command === undefined)
    return {
      exitCode: null,
      signalCode: null,
      ended: 'not-started',
      error: 'no such program',
      durationMs: 0,
    };
  const folder = path.join(copy.folder, 'jail');
  await giveOwnFiles(agent, path.join(folder, 'home'));
  const { reads, writes } = start.access;
  const readable = [
    ...[...pathPlaces(), ...programPlaces(command), ...args.filter(isFileOf)].filter(isNarrow(copy)),
    ...copy.readable,
    start.taskFolder,
    ...reads,
  ];
  const { hidden } = copy;
  // Only its diff leaves the copy: what lies in the workspace it writes there, whoever names it.
  const isElsewhere = (place: string): boolean =>
    !hidden.some((folder) => isInside(folder, realPathOr(place)));
  const writable = [copy.top, ...writes.filter(isElsewhere)];
  const view = { readable, writable, hidden, folder };
  return runInJail(jail, view, { ...asked, command });
}

/** Absolute path of the program; undefined when there is none. Words with a slash are relative to the copy. */
function programAt(command: string, root: string): string | undefined {
  if (!command.includes('/')) return programOnPath([command]);
  const file = path.resolve(root, command);
  return existsSync(file) ? file : undefined;
}

const isFileOf = (word: string): boolean => path.isAbsolute(word) && existsSync(word);

/** What is shown unasked never holds the user's home or the workspace as a whole. */
function isNarrow({ hidden }: OwnCopy): (place: string) => boolean {
  const wide = [os.homedir(), os.tmpdir(), process.cwd(), ...hidden];
  return (place) => !wide.some((folder) => isInside(place, folder));
}

/** More than this of an agent's own files is left out, smallest first, bytes. */
const ownFilesLimit = 50_000_000;

/**
 * A copy of its login and its settings, which it may write. Nothing of that stays: what an agent leaves in its settings may start
 * programs when it is used next, outside of any jail.
 */
async function giveOwnFiles(agent: AgentCommand, home: string): Promise<void> {
  await mkdir(home, { recursive: true });
  let room = ownFilesLimit;
  for (const name of agentFilesOf(agent)) {
    const from = path.join(os.homedir(), name);
    const size = await sizeOf(from, room);
    if (size === undefined || size > room) continue;
    room -= size;
    await cp(from, path.join(home, name), { recursive: true, verbatimSymlinks: true }).catch(() => undefined);
  }
}

/** Undefined when it is not there; counting ends above the limit. */
async function sizeOf(file: string, limit: number): Promise<number | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return stats.size;
  let size = 0;
  for (const name of await readdir(file).catch(() => [])) {
    size += (await sizeOf(path.join(file, name), limit - size)) ?? 0;
    if (size > limit) break;
  }
  return size;
}

/** Ways to programs of the user's that would do something outside of the jail for whoever asks them. */
const doors =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|GPG_AGENT_INFO|DBUS_.*|XDG_RUNTIME_DIR|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|WSL_INTEROP)$/;

/** Variables that only we know, and for a jail these ways. */
const oursAndDoors = (isJailed: boolean): readonly string[] =>
  Object.keys(process.env).filter((name) => /^TESTMEND_/i.test(name) || (isJailed && doors.test(name)));
