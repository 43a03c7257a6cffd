// Runs one process of a run: listens to its reporter, and says in words how it ended.
import { randomBytes } from 'node:crypto';
import { HumanError } from '../base/humanError.ts';
import type { Interpretation, Launch } from '../frameworks/framework.ts';
import type { TestResult } from '../model/testResult.ts';
import { withPackageBins } from '../process/packagePrograms.ts';
import { runProcess, type ProcessRequest, type ProcessResult } from '../process/runProcess.ts';
import type { Cause } from './fileRun.ts';
import { removeLeftFolder } from './leftFolders.ts';
import type { CollectorContext } from './resultCollector.ts';
import type { RootWatch } from './rootWatch.ts';

/** Runs one process of a launch to its end, as runProcess promises it. */
export type StartProcess = (request: ProcessRequest, launch: Launch) => Promise<ProcessResult>;

interface LaunchRequest extends CollectorContext {
  /** Absolute path of the user's node; empty when no launch needs it. */
  readonly node: string;
  readonly start?: StartProcess;
  readonly env: Readonly<Record<string, string>>;
  /** The whole run's time, ms, and what is left of it. */
  readonly limitMs: number;
  readonly remainingMs: number;
  readonly signal?: AbortSignal;
  /** Notices that the folder under test is deleted. */
  readonly rootWatch?: RootWatch;
}

export interface LaunchResult {
  readonly tests: readonly TestResult[];
  readonly notes: readonly string[];
  /** The limit of the whole run was what ended it. */
  readonly hitRunLimit: boolean;
  /** The process was ended from outside, so it could not tell its coverage. */
  readonly wasEnded: boolean;
}

/** What node runs finds the programs of packages by name, as it does below `npm test`. */
function environmentOf({ launch, env }: LaunchRequest): Readonly<Record<string, string>> {
  const own = { ...env, ...launch.env };
  return launch.program === undefined
    ? { ...own, ...withPackageBins(launch.cwd, { ...process.env, ...own }) }
    : own;
}

/** Runs the launch to its end; never rejects for the child's faults. */
export async function runLaunch(request: LaunchRequest): Promise<LaunchResult> {
  const { launch, remainingMs } = request;
  const signals = [request.signal, request.rootWatch?.signal].filter((one) => one !== undefined);
  const signal = signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  const timeoutMs = Math.min(launch.timeoutMs, remainingMs);
  const heard = queue<Heard>();
  const secret = randomBytes(16).toString('hex');
  const inherited = launch.inherited?.();
  const start: StartProcess = request.start ?? runProcess;
  const process: Promise<ProcessResult> =
    remainingMs <= 0
      ? Promise.resolve({ exitCode: null, signalCode: null, ended: 'timeout', durationMs: 0 })
      : start(
          {
            command: launch.program ?? request.node,
            args: launch.args,
            cwd: launch.cwd,
            env: environmentOf(request),
            // Where nothing of ours is on board nobody would take it, and the tests could.
            ...(!launch.interpret && { secret }),
            timeoutMs,
            ...(inherited && { stdoutFilter: inherited }),
            ...(signal && { signal }),
            onOutput: (stream, text) => heard.add({ stream, text }),
            onMessageLine: (line) => heard.add({ line }),
          },
          launch,
        );
  // The process needs longer to start than what listens to it needs to load.
  const [{ ResultCollector }, { SealedLines }, interpreter] = await Promise.all([
    import('./resultCollector.ts'),
    import('../process/sealedLines.ts'),
    launch.interpret?.(),
  ]);
  const collector = new ResultCollector(request);
  const lines = new SealedLines(secret);
  const take = (stream: 'stdout' | 'stderr', { messages, shown }: Interpretation): void => {
    for (const message of messages) collector.onMessage(message);
    if (shown !== '') collector.onOutput(stream, shown);
  };
  let strange = 0;
  let tooLong = 0;
  let leftFolder: string | undefined;
  let passed = false;
  heard.deliver((part) => {
    if ('stream' in part) {
      const { stream, text } = part;
      return take(stream, interpreter?.read(stream, text) ?? { messages: [], shown: text });
    }
    const message = lines.read(part.line);
    if (message === 'too-long') tooLong++;
    else if (message === 'strange') strange++;
    else if (message === 'forged') collector.distrust(forgery);
    else {
      if (message.type === 'runStarted') leftFolder = message.temporaryFolder;
      if (message.type === 'testEnded' && message.outcome === 'passed') passed = true;
      collector.onMessage(message);
    }
  });
  const result = await process;
  if (interpreter) take('stdout', await interpreter.end(result));
  if (inherited?.failure !== undefined) collector.failLater(inherited.failure);
  const deleted = request.rootWatch?.check();
  const tests = await collector.finish(
    causeOf(result, request, deleted),
    signOfFailure(result, launch, passed, request.label, deleted),
  );
  if (result.ended !== 'exited' && leftFolder !== undefined) await removeLeftFolder(leftFolder);
  const notes = [
    ...(strange === 0 ? [] : [`${linesOf(strange)} on the reporter's pipe did not come from the reporter.`]),
    ...(tooLong === 0 ? [] : [`${linesOf(tooLong)} of the reporter could not be read: longer than 32 MiB.`]),
    ...(deleted ? [deleted.message] : []),
  ];
  const hitRunLimit = result.ended === 'timeout' && timeoutMs === remainingMs;
  const wasEnded = result.ended !== 'exited' || result.signalCode !== null;
  return { tests, notes: [...collector.notes, ...notes], hitRunLimit, wasEnded };
}

const linesOf = (count: number): string => (count === 1 ? '1 line' : `${count} lines`);

/** Lines that nobody but a reporter writes came from somebody else, or lines of the reporter are missing. */
const forgery = 'Code under test wrote lines of its own among the results, or took some away.';

/** What the end of the process says of a run in which no test failed; undefined when it is a pass. */
function signOfFailure(
  { ended, exitCode, signalCode, debugged }: ProcessResult,
  { exitTells, exitWithoutTests }: Launch,
  passed: boolean,
  label: string,
  deleted: HumanError | undefined,
): string | undefined {
  if (deleted) return deleted.message;
  const isKnown = exitCode !== null || debugged !== true;
  const hadNone = !passed && exitCode !== null && exitCode === exitWithoutTests;
  const exitedBadly = ended === 'exited' && isKnown && !hadNone && exitCode !== 0 && exitTells === true;
  if (!exitedBadly) return undefined;
  const how = signalCode ? `was killed by ${signalCode}` : `ended with exit code ${exitCode ?? 'unknown'}`;
  return `No test failed, but the process of ${label} ${how}.`;
}

type Heard = { readonly stream: 'stdout' | 'stderr'; readonly text: string } | { readonly line: string };

/** Keeps what is added in order until somebody takes it. */
function queue<Part>(): { add(part: Part): void; deliver(take: (part: Part) => void): void } {
  const waiting: Part[] = [];
  let add = (part: Part): void => void waiting.push(part);
  return {
    add: (part) => add(part),
    deliver: (take) => {
      for (const part of waiting.splice(0)) take(part);
      add = take;
    },
  };
}

/** Was it a time limit of the host, not a person, that aborted the signal? */
export function isOutOfTime(signal: AbortSignal | undefined): boolean {
  const reason: unknown = signal?.aborted === true ? signal.reason : undefined;
  return reason instanceof HumanError && reason.code === 'timeout';
}

function causeOf(
  result: ProcessResult,
  { launch, label, limitMs, remainingMs, signal }: LaunchRequest,
  deleted: HumanError | undefined,
): Cause {
  if (deleted) return { message: `It did not end: ${deleted.message}`, kind: 'crash', outranks: true };
  switch (result.ended) {
    case 'cancelled':
      return isOutOfTime(signal)
        ? {
            message: `It did not end within the time limit of the run (${limitMs / 1000} s).`,
            kind: 'timeout',
          }
        : { message: 'Not run: the run was cancelled.', kind: 'crash', isCancel: true };
    case 'timeout': {
      const limit =
        launch.timeoutMs < remainingMs
          ? `of a ${label} file (${launch.timeoutMs / 1000} s)`
          : `of the run (${limitMs / 1000} s)`;
      return { message: `It did not end within the time limit ${limit}.`, kind: 'timeout' };
    }
    case 'not-started':
      return {
        message: `Its process could not be started: ${result.error ?? 'unknown error'}`,
        kind: 'crash',
      };
    case 'exited': {
      if (result.debugged)
        return { message: 'It did not end: the debug session ended before.', kind: 'crash' };
      const how = result.signalCode
        ? `was killed by ${result.signalCode}`
        : `exited with code ${result.exitCode ?? 'unknown'}`;
      const early = `${label} came to no test: its process ${how}.`;
      return { message: `It did not end: its process ${how} before.`, early, kind: 'crash' };
    }
  }
}
