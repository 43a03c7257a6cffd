// The changed modules of Python that reach a test, as they were and as they are.
import { changesReaching } from '../../diagnosis/stops.ts';
import { parsePython, type PythonSource } from '../../syntax/python/parsePython.ts';
import type { FixContext } from '../fixProvider.ts';

export interface ChangedModule {
  /** Path of the present file, or of the former one when it is gone. */
  readonly file: string;
  readonly before: PythonSource;
  /** An empty text when the file is gone. */
  readonly now: PythonSource;
}

export interface ChangedModules {
  readonly modules: readonly ChangedModule[];
  /** "since the last commit" */
  readonly when: string;
}

/** Reads each changed module once, whatever number of tests it reaches; no added ones, and at most 50. */
export function createModuleReader(context: FixContext): (testFile: string) => Promise<ChangedModules> {
  const modules = new Map<string, Promise<ChangedModule | undefined>>();
  const files = new Map<string, Promise<ChangedModules>>();
  const read = async (testFile: string): Promise<ChangedModules> => {
    const { reaching, when, base } = await changesReaching(testFile, context.changes);
    const found: ChangedModule[] = [];
    const changed = reaching.filter(
      ({ file, status }) => status !== 'added' && file.endsWith('.py') && !context.isTestFile(file),
    );
    for (const { file, from = file, status } of changed.slice(0, 50)) {
      const both =
        modules.get(file) ??
        moduleOf(file, await base.baseText(from), status === 'deleted' ? '' : await context.readText(file));
      modules.set(file, Promise.resolve(both));
      const known = await both;
      if (known !== undefined) found.push(known);
    }
    return { modules: found, when };
  };
  return (testFile) => {
    const known = files.get(testFile) ?? read(testFile);
    files.set(testFile, known);
    return known;
  };
}

async function moduleOf(
  file: string,
  before: string | undefined,
  now: string | undefined,
): Promise<ChangedModule | undefined> {
  if (before === undefined || now === undefined || before.length + now.length > 2_000_000) return undefined;
  const [was, is] = [parsePython(before), parsePython(now)];
  return was.errorLine === undefined && is.errorLine === undefined
    ? { file, before: was, now: is }
    : undefined;
}
