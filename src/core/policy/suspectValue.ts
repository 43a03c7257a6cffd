// The rule for values that broken code gives as well: the same in every language, and for a person alone to let through.
import type { Value } from '../model/value.ts';
import type { Finding } from './fileFacts.ts';

/** `reason`: of the value stops, which speak of what the code gave; here it is what the test expects now. */
export function suspectValue(reason: string, line: number): Finding {
  return {
    rule: 'suspect-value',
    line,
    text: `A bug could also give this value; a person must decide: ${asExpected(reason)}`,
  };
}

/** Does a finding of this text say no more than these reasons of the value stops? */
export const isSaidBy = (text: string, reasons: readonly string[]): boolean =>
  reasons.some((reason) => text.endsWith(`: ${asExpected(reason)}`));

const asExpected = (reason: string): string => reason.replace(/\bactual\b/, 'expected');

/** The older value with the keys that the newer one has for the same: another name is no lost value. */
export function withRenamedKeys(was: Value, is: Value): Value {
  if (was.kind === 'array' && is.kind === 'array')
    return {
      ...was,
      items: was.items.map((item, index) => withRenamedKeys(item, is.items[index] ?? item)),
    };
  if (was.kind !== 'object' || is.kind !== 'object') return was;
  const had = new Set(was.entries.map(([key]) => key));
  const has = new Map(is.entries);
  const gained = is.entries.filter(([key]) => !had.has(key));
  return {
    ...was,
    entries: was.entries.map(([key, value]) => {
      const now = has.get(key);
      if (now !== undefined) return [key, withRenamedKeys(value, now)];
      const same = gained.findIndex(([, other]) => JSON.stringify(other) === JSON.stringify(value));
      const [renamed] = same < 0 ? [] : gained.splice(same, 1);
      return [renamed?.[0] ?? key, value];
    }),
  };
}
