// The secrets that the files of all tests which an answer names, or which ran last, give away: for every answer, whichever tool gives it.
import { withoutSecrets } from '../base/redactSecrets.ts';
import { toldSecrets } from '../diagnosis/toldSecrets.ts';
import { fileOfId } from '../model/testId.ts';
import { lastRun } from './runStore.ts';

/** Files of one answer that are read. */
const mostFiles = 200;

/** The id that an answer told as this one: it may have been blotted out. Undefined where none of the tests has it. */
export async function idAsked(
  id: string,
  tests: readonly { readonly id: string }[],
  root: string,
): Promise<string | undefined> {
  if (tests.some((one) => one.id === id)) return id;
  const told = await toldByAnswer({ ids: tests.map((one) => one.id) }, [root]);
  return tests.find((one) => withoutSecrets((hide) => hide(one.id), told) === id)?.id;
}

/** For `withoutSecrets`. `roots`: absolute paths of the folders that the answer may be about. */
export async function toldByAnswer(answer: object, roots: readonly string[]): Promise<Set<string>> {
  const named = new Set<string>();
  JSON.stringify(answer, (_key, value: unknown) => {
    if (typeof value === 'string' && value.length < 2_000) named.add(fileOfId(value) ?? value);
    return value;
  });
  const told = new Set<string>();
  for (const root of roots) {
    const secrets = toldSecrets(root);
    const run = await lastRun(root).catch(() => undefined);
    const ran = run?.summary.tests.map(({ file }) => file) ?? [];
    const files = [...new Set([...[...named].filter((one) => /^[^\s:]+\.\w+$/.test(one)), ...ran])];
    secrets.learnTests(files.slice(0, mostFiles).map((file) => ({ file, message: '' })));
    for (const secret of secrets.told) told.add(secret);
  }
  return told;
}
