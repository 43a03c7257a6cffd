// Runs one process of a run: listens to its reporter, and says in words how it ended.
import { randomBytes } from 'node:crypto';
import type { TestResult } from '../model/testResult.ts';
import { runProcess, type ProcessResult } from '../process/runProcess.ts';
import type { Cause } from './fileRun.ts';
import type { CollectorContext } from './resultCollector.ts';

export interface LaunchRequest extends CollectorContext {
  /** Absolute path of the user's node. */
  readonly node: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole run's time, ms, and what is left of it. */
  readonly limitMs: number;
  readonly remainingMs: number;
  readonly signal?: AbortSignal;
}

export interface LaunchResult {
  readonly tests: readonly TestResult[];
  readonly notes: readonly string[];
  /** The limit of the whole run was what ended it. */
  readonly hitRunLimit: boolean;
}

/** Runs the launch to its end; never rejects for the child's faults. */
export async function runLaunch(request: LaunchRequest): Promise<LaunchResult> {
  const { launch, remainingMs } = request;
  const token = randomBytes(16).toString('hex');
  const timeoutMs = Math.min(launch.timeoutMs, remainingMs);
  const heard = queue<Heard>();
  const process: Promise<ProcessResult> =
    remainingMs <= 0
      ? Promise.resolve({ exitCode: null, signalCode: null, ended: 'timeout', durationMs: 0 })
      : runProcess({
          command: request.node,
          args: launch.args,
          cwd: launch.cwd,
          env: { ...request.env, ...launch.env, TESTMEND_TOKEN: token },
          timeoutMs,
          ...(request.signal && { signal: request.signal }),
          onOutput: (stream, text) => heard.add({ stream, text }),
          onMessageLine: (line) => heard.add({ line }),
        });
  // The process needs longer to start than what listens to it needs to load.
  const [{ ResultCollector }, { parseReporterLine }] = await Promise.all([
    import('./resultCollector.ts'),
    import('../model/reporterMessage.ts'),
  ]);
  const collector = new ResultCollector(request);
  let strange = 0;
  heard.deliver((part) => {
    if ('stream' in part) return collector.onOutput(part.stream, part.text);
    const message = parseReporterLine(part.line, token);
    if (message) collector.onMessage(message);
    else strange++;
  });
  const result = await process;
  const exitedBadly = result.ended === 'exited' && result.exitCode !== 0 && request.launch.exitTells === true;
  const tests = await collector.finish(causeOf(result, request), exitedBadly);
  const lines = strange === 1 ? '1 line' : `${strange} lines`;
  const notes = strange === 0 ? [] : [`${lines} on the reporter's pipe did not come from the reporter.`];
  const hitRunLimit = result.ended === 'timeout' && timeoutMs === remainingMs;
  return { tests, notes: [...collector.notes, ...notes], hitRunLimit };
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

function causeOf(result: ProcessResult, { launch, limitMs, remainingMs }: LaunchRequest): Cause {
  switch (result.ended) {
    case 'cancelled':
      return { message: 'It did not end: the run was cancelled.', kind: 'crash' };
    case 'timeout': {
      const limit =
        launch.timeoutMs < remainingMs
          ? `of a ${launch.project.framework} file (${launch.timeoutMs / 1000} s)`
          : `of the run (${limitMs / 1000} s)`;
      return { message: `It did not end within the time limit ${limit}.`, kind: 'timeout' };
    }
    case 'not-started':
      return {
        message: `Its process could not be started: ${result.error ?? 'unknown error'}`,
        kind: 'crash',
      };
    case 'exited': {
      const how = result.signalCode
        ? `was killed by ${result.signalCode}`
        : `exited with code ${result.exitCode ?? 'unknown'}`;
      return { message: `It did not end: its process ${how} before.`, kind: 'crash' };
    }
  }
}
