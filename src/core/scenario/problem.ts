// What is wrong with a scenario file: a sentence at its place, with what can be done about it.
import type { Range } from '../model/position.ts';

export interface ScenarioProblem {
  readonly message: string;
  /** Absolute, or as the caller named it. */
  readonly file: string;
  readonly range: Range;
  readonly remedy: string;
  /** Where it stands in the data: `['steps', 2, 'config', 'url']`. */
  readonly path: readonly (string | number)[];
  /** The name that was probably meant, where one is close. */
  readonly suggestion?: string;
}

/** `shop.scenario.yaml:12:7 Unknown field "vale". Did you mean "value"?` */
export function problemText({ file, range, message, remedy }: ScenarioProblem): string {
  return `${file}:${range.start.line}:${range.start.column} ${message} ${remedy}`;
}
