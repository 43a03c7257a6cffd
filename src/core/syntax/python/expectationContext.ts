// What is known around a file of Python tests, and decides whether a value is certainly nothing but expected.
import type { PythonSource } from './parsePython.ts';

export interface ExpectationContext {
  /** Texts of the conftest.py files around: their fixtures may ask for the values of a table. */
  readonly conftests?: readonly string[];
  /** May another file take this name from the module? Absent where nothing is known of others. */
  readonly isTaken?: (name: string) => boolean;
  /** Another module of the tests, by its name in a file of them (the one with the tests, where none is given). */
  readonly readModule?: (specifier: string, from: string | undefined) => TestModule | undefined;
}

export interface TestModule {
  /** Relative to the root; undefined for the file that is looked at. */
  readonly file: string | undefined;
  readonly source: PythonSource;
}
