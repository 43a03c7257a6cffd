// The command `testmend` as a real process, with caches and state of its own.
import { spawn } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';
import { cli } from './programs.ts';

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly cwd: string;
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** It is killed after this time, ms; 120 s without. */
  readonly limitMs?: number;
  /** Asked every 50 ms; the first true sends one SIGINT. */
  readonly interruptWhen?: () => Promise<boolean>;
}

/** Runs `testmend …args` and resolves when it ended. */
export function testmend(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...cli.options, cli.script, ...args], {
      cwd: options.cwd,
      env: { ...process.env, ...ownFolders(options.cwd), ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].setEncoding('utf8').on('data', (text: string) => (said[name] += text));
    const { interruptWhen } = options;
    const watch =
      interruptWhen && setInterval(() => void interruptWhen().then((now) => now && interrupt()), 50);
    const interrupt = (): void => {
      clearInterval(watch);
      if (!child.killed) child.kill('SIGINT');
    };
    const timer = setTimeout(() => child.kill('SIGKILL'), options.limitMs ?? 120_000);
    child.on('error', reject);
    child.on('close', (code) => {
      clearTimeout(timer);
      clearInterval(watch);
      resolve({ code, ...said });
    });
    child.stdin.end(options.input ?? '');
  });
}

/** What Go compiles of its own library stays where it always is: in new caches each of these processes would compile all of it again. */
const goCache =
  process.env['GOCACHE'] ??
  path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'go-build');

/** Caches and state beside the workspace, gone with it. */
const ownFolders = (cwd: string): Record<string, string> => ({
  XDG_CACHE_HOME: path.join(path.dirname(cwd), 'caches'),
  GOCACHE: goCache,
  XDG_STATE_HOME: path.join(path.dirname(cwd), 'state'),
  TESTMEND_SANDBOX_DIR: path.join(path.dirname(cwd), 'sandboxes'),
});

/** An answer that is no line: the key is enough. */
export const ctrlC = '\u0003';

/** What the terminal showed, as `endAtTerminal` has it. */
export async function atTerminal(...asked: Parameters<typeof endAtTerminal>): Promise<string | undefined> {
  return (await endAtTerminal(...asked))?.shown;
}

/**
 * Runs the command at a pseudo terminal and types one answer at each question (` › `); gives its exit code and what the terminal
 * showed, without colours. Undefined where there is no `script` of util-linux to make such a terminal.
 */
export async function endAtTerminal(
  args: readonly string[],
  answers: readonly string[],
  cwd: string,
): Promise<{ readonly code: number | null; readonly shown: string } | undefined> {
  const words = [process.execPath, ...cli.options, cli.script, ...args];
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    cwd,
    env: { ...process.env, ...ownFolders(cwd), TERM: 'xterm', NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const left = [...answers];
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    if (!text.includes(' › ')) return;
    const answer = left.shift() ?? 's';
    child.stdin.write(answer === ctrlC ? answer : `${answer}\r`);
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), 100_000);
  const ended = await new Promise<{ readonly code: number | null } | undefined>((resolve) => {
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve({ code }));
  });
  clearTimeout(timer);
  return ended && { ...ended, shown: shown.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replaceAll('\r', '') };
}
