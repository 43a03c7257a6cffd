// One value that tests expect instead of another, before it knows its file.

export interface ChangedValue {
  /** Of the newer version, from 1. */
  readonly line: number;
  /** As it is written. */
  readonly old: string;
  readonly new: string;
}

/** None where both are written alike. */
export const changedValue = (old: string, now: string, line: number): readonly ChangedValue[] =>
  old === now ? [] : [{ line, old, new: now }];
