// Starts one of the user's processes in a group of its own, listens to it, and leaves nothing of it behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { errorMessage } from '../base/humanError.ts';
import { readFiltered, readLines, readText, type OutputFilter, type OutputReader } from './outputReaders.ts';
import { endAtExit, endLeftovers, endTree, runMark } from './processTree.ts';
import { userEnvironment } from './userEnvironment.ts';

export interface ProcessRequest {
  /** Absolute path, or a name to look up on PATH; never a shell line. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to the user's environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of variables that are taken out of it. */
  readonly withoutEnv?: readonly string[];
  /** After so many ms the whole tree is ended; absent means no limit. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Between SIGTERM and SIGKILL, ms; 200 when absent. */
  readonly killGraceMs?: number;
  readonly onOutput?: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Sees stdout first. */
  readonly stdoutFilter?: OutputFilter;
  /** Key of the seal on what our code in it writes to file descriptor 3 (frameworks/reporterChannel.cjs): handed over there, before all else. */
  readonly secret?: string;
  /** One line of what the process writes to file descriptor 3, without its line end; empty lines are not told. */
  readonly onMessageLine?: (line: string) => void;
}

export interface ProcessResult {
  readonly exitCode: number | null;
  readonly signalCode: string | null;
  readonly ended: 'exited' | 'timeout' | 'cancelled' | 'not-started';
  /** Why it could not be started. */
  readonly error?: string;
  /** A debugger started it: an exit code of null says nothing of how it ended. */
  readonly debugged?: true;
  readonly durationMs: number;
}

/** A process that was started and is not heard yet: what it says waits in its pipes. */
export interface StartedProcess {
  readonly child: ChildProcess;
  /** Its mark (processTree.ts). */
  readonly id: string;
  readonly exited: Promise<true>;
  /** Why it could not be started. */
  readonly failed: Promise<string>;
}

/**
 * Runs a process to its end and resolves when it and everything it started are gone and all it said was handed over.
 * Never rejects for the child's faults: they are told in the result. The child gets no stdin.
 */
export async function runProcess(request: ProcessRequest): Promise<ProcessResult> {
  const startedAt = performance.now();
  const none = { exitCode: null, signalCode: null };
  if (request.signal?.aborted) return { ...none, ended: 'cancelled', durationMs: 0 };
  let started: StartedProcess;
  try {
    started = startProcess(request);
  } catch (error) {
    const durationMs = performance.now() - startedAt;
    return { ...none, ended: 'not-started', error: errorMessage(error), durationMs };
  }
  return followProcess(started, request);
}

/**
 * Starts a process in a group of its own; whoever starts it follows it. Throws for arguments that no system takes.
 *
 * Node's own `spawn`, not execa: the group id, the fourth pipe and the order in which they end are the point here.
 */
export function startProcess({
  command,
  args,
  cwd,
  env,
  withoutEnv = [],
  secret,
}: Pick<ProcessRequest, 'command' | 'args' | 'cwd' | 'env' | 'withoutEnv' | 'secret'>): StartedProcess {
  const id = randomBytes(8).toString('hex');
  const isWindows = process.platform === 'win32';
  const inherited = Object.entries(userEnvironment(process.env)).filter(
    ([name]) => !withoutEnv.includes(name),
  );
  const child = spawn(command, [...args], {
    cwd,
    env: {
      ...Object.fromEntries(inherited),
      ...env,
      ...(secret !== undefined && { TESTMEND_CHANNEL: '3' }),
      // There a pipe has not been tried, and nobody can read what the process takes out of its environment.
      ...(secret !== undefined && isWindows && { TESTMEND_CHANNEL_KEY: secret }),
      ...runMark(id),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: !isWindows,
    windowsHide: true,
    shell: false,
  });
  endWithUs(child);
  const channel = child.stdio[3];
  if (secret !== undefined && !isWindows && child.pid !== undefined && channel instanceof Writable) {
    channel.on('error', () => undefined);
    channel.write(`${secret}\n`);
  }
  return {
    child,
    id,
    exited: new Promise((resolve) => child.once('exit', () => resolve(true))),
    failed: new Promise((resolve) => child.once('error', (error) => resolve(errorMessage(error)))),
  };
}

/** Those that have not exited. */
const live = new Set<ChildProcess>();
let isListening = false;

/** Whoever leaves at once (a second ctrl-C) leaves no process behind; a group of its own would go on for good. */
function endWithUs(child: ChildProcess): void {
  if (child.pid === undefined) return;
  live.add(child);
  child.once('exit', () => live.delete(child));
  if (isListening) return;
  isListening = true;
  // Before the files of sandboxes go: a test might write once more.
  process.prependListener('exit', () => endAtExit([...live].flatMap(({ pid }) => pid ?? [])));
}

/** Hears a process from now on, to its end, as runProcess does. */
export async function followProcess(
  { child, id, exited, failed }: StartedProcess,
  request: ProcessRequest,
): Promise<ProcessResult> {
  const started = performance.now();
  const sinceStart = (): number => performance.now() - started;
  const streams = listen(child, request);
  const pid = child.pid;
  if (pid === undefined) {
    const reason = await failed;
    streams.destroy();
    // Node blames the program when it is the folder that is missing.
    const error = existsSync(request.cwd) ? reason : `the folder ${request.cwd} does not exist`;
    return { exitCode: null, signalCode: null, ended: 'not-started', error, durationMs: sinceStart() };
  }

  const stop = stopReason(request);
  const outcome = await Promise.race([exited, stop.reason]);
  const ended = outcome === true ? 'exited' : outcome;
  stop.dispose();
  if (ended !== 'exited') await endTree(pid, id, request.killGraceMs ?? 200, exited);
  else await endLeftovers(pid, id);
  // A process that the system itself cannot end must not hold us for ever.
  await Promise.race([exited, new Promise((resolve) => setTimeout(resolve, 5_000).unref())]);
  await streams.finish();
  return { exitCode: child.exitCode, signalCode: child.signalCode, ended, durationMs: sinceStart() };
}

/** Resolves with why the process has to be ended before it ends by itself. */
function stopReason(request: ProcessRequest): {
  readonly reason: Promise<'timeout' | 'cancelled'>;
  dispose(): void;
} {
  let dispose = (): void => undefined;
  const reason = new Promise<'timeout' | 'cancelled'>((resolve) => {
    const onAbort = (): void => resolve('cancelled');
    request.signal?.addEventListener('abort', onAbort, { once: true });
    // setTimeout takes at most 2^31 - 1 ms and fires at once above it.
    const timer =
      request.timeoutMs === undefined
        ? undefined
        : setTimeout(() => resolve('timeout'), Math.min(Math.max(request.timeoutMs, 1), 2 ** 31 - 1));
    dispose = () => {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', onAbort);
    };
  });
  return { reason, dispose: () => dispose() };
}

/** Drains the three pipes from the start, so that the child never waits for us. */
function listen(child: ChildProcess, request: ProcessRequest): { finish(): Promise<void>; destroy(): void } {
  const streams: Readable[] = [];
  const readers: { finish(): void }[] = [];
  let reads = 0;
  const attach = (readable: Readable | Writable | null | undefined, reader: OutputReader): void => {
    if (!(readable instanceof Readable)) return;
    readable.on('data', (chunk: Buffer) => {
      reads++;
      reader.read(chunk);
    });
    // A pipe that breaks has nothing more to say; the exit tells what happened.
    readable.on('error', () => undefined);
    // One that was read before stands still.
    readable.resume();
    streams.push(readable);
    readers.push(reader);
  };
  const printed = readText((text) => request.onOutput?.('stdout', text));
  attach(child.stdout, request.stdoutFilter ? readFiltered(request.stdoutFilter, printed) : printed);
  attach(
    child.stderr,
    readText((text) => request.onOutput?.('stderr', text)),
  );
  attach(
    child.stdio[3],
    readLines((line) => request.onMessageLine?.(line)),
  );

  const destroy = (): void => {
    for (const stream of streams) stream.destroy();
    for (const reader of readers) reader.finish();
    child.stdio[3]?.destroy();
  };
  return {
    destroy,
    /** Waits for the ends of the pipes; when somebody unknown keeps one open, until it has been quiet for a while. */
    async finish() {
      const closed = (): boolean => streams.every((stream) => stream.closed || stream.readableEnded);
      // Turns of the event loop, not time: while it stood still nothing could be read, however long that was.
      for (
        let quiet = 0, known = reads;
        !closed() && quiet < quietTurns;
        quiet = reads === known ? quiet + 1 : 0
      ) {
        known = reads;
        await Promise.race([Promise.all(streams.map(closeOf)), turn()]);
      }
      destroy();
    },
  };
}

/** So many turns without anything to read, and whoever holds a pipe open has nothing to say to us. */
const quietTurns = 4;

/** A while, and then once through all that waits to be read. */
function turn(): Promise<void> {
  return new Promise((resolve) => setTimeout(() => setImmediate(resolve), 25));
}

async function closeOf(stream: Readable): Promise<void> {
  if (!stream.closed) await new Promise<void>((resolve) => stream.once('close', resolve));
}
