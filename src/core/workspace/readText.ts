// Reads text byte-exactly: byte order mark and line endings stay, and what is not UTF-8 is refused instead of damaged.
import { readFile } from 'node:fs/promises';
import { HumanError } from '../base/humanError.ts';

/**
 * The text of a file with its byte order mark and line endings as they are; undefined when there is no such file.
 * Throws a `bad-input` HumanError when the file is not UTF-8: writing it back would change bytes nobody touched.
 */
export async function readText(file: string): Promise<string | undefined> {
  let bytes: Uint8Array;
  try {
    bytes = await readFile(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const text = decodeText(bytes);
  if (text === undefined) {
    throw new HumanError('bad-input', `${file} is not UTF-8 text.`, {
      file,
      remedy: 'Save it as UTF-8; Testmend does not edit other encodings.',
    });
  }
  return text;
}

/** UTF-8 bytes as text, byte order mark included; undefined when they are not valid UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** True for the errors that say that a path does not exist. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

/** True when the error carries this code of the operating system. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}

/** Reads each file once; for a while in which nothing is written. */
export function readOnce(
  read: (file: string) => Promise<string | undefined>,
): (file: string) => Promise<string | undefined> {
  const texts = new Map<string, Promise<string | undefined>>();
  return (file) => {
    const text = texts.get(file) ?? read(file);
    texts.set(file, text);
    return text;
  };
}
