// Proposes, for each Python test file that asks for a fixture that is gone, the name that its conftest.py gives it now.
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { FixContext } from '../fixProvider.ts';
import { followFixtures } from './followFixtures.ts';
import { lostFixture } from './lostName.ts';
import { openPythonHistory } from './pythonHistory.ts';

/** One fix for each file. */
export async function proposePythonFixtures(context: FixContext): Promise<readonly Fix[]> {
  const history = await openPythonHistory(context);
  if (history === undefined) return [];
  const byFile = new Map<string, TestResult[]>();
  for (const { result } of context.failing)
    if (lostFixture(result.failure) !== undefined && context.isTestFile(result.file))
      byFile.set(result.file, [...(byFile.get(result.file) ?? []), result]);
  const fixes: Fix[] = [];
  for (const [file, results] of byFile) {
    const text = context.signal.aborted ? undefined : await context.readText(file);
    if (text === undefined) continue;
    const { changes, renames, doubts, reasons } = await followFixtures(file, text, history);
    const hit = results.filter(({ failure }) => renames.some(({ old }) => old === lostFixture(failure)));
    for (const { id, failure } of results) {
      const reason = reasons.find(({ name }) => name === lostFixture(failure))?.reason;
      if (reason !== undefined) context.refuse?.(id, reason);
    }
    const [first] = renames;
    if (hit.length === 0 || first === undefined) continue;
    const edit = fileEdit(file, text, changes);
    fixes.push({
      id: hashText(JSON.stringify(['python-fixtures', edit])),
      title: `use ${first.now} instead of ${first.old}${renames.length > 1 ? ` and ${renames.length - 1} more` : ''}`,
      grade: 'conservative',
      trust: doubts.length > 0 ? 'propose' : 'mechanical',
      edits: [edit],
      failures: hit.map(({ id }) => id),
      provider: 'python-fixtures',
      confidence: 0.9,
      evidence: [
        ...renames.map(
          ({ old, now, file: conftest }) =>
            `The fixture ${old} was removed from ${conftest} ${history.when}, and ${now} has the same code.`,
        ),
        ...doubts,
      ],
    });
  }
  return fixes;
}
