// Proposes, for each Python test file that fails for a name that is gone, the imports and patched names that follow it.
import { hashText } from '../../base/hash.ts';
import { fileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import type { FixContext } from '../fixProvider.ts';
import { followMoves, type FollowedMoves } from './followMoves.ts';
import { openPythonHistory } from './pythonHistory.ts';

/** One fix for each file; refusals are told for the tests whose failure names what they are about. */
export async function proposePythonImports(context: FixContext): Promise<readonly Fix[]> {
  const history = await openPythonHistory(context);
  if (history === undefined) return [];
  const byFile = new Map<string, TestResult[]>();
  for (const { result } of context.failing)
    if (result.file.endsWith('.py') && context.isTestFile(result.file) && isNoExpectation(result))
      byFile.set(result.file, [...(byFile.get(result.file) ?? []), result]);
  const fixes: Fix[] = [];
  for (const [file, results] of byFile) {
    if (context.signal.aborted) break;
    const text = await context.readText(file);
    if (text === undefined) continue;
    const followed = await followMoves(file, text, history);
    const hit = results.filter((result) =>
      isAbout(
        result,
        followed.moves.flatMap(([old]) => wordsOf(old)),
      ),
    );
    if (followed.changes.length > 0 && hit.length > 0)
      fixes.push(fixFrom(file, text, followed, hit, history.when));
    for (const result of results) {
      const reason = followed.refusals.find((one) => isAbout(result, wordsOf(one.reason)))?.reason;
      if (reason !== undefined && !hit.includes(result)) context.refuse?.(result.id, reason);
    }
  }
  return fixes;
}

const isNoExpectation = ({ failure }: TestResult): boolean => failure?.kind !== 'assertion';

const wordsOf = (text: string): readonly string[] => text.match(/\w+/g) ?? [];

/** Does the failure name one of these? */
function isAbout({ failure }: TestResult, words: readonly string[]): boolean {
  const said = new Set(wordsOf(failure?.message ?? ''));
  return words.some((word) => word.length > 1 && said.has(word));
}

function fixFrom(
  file: string,
  text: string,
  followed: FollowedMoves,
  hit: readonly TestResult[],
  when: string,
): Fix {
  const edit = fileEdit(file, text, followed.changes);
  const [[old, now] = ['', '']] = followed.moves;
  const more = followed.moves.length > 1 ? ` and ${followed.moves.length - 1} more` : '';
  return {
    id: hashText(JSON.stringify(['python-imports', edit])),
    title: `use ${now} instead of ${old}${more}`,
    grade: followed.changes.length === 1 ? 'surgical' : 'conservative',
    trust: followed.doubts.length > 0 ? 'propose' : followed.lost.length === 0 ? 'mechanical' : 'oracle',
    ...(followed.lost.length > 0 && {
      otherSide: `${followed.lost.join(' and ')} may have been removed by mistake: then the source must re-export it.`,
    }),
    edits: [edit],
    failures: hit.map(({ id }) => id),
    provider: 'python-imports',
    confidence: 0.9,
    evidence: [
      ...followed.moves.map(
        ([was, is]) => `${was} was removed ${when}, and ${is} replaces it in the changed files.`,
      ),
      ...followed.doubts,
    ],
  };
}
