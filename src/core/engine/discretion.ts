// What leaves by a door of ours has none of the secrets that its own texts, the files that it is about and those of the last run give away.
import { redactTold, withoutSecrets } from '../base/redactSecrets.ts';
import { tellable, toldBy, toldSecrets } from '../diagnosis/toldSecrets.ts';
import { lastRun } from './runStore.ts';

/** Files of the last run that are read. */
const mostFiles = 200;

/** The id of one of the tests that an answer, or what is kept, told as this one: either may have been blotted out. Undefined where none has it. */
export async function idAsked(
  id: string,
  tests: readonly { readonly id: string }[],
  root: string,
): Promise<string | undefined> {
  const ids = tests.map((one) => one.id);
  if (ids.includes(id)) return id;
  const told = await toldByAnswer([id, ids], [root]);
  return withoutSecrets((hide) => ids.find((one) => hide(one) === hide(id)), told);
}

/** For `withoutSecrets`. `roots`: absolute paths of the folders that the answer may be about. */
export async function toldByAnswer(answer: unknown, roots: readonly string[]): Promise<Set<string>> {
  const told = new Set<string>();
  for (const root of roots) {
    const run = await lastRun(root).catch(() => undefined);
    const ran = new Set(run?.summary.tests.map(({ file }) => file));
    for (const secret of toldBy([answer, [...ran].slice(0, mostFiles)], root)) told.add(secret);
  }
  return told;
}

/** For one stream of sentences about tests of this root: what one tells of is in none after it. */
export function hidingTexts(root: string): (text: string) => string {
  const secrets = toldSecrets(root);
  return (text) => {
    secrets.learn(text.replaceAll(/\u001b\[[\d;]*m/g, ''));
    return redactTold(text, secrets.told);
  };
}

export { tellable };
