// Modules of the tests that a Python test file imports, for the gate.
import type { ExpectationContext } from '../../syntax/python/expectationContext.ts';
import { moduleFiles } from '../../syntax/python/moduleFiles.ts';
import { parsePython, type PythonSource } from '../../syntax/python/parsePython.ts';
import type { ReadSource } from '../repointedImports.ts';

/** Each is read once. */
export function gateModules(
  file: string,
  readSource: ReadSource | undefined,
): NonNullable<ExpectationContext['readModule']> {
  const known = new Map<string, PythonSource | undefined>();
  const read = (candidate: string): PythonSource | undefined => {
    if (!known.has(candidate)) {
      const text = readSource?.(candidate);
      known.set(candidate, text === undefined ? undefined : parsePython(text));
    }
    return known.get(candidate);
  };
  return (specifier, from) => {
    for (const candidate of moduleFiles(specifier, from ?? file)) {
      const source = candidate === file ? undefined : read(candidate);
      if (source !== undefined) return { file: candidate, source };
    }
    return undefined;
  };
}
