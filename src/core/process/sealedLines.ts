// Reads the lines of a reporter, which lives among the user's code: tells those that it said itself from those that somebody else wrote.
import { createHmac } from 'node:crypto';
import { reporterMessageSchema, type ReporterMessage } from '../model/reporterMessage.ts';
import { longestLine } from './outputReaders.ts';

/** `strange`: somebody wrote to the descriptor, and not to pass for us; `forged`: to pass for us, or to keep one of our lines from us. */
export type SealedLine = ReporterMessage | 'strange' | 'forged' | 'too-long';

/**
 * `testmend <seal> <number> <message>`: the seal (reporterChannel.cjs) covers number and message, and lines are numbered from 0, so that
 * none can be written, altered, repeated or left out by whoever does not know the secret of the process.
 */
export class SealedLines {
  readonly #secret: string;
  #next = 0;

  /** `secret`: that of the one process whose lines these are (ProcessRequest). */
  constructor(secret: string) {
    this.#secret = secret;
  }

  read(line: string): SealedLine {
    if (!line.startsWith(mark)) return looksLikeOurs(line) ? 'forged' : 'strange';
    const sealed = line.slice(mark.length + sealLength + 1);
    const space = sealed.indexOf(' ');
    const number = Number(sealed.slice(0, space));
    if (line.length >= longestLine && number === this.#next) {
      this.#next++;
      return 'too-long';
    }
    const seal = createHmac('sha256', this.#secret).update(sealed).digest('hex').slice(0, sealLength);
    if (line.slice(mark.length, mark.length + sealLength) !== seal || number < this.#next) return 'forged';
    const isGap = number > this.#next;
    this.#next = number + 1;
    const message = messageIn(sealed.slice(space + 1));
    return isGap ? 'forged' : (message ?? 'strange');
  }
}

const mark = 'testmend ';
const sealLength = 32;

/** Spares parsing of what a test may write there by the megabyte. */
const longestForgery = 100_000;

function looksLikeOurs(line: string): boolean {
  return line.startsWith('{') && line.length < longestForgery && messageIn(line) !== undefined;
}

function messageIn(text: string): ReporterMessage | undefined {
  try {
    return reporterMessageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
