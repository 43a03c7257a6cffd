// What is known around a file of Python tests, and decides whether a value is certainly nothing but expected.

export interface ExpectationContext {
  /** Texts of the conftest.py files around: their fixtures may ask for the values of a table. */
  readonly conftests?: readonly string[];
  /** May another file take this name from the module? Absent where nothing is known of others. */
  readonly isTaken?: (name: string) => boolean;
}
