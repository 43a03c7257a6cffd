// The change of a source that a failing test runs into: one account of it for the fault, the shown lines and the hand-over.
import type { Diagnosis } from '../model/fix.ts';

export interface ReachedChange {
  /** The changed source, relative to the root, as it is called now. */
  readonly file: string;
  /** What the test still names, and the source no longer does. */
  readonly name: string;
  /** A sentence: what became of it. */
  readonly account: string;
  /** The very same thing has another name or place: whoever uses the old one is outdated. */
  readonly isSame: boolean;
}

/** The fault of a test that fails because of such a change. */
export function faultOf({ name, account, isSame }: ReachedChange): Diagnosis {
  return isSame
    ? { fault: 'test', reason: `The test still uses ${name}. ${account}` }
    : { fault: 'unknown', reason: `${account} Either the test is outdated, or the change is a mistake.` };
}

/** Does the text have the name as a whole word? */
export function mentionsName(text: string, name: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll('$', '\\$')}(?![\\w$])`).test(text);
}

/** Names that a failure says are nothing. */
export function namesLacked(message: string): readonly string[] {
  const found = message.matchAll(
    /(?<![\w$])([\w$]+)(?:\)|['"`])? is (?:not a (?:function|constructor)\b|undefined\b)|export named '([\w$]+)'|Named export '([\w$]+)' not found/g,
  );
  return [...found].flatMap((match) => match.slice(1).filter((name) => name !== undefined));
}
