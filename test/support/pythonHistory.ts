// A history of Python sources without git: texts as they were and as they are.
import assert from 'node:assert/strict';
import { noChanges } from '../../src/core/diagnosis/sourceChanges.ts';
import { openPythonHistory, type PythonHistory } from '../../src/core/fixes/python/pythonHistory.ts';

export type Files = Readonly<Record<string, string>>;

/** Files with the same text before and now did not change; those with a new name are told by the pairs in `moved`. */
export async function pythonHistoryOf(
  before: Files,
  now: Files,
  moved: Readonly<Record<string, string>> = {},
): Promise<PythonHistory> {
  const { unavailable: _none, ...nothing } = noChanges('');
  const files = [
    ...Object.entries(moved).map(([from, file]) => ({ file, from, status: 'renamed' as const })),
    ...Object.keys(before)
      .filter((file) => now[file] === undefined && moved[file] === undefined)
      .map((file) => ({ file, status: 'deleted' as const })),
    ...Object.keys(now)
      .filter((file) => now[file] !== before[file] && !Object.values(moved).includes(file))
      .map((file) => ({ file, status: file in before ? ('modified' as const) : ('added' as const) })),
  ];
  const history = await openPythonHistory({
    changes: { ...nothing, files, baseText: (file) => Promise.resolve(before[file]) },
    readText: (file) => Promise.resolve(now[file]),
    isTestFile: (file) => file.includes('test'),
  });
  assert.ok(history);
  return history;
}
