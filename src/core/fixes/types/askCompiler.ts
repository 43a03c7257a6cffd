// Asks the compiler in a process of its own: it works for seconds without a pause, and whoever waits may change their mind.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { runProcess, type ProcessResult } from '../../process/runProcess.ts';
import { typeAnswerSchema, type TypeAnswer } from './typeAnswer.ts';

interface CompilerQuestion {
  /** Absolute. */
  readonly root: string;
  /** Relative to the root. */
  readonly file: string;
  readonly signal: AbortSignal;
  /** The process is ended after so many ms; two minutes when absent. */
  readonly limitMs?: number;
}

type Answered =
  | {
      readonly answer: TypeAnswer;
      /** Which one was asked: `TypeScript 5.4.5 of the project`. */
      readonly compiler: string;
    }
  | { readonly reason: string };

/** What the compiler found, or one sentence why nothing is known; undefined when it was cancelled. Its process is gone by then. */
export async function askCompiler({
  root,
  file,
  signal,
  limitMs = 120_000,
}: CompilerQuestion): Promise<Answered | undefined> {
  const script = childScript();
  let said: string | undefined;
  let complaint = '';
  const result = await runProcess({
    command: process.execPath,
    // The loader of TypeScript, where we run from the sources; no debugger, which has its port already.
    args: [...process.execArgv.filter((option) => !option.startsWith('--inspect')), script, root, file],
    cwd: path.dirname(script),
    // Inside of VS Code our own executable is Electron. It is our process: nothing of the user is preloaded.
    env: { ELECTRON_RUN_AS_NODE: '1', NODE_OPTIONS: '' },
    timeoutMs: limitMs,
    signal,
    onMessageLine: (line) => (said = line),
    onOutput: (_stream, text) => (complaint = (complaint + text).slice(-20_000)),
  });
  if (result.ended === 'cancelled') return undefined;
  const told = z.object({ compiler: z.string(), answer: typeAnswerSchema });
  const answered = said === undefined ? undefined : told.safeParse(parsed(said)).data;
  if (result.ended === 'exited' && result.exitCode === 0 && answered !== undefined) return answered;
  return { reason: reasonOf(result, complaint, limitMs) };
}

/** The bundle beside this one, else the source. */
function childScript(): string {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const bundled = path.join(here, 'typeChild.js');
  return existsSync(bundled) ? bundled : path.join(here, 'typeChild.ts');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function reasonOf(result: ProcessResult, complaint: string, limitMs: number): string {
  if (result.ended === 'timeout')
    return `The compiler did not answer within ${limitMs / 1000} s, so the current types are not known.`;
  if (result.ended === 'not-started')
    return `The process that runs the compiler could not be started: ${result.error ?? 'no reason is known'}.`;
  const how = result.signalCode ?? `exit code ${result.exitCode}`;
  const error = /^(?:FATAL ERROR: |\w*Error: ).*/m.exec(complaint)?.[0].slice(0, 160);
  return `The process that runs the compiler crashed (${how}${error === undefined ? '' : `: ${error}`}), so the current types are not known.`;
}
