// Makes of what a Go test binary prints under a debugger the events that `go test -json` would print, with Go's own tool.
import { spawn } from 'node:child_process';
import { userEnvironment } from '../process/userEnvironment.ts';

interface GoTestEvents {
  /** What the binary printed on stdout. */
  write(text: string): void;
  /** Resolves when every event has been told. */
  end(): Promise<void>;
}

/** `go`: absolute path of the program. The binary runs with `-test.v=test2json`. Without the tool the text is told as it is. */
export function goTestEvents(
  go: string,
  importPath: string,
  cwd: string,
  onText: (text: string) => void,
): GoTestEvents {
  const tool = spawn(go, ['tool', 'test2json', '-t', '-p', importPath], {
    cwd,
    env: userEnvironment(process.env),
    stdio: ['pipe', 'pipe', 'ignore'],
    windowsHide: true,
  });
  let isGone = false;
  const ended = new Promise<void>((resolve) => {
    const end = (): void => ((isGone = true), resolve());
    tool.once('error', end);
    tool.once('close', end);
  });
  tool.stdin.on('error', () => undefined);
  tool.stdout.setEncoding('utf8').on('data', onText);
  return {
    write: (text) => (isGone ? onText(text) : void tool.stdin.write(text)),
    end: () => {
      tool.stdin.end();
      return ended;
    },
  };
}
