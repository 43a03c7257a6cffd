// Runs the processes of a run under a debugger: the editor starts them, their reporter tells its results in a file.
import { randomBytes } from 'node:crypto';
import type { Launch } from '../frameworks/framework.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { DebugSession, RunSession } from '../model/debugSession.ts';
import { endMarked, runMark } from '../process/processTree.ts';
import type { ProcessRequest, ProcessResult } from '../process/runProcess.ts';
import { goTestEvents } from './goTestEvents.ts';
import { followReportFile } from './reportFile.ts';
import type { StartProcess } from './runLaunch.ts';

/**
 * A start that keeps what runProcess promises, but that there is no time limit: a person stands at a breakpoint as long as it takes.
 * What the session left running is ended with it.
 */
export function debugProcess(runSession: RunSession): StartProcess {
  return async (request, launch) => {
    const started = performance.now();
    const sinceStart = (): number => performance.now() - started;
    const none = { exitCode: null, signalCode: null };
    const { label } = frameworkOf(launch.project);
    const session = sessionOf(request, launch, label);
    if (session === undefined) {
      const error = `tests of ${label} cannot be debugged.`;
      return { ...none, ended: 'not-started', error, durationMs: sinceStart() };
    }
    if (request.signal?.aborted) return { ...none, ended: 'cancelled', durationMs: 0 };
    const id = randomBytes(8).toString('hex');
    const report = followReportFile(request.secret ?? '', (line) => request.onMessageLine?.(line));
    const events =
      typeof launch.debugged === 'object'
        ? goTestEvents(request.command, launch.debugged.importPath, session.cwd, (text) =>
            request.onOutput?.('stdout', text),
          )
        : undefined;
    const env = { ...session.env, TESTMEND_CHANNEL: report.file, ...runMark(id) };
    try {
      const end = await runSession(
        { ...session, env },
        (stream, text) =>
          events && stream === 'stdout' ? events.write(text) : request.onOutput?.(stream, text),
        request.signal,
      );
      await endMarked(id);
      const result: ProcessResult = { ...none, ...end, durationMs: sinceStart() };
      return end.ended === 'exited' ? { ...result, debugged: true } : result;
    } finally {
      await events?.end();
      report.finish();
    }
  };
}

/** Undefined where no debugger knows the program. */
function sessionOf(request: ProcessRequest, launch: Launch, label: string): DebugSession | undefined {
  const { command: program, args, cwd, env = {} } = request;
  const common = { label, cwd, env: { ...env } };
  const { debugged } = launch;
  if (typeof debugged === 'object') {
    const { folder, args: own } = debugged;
    return { ...common, language: 'go', program: folder, cwd: folder, args: [...own, '-test.v=test2json'] };
  }
  const language = debugged ?? (launch.program === undefined ? 'javascript' : undefined);
  return language && { ...common, language, program, args: [...args] };
}
