// The quarantine list of a root: tests that are known to fail now and then. They run, and their failures are told as quarantined, never as passes.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { RunSummary } from '../model/testResult.ts';
import { plural } from '../reports/paint.ts';

/** In the root: an id a line; empty lines and those that begin with `#` are nobody's. */
const quarantineFile = 'testmend.quarantine';
const namedInNote = 5;

/** The summary with a mark at each red test of the list, and a note that says how many there are; as it is where there is no list. */
export async function withQuarantine(root: string, summary: RunSummary): Promise<RunSummary> {
  const listed = await readList(root);
  if (listed.size === 0) return summary;
  const isListed = ({ id }: { readonly id: string }): boolean => listed.has(id);
  const ran = summary.tests.filter(({ outcome, ...test }) => outcome !== 'skipped' && isListed(test));
  const red = ran.filter(({ outcome }) => outcome !== 'passed');
  if (ran.length === 0) return summary;
  const names = red.slice(0, namedInNote).map(({ id }) => id);
  const more = red.length > names.length ? ` and ${red.length - names.length} more` : '';
  const note = `${plural(ran.length, 'quarantined test')} ran, ${red.length} failed${names.length > 0 ? `: ${names.join(', ')}${more}` : ''}.`;
  return {
    ...summary,
    notes: [...summary.notes, note],
    tests: summary.tests.map((test) => (red.includes(test) ? { ...test, quarantined: true } : test)),
  };
}

async function readList(root: string): Promise<ReadonlySet<string>> {
  const text = await readFile(path.join(root, quarantineFile), 'utf8').catch(() => '');
  return new Set(
    text
      .split(/\r?\n/)
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  );
}
