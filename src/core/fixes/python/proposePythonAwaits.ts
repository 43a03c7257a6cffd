// Proposes, for each Python test file that takes a coroutine for its value, to await what became asynchronous.
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { FixContext } from '../fixProvider.ts';
import { followAsync } from './followAsync.ts';
import { mayMissAwait } from './lostName.ts';
import { openPythonHistory } from './pythonHistory.ts';

/** One fix for each file. */
export async function proposePythonAwaits(context: FixContext): Promise<readonly Fix[]> {
  const history = await openPythonHistory(context);
  if (history === undefined) return [];
  const byFile = new Map<string, TestResult[]>();
  for (const { result } of context.failing)
    if (mayMissAwait(result) && context.isTestFile(result.file))
      byFile.set(result.file, [...(byFile.get(result.file) ?? []), result]);
  const fixes: Fix[] = [];
  for (const [file, results] of byFile) {
    const text = context.signal.aborted ? undefined : await context.readText(file);
    if (text === undefined) continue;
    const { changes, tests, functions, doubts, reasons } = await followAsync(file, text, history);
    const nameOf = ({ title }: TestResult): string => title.replace(/\[.*$/s, '');
    const hit = results.filter((result) => tests.includes(nameOf(result)));
    for (const result of results) {
      const reason = reasons.find(({ test }) => test === nameOf(result))?.reason;
      if (reason !== undefined) context.refuse?.(result.id, reason);
    }
    if (hit.length === 0) continue;
    const edit = fileEdit(file, text, changes);
    fixes.push({
      id: hashText(JSON.stringify(['python-awaiting', edit])),
      title: `await ${functions.join(', ')}`,
      grade: changes.length === 1 ? 'surgical' : 'conservative',
      trust: doubts.length > 0 ? 'propose' : 'mechanical',
      edits: [edit],
      failures: hit.map(({ id }) => id),
      provider: 'python-awaiting',
      origin: { addsWait: true },
      confidence: 0.9,
      evidence: [...functions.map((name) => `${name}() became asynchronous ${history.when}.`), ...doubts],
    });
  }
  return fixes;
}
