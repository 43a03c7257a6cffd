// Arguments that a Python test expects of a mock beside those that it expected before: with them it asks for more.
import { applyChanges, type TextChange } from '../../model/edit.ts';
import { expectedCallsOf } from '../../syntax/python/expectations.ts';
import type { ExpectationContext } from '../../syntax/python/expectationContext.ts';
import type { PythonSource } from '../../syntax/python/parsePython.ts';
import { readPythonLiteral } from '../../syntax/python/pythonLiteral.ts';

/** The newer text without them, where each is a literal behind all others; unchanged where anything else differs in their number. */
export function withoutAddedArguments(
  was: PythonSource,
  is: PythonSource,
  context: ExpectationContext = {},
): string {
  const [before, after] = [expectedCallsOf(was, context), expectedCallsOf(is, context)];
  const changes: TextChange[] = [];
  if (before.length !== after.length) return is.text;
  for (const [index, old] of before.entries()) {
    const now = after[index];
    if (now === undefined || now.name !== old.name) return is.text;
    const added = now.given.slice(old.given.length);
    const [first] = added;
    const last = added.at(-1);
    if (first === undefined || last === undefined) continue;
    const isWritten = added.every(
      ({ value }) => readPythonLiteral(is.text, value.from, value.to) !== undefined,
    );
    const start = old.given.length === 0 ? now.start : now.given[old.given.length - 1]?.value.to;
    if (!isWritten || start === undefined) return is.text;
    changes.push({ start, end: last.value.to, newText: '' });
  }
  const isNested = changes.some(({ end }, index) => (changes[index + 1]?.start ?? end) < end);
  return changes.length === 0 || isNested ? is.text : applyChanges(changes, is.text);
}
