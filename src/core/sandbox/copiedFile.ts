// What is known of a file that was copied: how its original was, and how the copy was when nobody had touched it.
import { readFile } from 'node:fs/promises';
import { sameStamp, stampOf, type Stamp } from './sandboxFiles.ts';

/** The stamp of the original; `isYoung` where that was written in the very moment of its copy. */
export interface Copied extends Stamp {
  readonly isYoung?: true;
  /** `touched` of the copy when it was known to be right. */
  readonly copy: string;
}

/** A young original may change again without a new time, so it is copied again; a copy is no stray because its original goes on growing. */
export async function copiedAs(place: string, stamp: Stamp): Promise<Copied> {
  const copied = await stampOf(place);
  const { size, touched } = typeof copied === 'object' ? copied : { ...stamp, touched: '' };
  const isYoung = Date.now() - stamp.mtimeMs < 50;
  return { ...stamp, copy: touched, ...(isYoung && { size, isYoung }) };
}

export async function haveSameBytes(one: string, other: string): Promise<boolean> {
  const [a, b] = await Promise.all([one, other].map((file) => readFile(file).catch(() => undefined)));
  return a !== undefined && b !== undefined && a.equals(b);
}

export const isSame = (known: Copied | undefined, stamp: Stamp): boolean =>
  known !== undefined && known.isYoung !== true && sameStamp(known, stamp) && known.mode === stamp.mode;
