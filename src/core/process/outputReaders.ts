// Turns the bytes of a pipe into text and lines, with characters that arrive in two pieces put together.
import { StringDecoder } from 'node:string_decoder';

export interface OutputReader {
  read(chunk: Buffer): void;
  /** Hands over what is left when the pipe has ended. */
  finish(): void;
}

/** Takes out of a stream what is not to be read as text. */
export interface OutputFilter {
  /** What is text of all that came so far and was not returned yet; it may hold back what is not clear yet. */
  read(chunk: Buffer): Buffer;
  /** What was held back, when the stream has ended. */
  finish(): Buffer;
}

export function readFiltered(filter: OutputFilter, reader: OutputReader): OutputReader {
  return {
    read: (chunk) => reader.read(filter.read(chunk)),
    finish() {
      reader.read(filter.finish());
      reader.finish();
    },
  };
}

export function readText(onText: (text: string) => void): OutputReader {
  const decoder = new StringDecoder('utf8');
  const tell = (text: string): void => {
    if (text !== '') onText(text);
  };
  return {
    read: (chunk) => tell(decoder.write(chunk)),
    finish: () => tell(decoder.end()),
  };
}

/** A line longer than this is no message of ours: it is told cut off, so that nobody can fill the memory with it. */
export const longestLine = 32 * 1024 * 1024;

/** Lines without their ends; empty lines are left out, and so is nothing else. */
export function readLines(onLine: (line: string) => void): OutputReader {
  let pieces: string[] = [];
  let length = 0;
  const endLine = (): void => {
    const line = pieces.join('').replace(/\r$/, '');
    pieces = [];
    length = 0;
    if (line !== '') onLine(line);
  };
  const keep = (piece: string): void => {
    if (length < longestLine) pieces.push(piece);
    length += piece.length;
  };
  const text = readText((chunk) => {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      keep(chunk.slice(start, end));
      endLine();
      start = end + 1;
    }
    keep(chunk.slice(start));
  });
  return {
    read: (chunk) => text.read(chunk),
    finish() {
      text.finish();
      endLine();
    },
  };
}
