// What changed in the workspace since the last commit, and which of it a test file reaches.

/** One changed file; paths relative to the root, POSIX separators. */
export interface ChangedSource {
  readonly file: string;
  readonly status: 'added' | 'modified' | 'deleted' | 'renamed';
  /** Its former path, when renamed. */
  readonly from?: string;
}

export interface SourceChanges {
  /** Why nothing can be said, when there is no git history. */
  readonly unavailable?: string;
  /** Changed files that are not test files, against HEAD, untracked ones included. */
  readonly files: readonly ChangedSource[];
  /** Text of a file as of HEAD, or undefined. */
  baseText(file: string): Promise<string | undefined>;
  /** Changed sources that the test file imports, directly or not. */
  reaching(testFile: string): Promise<readonly ChangedSource[]>;
}
