// Believable bugs: one small change of the source each, made by the mutators of Stryker.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Stryker from '@stryker-mutator/instrumenter';
import { errorMessage, HumanError } from '../base/humanError.ts';

/** One bug: the whole text of the source with it, and what it changes. */
export interface Mutant {
  readonly text: string;
  /** Of its first and its last changed line, from 1. */
  readonly line: number;
  readonly endLine: number;
  readonly kind: string;
  readonly replacement: string;
}

/** All mutants of one source text (the name tells its language), in its order. Throws for a text that does not parse. */
export type Mutate = (name: string, text: string) => Promise<readonly Mutant[]>;

const packageName = '@stryker-mutator/instrumenter';

/**
 * Stryker is not part of Testmend: it is taken from where the given folder has it installed, or from where Testmend itself is
 * installed. Throws a HumanError: `not-installed` when neither has it, `broken-project` when it cannot be loaded.
 */
export async function loadMutator(folder: string): Promise<Mutate> {
  const found = findStryker(path.join(folder, 'package.json')) ?? findStryker(import.meta.url);
  if (found === undefined)
    throw new HumanError('not-installed', `Mutants need ${packageName}, which is not installed.`, {
      file: folder,
      value: packageName,
      remedy: `Install it (npm install --save-dev ${packageName}), or leave out --mutants.`,
    });
  const remedy = 'Install version 9 of it.';
  try {
    const loaded: unknown = await import(pathToFileURL(found).href);
    if (isStryker(loaded)) return mutateWith(loaded);
  } catch (error) {
    const message = `${packageName} cannot be loaded: ${errorMessage(error)}`;
    throw new HumanError('broken-project', message, { file: found, remedy }, { cause: error });
  }
  throw new HumanError('broken-project', `${packageName} has no Instrumenter.`, { file: found, remedy });
}

const isStryker = (loaded: unknown): loaded is typeof Stryker =>
  typeof loaded === 'object' && loaded !== null && 'Instrumenter' in loaded;

function findStryker(from: string): string | undefined {
  try {
    return createRequire(from).resolve(packageName);
  } catch {
    return undefined;
  }
}

function mutateWith({ Instrumenter }: typeof Stryker): Mutate {
  return async (name, text) => {
    const file = { name, content: text, mutate: true };
    const options = { plugins: null, excludedMutations: [], ignorers: [] };
    const { mutants } = await new Instrumenter(silent).instrument([file], options);
    const starts = lineStarts(text);
    const offsetOf = ({ line, column }: { line: number; column: number }): number =>
      (starts[line] ?? 0) + column;
    return mutants.map(({ location, mutatorName, replacement }) => ({
      text: text.slice(0, offsetOf(location.start)) + replacement + text.slice(offsetOf(location.end)),
      line: location.start.line + 1,
      endLine: location.end.line + 1,
      kind: mutatorName,
      replacement,
    }));
  };
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}

/** The same in an order that takes some of everywhere first: by steps of the golden section. */
export function spread<T>(mutants: readonly T[]): readonly T[] {
  const golden = (Math.sqrt(5) - 1) / 2;
  return mutants
    .map((mutant, index) => ({ mutant, at: (index * golden) % 1 }))
    .sort((a, b) => a.at - b.at)
    .map(({ mutant }) => mutant);
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
