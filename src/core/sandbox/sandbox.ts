// Where fixes are tried: a copy of the repository, or the workspace itself; either gives everything back.
import type { FileEdit } from '../model/edit.ts';

/** Whole files by path relative to the root; undefined for one that is not to be there. */
export type FileContents = ReadonlyMap<string, string | Uint8Array | undefined>;

/** Takes back what `applyEdits` or `write` did. */
export interface Undo {
  /** Files it restores, relative to the root. */
  readonly files: readonly string[];
  undo(): Promise<void>;
}

/** What something that ran in a sandbox wrote there. */
export interface WrittenFiles {
  /** New texts of files that were there before. */
  readonly changed: ReadonlyMap<string, string>;
  readonly added: readonly string[];
}

/** What came of a run of tests. */
export interface Watched<T> {
  readonly result: T;
  /**
   * Files (relative) that somebody wrote meanwhile, and put back before its end: none unless the sandbox `isOpen`, and none that the tests
   * wrote themselves when it was not.
   */
  readonly putBack: readonly string[];
}

/** A copy of the sandbox for one program that nobody trusts. Absolute paths. */
export interface OwnCopy {
  /** The workspace root in it. */
  readonly root: string;
  /** The repository in it: all that the program is meant to write. */
  readonly top: string;
  /** The folder around it, for what else the program needs; removed with it. */
  readonly folder: string;
  /** What a jail has to hide, the user's files first. */
  readonly hidden: readonly string[];
  /** What of the user's a jail has to show: installed packages, and the objects of the repository. */
  readonly readable: readonly string[];
  /** What the user should know, in sentences. */
  readonly notes: readonly string[];
}

/** What was written in such a copy, by path relative to the root. */
export interface Written {
  /** New texts of files that were there before. */
  readonly changed: ReadonlyMap<string, string>;
  /** What was made there, and what is no text, no file, or too large for an edit. */
  readonly others: readonly string[];
}

/**
 * Paths: `toSandbox` and `toOriginal` take absolute ones; files of edits and contents are relative to the root. After `dispose()`,
 * the exit of the process, or the next start after a kill, nothing is left of what was done in it.
 */
export interface Sandbox {
  /** Real path of the workspace root. */
  readonly originalRoot: string;
  /** Its counterpart here; the same path when the sandbox is the workspace itself. */
  readonly root: string;
  /** Is it the workspace itself? */
  readonly inPlace: boolean;
  /** Where tools may keep what they compile of it; absolute, it goes with the sandbox. */
  readonly compiledFolder: string;
  /** Names what lies in it now: the same name, the same texts. Edits of files of which `isAlone` is true make no difference. */
  stateName(isAlone: (file: string) => boolean): string;
  /** The counterpart of an absolute path; paths outside are returned as they are. */
  toSandbox(file: string): string;
  /** The way back; paths outside of the sandbox are returned as they are. */
  toOriginal(file: string): string;
  /** What a run here says, told of the workspace: files below its root by their relative path. */
  told(text: string): string;
  /** Takes in what changed in the original since the last time; replaces edits of those files in a copy. */
  sync(): Promise<{ readonly changed: number }>;
  /** Takes in what git ignores too, from now on (baseline parity's second try). */
  copyIgnored(): Promise<{ readonly changed: number }>;
  /** Text of a file, byte order mark included; undefined when there is none. */
  readText(file: string): Promise<string | undefined>;
  /** Applies the edits, all or none; throws a `stale` HumanError when a text is another than expected. */
  applyEdits(edits: readonly FileEdit[]): Promise<Undo>;
  /** Writes whole files, all or none. */
  write(contents: FileContents): Promise<Undo>;
  /** Files (relative) that are no longer what they were, or were made here: something that ran wrote them. A copy puts them right. */
  restoreStrays(): Promise<readonly string[]>;
  /** Is this file one that git ignores: a cache, or something generated? */
  isIgnored(file: string): boolean;
  /** What a run of tests in `work` writes here, all of which is taken back; throws a HumanError where that cannot be known. */
  writtenBy(work: () => Promise<void>): Promise<WrittenFiles>;
  /**
   * Lets a program that nobody trusts have a copy of its own, and tells what it wrote there. This sandbox is compared with the original
   * afterwards, byte by byte. `isJailed`: can it write nowhere else? Throws a HumanError where there can be no copy.
   */
  inOwnCopy(isJailed: boolean, work: (copy: OwnCopy) => Promise<void>): Promise<Written>;
  /** Did a program have the user's rights beside it, of which something may still be at work here? */
  readonly isOpen: boolean;
  /** Runs tests in `work` and tells who else wrote here meanwhile. */
  watched<T>(work: () => Promise<T>): Promise<Watched<T>>;
  /** Does away with files that a run made here; what was there or was edited stays. */
  removeExtra(files: readonly string[]): Promise<void>;
  /** While `work` goes on the workspace at `originalRoot` is as the user left it. */
  withOriginals<T>(work: () => Promise<T>): Promise<T>;
  /** Back to the original's content: edits are gone. */
  reset(): Promise<void>;
  dispose(): Promise<void>;
}
