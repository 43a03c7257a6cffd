// Places in text: lines and columns are 1-based everywhere (INTERFACES), columns count UTF-16 units.

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

/** A place in a file; `file` is relative to the root with POSIX separators, absolute when outside it. */
export interface Location extends Position {
  readonly file: string;
}
