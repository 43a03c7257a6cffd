// Believable bugs: one small change of the source each, made by Stryker's mutators.
import { Instrumenter, type File } from '@stryker-mutator/instrumenter';

/** One bug: the whole text of the source with it, and what it changes. */
export interface Mutant {
  readonly text: string;
  readonly line: number;
  readonly kind: string;
  readonly replacement: string;
}

/** All mutants of one source text, in its order. */
export async function mutantsOf(name: string, text: string): Promise<readonly Mutant[]> {
  const file: File = { name, content: text, mutate: true };
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants } = await new Instrumenter(silent).instrument([file], options);
  const lines = text.split('\n');
  const offsetOf = ({ line, column }: { line: number; column: number }): number =>
    lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0) + column;
  return mutants.map(({ location, mutatorName, replacement }) => ({
    text: text.slice(0, offsetOf(location.start)) + replacement + text.slice(offsetOf(location.end)),
    line: location.start.line + 1,
    kind: mutatorName,
    replacement,
  }));
}

const silent = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  fatal: () => {},
};
