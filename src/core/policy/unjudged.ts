// What the gate cannot judge: tests in languages that it does not read. Nothing is verified through ignorance.
import path from 'node:path';

const languages: readonly (readonly [RegExp, string])[] = [
  [/\.(?:py[iwx]?|ipynb|ambr)$/i, 'Python'],
  [/\.go$/i, 'Go'],
  // Flows of Maestro: without a step they pass as well.
  [/\.ya?ml$/i, 'YAML'],
];

/** Why no verdict on a change of these files (relative to the root) can be a proof; undefined when the gate reads all of them. */
export function whyUnjudged(files: readonly string[]): string | undefined {
  for (const file of files) {
    const language = languages.find(([pattern]) => pattern.test(path.posix.basename(file)))?.[1];
    if (language !== undefined)
      return `The fix policy does not read ${language}: whether the change of ${file} weakens a test cannot be told.`;
  }
  return undefined;
}
