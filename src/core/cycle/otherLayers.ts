// What a cycle of one layer says of the tests of other layers that its fixes can reach.
import { snapshotOwner } from '../frameworks/testFiles.ts';
import type { CycleFix } from '../model/cycle.ts';
import { createImportGraph } from '../modules/importGraph.ts';
import type { CyclePlan } from './cycleRequest.ts';

/** So many files are named. */
const most = 5;

/** A sentence when proven fixes change files that tests outside of the suite use: nobody has run them. */
export async function otherLayersNote(
  { testFiles, suiteFiles }: CyclePlan,
  fixes: readonly CycleFix[],
  { root, signal }: { readonly root: string; readonly signal: AbortSignal },
): Promise<string | undefined> {
  if (suiteFiles === undefined) return undefined;
  const kept = fixes.filter(({ state }) => state !== 'declined');
  const edited = new Set(kept.flatMap(({ edits }) => edits.map(({ file }) => snapshotOwner(file) ?? file)));
  const inSuite = new Set(suiteFiles);
  const others = testFiles.filter((file) => !inSuite.has(file));
  if (edited.size === 0 || others.length === 0) return undefined;
  const reached = new Set(await createImportGraph({ root, signal }).testsReaching([...edited], others));
  for (const file of others) if (edited.has(file)) reached.add(file);
  if (reached.size === 0) return undefined;
  const named = [...reached].slice(0, most).join(', ');
  const more = reached.size > most ? ` and ${reached.size - most} more` : '';
  return `The fixes reach tests of other layers, which were not run: ${named}${more}.`;
}
