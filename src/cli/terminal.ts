// The two output streams and what they can show.
import { createPaint } from '../core/reports/paint.ts';
import type { Paint } from '../core/reports/paint.ts';

export interface Terminal {
  /** stdout carries one JSON document and nothing else. */
  readonly json: boolean;
  /** A person sits there: questions may be asked. */
  readonly interactive: boolean;
  /** Columns of a line, 40 to 120; 80 when unknown. */
  readonly width: number;
  readonly paint: Paint;
  readonly errorPaint: Paint;
  /** Progress may be redrawn on stderr. */
  readonly live: boolean;
  /** Writes to stdout; resolves when it is handed over. */
  readonly out: (text: string | Uint8Array) => Promise<void>;
  /** Writes to stderr; resolves when it is handed over. */
  readonly err: (text: string) => Promise<void>;
}

export function processTerminal(flags: { readonly json: boolean; readonly noColor: boolean }): Terminal {
  const { stdout, stderr, stdin } = process;
  // A reader that went away (`testmend run | head`) is no error of ours.
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    json: flags.json,
    interactive: !flags.json && stdin.isTTY && stdout.isTTY,
    width: Math.min(120, Math.max(40, (stdout.isTTY && stdout.columns) || 80)),
    paint: createPaint(!flags.noColor && colours(stdout)),
    errorPaint: createPaint(!flags.noColor && colours(stderr)),
    live: stderr.isTTY && process.env['TERM'] !== 'dumb',
    out: (text) => writeAll(stdout, text),
    err: (text) => writeAll(stderr, text),
  };
}

/** `hide` is applied to what a log or a pipe keeps; a person before a terminal sees what the tests said. The document of --json has a door of its own. */
export function discreet(terminal: Terminal, hide: (text: string) => string): Terminal {
  const { stdout, stderr } = process;
  const { out, err, json } = terminal;
  return {
    ...terminal,
    ...(!stdout.isTTY && !json && { out: (text) => out(typeof text === 'string' ? hide(text) : text) }),
    ...(!stderr.isTTY && { err: (text) => err(hide(text)) }),
  };
}

/** hasColors() knows NO_COLOR, FORCE_COLOR and TERM for terminals; a pipe gets colours only when FORCE_COLOR asks for them. */
function colours(stream: NodeJS.WriteStream): boolean {
  if (stream.isTTY) return stream.hasColors();
  const forced = process.env['FORCE_COLOR'];
  return (
    forced !== undefined && forced !== '' && forced !== '0' && forced !== 'false' && !process.env['NO_COLOR']
  );
}

function writeAll(stream: NodeJS.WriteStream, text: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => stream.write(text, () => resolve()));
}
