// Names what is forbidden in a change of a Python test that is more than another expected value.
import type { PythonSource } from '../../syntax/python/parsePython.ts';
import type { Finding } from '../fileFacts.ts';
import { assertionRules } from './assertionRules.ts';
import { factsOf } from './fileFacts.ts';
import { nameRules } from './nameRules.ts';
import { structureRules } from './structureRules.ts';

/** What it does not find is not allowed by that: only another expected value is. */
export function forbiddenChanges(was: PythonSource, is: PythonSource): readonly Finding[] {
  const [old, now] = [factsOf(was), factsOf(is)];
  const found = [...structureRules(old, now), ...assertionRules(old, now), ...nameRules(was, is)];
  const seen = new Set<string>();
  return found.filter(
    ({ rule, line, text }) => seen.size !== seen.add(JSON.stringify([rule, line, text])).size,
  );
}
