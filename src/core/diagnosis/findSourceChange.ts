// The changed lines of the source that most likely caused a changed expectation, to be shown beside old → new.
import { diffArrays } from 'diff';
import type { Fix } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import { mentionsName, type ReachedChange } from './reachedChange.ts';
import type { SourceChanges } from './sourceChanges.ts';
import { hunksReaching, type Hunk } from './sourceHunks.ts';

interface SourceChangeQuestion {
  readonly result: Pick<TestResult, 'file' | 'failure'>;
  /** Old and new expectation as source text, when there is a fix. */
  readonly expectation?: Fix['expectation'];
  readonly changes: SourceChanges;
  /** What the failure runs into, where that is known: its lines are the ones. */
  readonly reached?: ReachedChange | undefined;
  /** Present text of a file relative to the root. */
  readonly readText: (file: string) => Promise<string | undefined>;
}

/**
 * The likeliest change, or undefined when none stands out. It is for the eye: that the new value occurs in the change is no
 * evidence that the value is right (REPAIR lesson 8).
 */
export async function findSourceChange(
  question: SourceChangeQuestion,
): Promise<NonNullable<Fix['sourceChange']> | undefined> {
  const { result, changes, readText, reached } = question;
  const hunks = await hunksReaching(result.file, changes, readText);
  const words = changedWords(question.expectation);
  const scored = hunks.map((hunk) => ({
    hunk,
    score: scoreOf(hunk, words, result) + (isReached(hunk, reached) ? 8 : 0),
  }));
  const [best, second] = scored.sort((a, b) => b.score - a.score || a.hunk.size - b.hunk.size);
  if (!best || (best.score === 0 && second)) return undefined;
  const { file, line, lines } = best.hunk;
  const shown = lines.length > excerptLines ? [...lines.slice(0, excerptLines), '…'] : lines;
  return { location: { file, line, column: 1 }, excerpt: shown.join('\n') };
}

const isReached = (hunk: Hunk, reached: ReachedChange | undefined): boolean =>
  hunk.file === reached?.file && mentionsName(hunk.removed, reached.name);

const excerptLines = 12;

interface ChangedWords {
  readonly old: readonly string[];
  readonly new: readonly string[];
}

function changedWords(expectation: Fix['expectation']): ChangedWords {
  if (!expectation) return { old: [], new: [] };
  const wordsOf = (text: string): string[] =>
    text.match(/[\p{L}\p{N}_$.]+|[^\s\p{L}\p{N}'"`,;:(){}[\]]+/gu) ?? [];
  const parts = diffArrays(wordsOf(expectation.old), wordsOf(expectation.new));
  const pick = (side: 'added' | 'removed'): string[] => [
    ...new Set(parts.filter((part) => part[side]).flatMap((part) => part.value)),
  ];
  return { old: pick('removed'), new: pick('added') };
}

function scoreOf(hunk: Hunk, words: ChangedWords, result: Pick<TestResult, 'failure'>): number {
  const share = (wanted: readonly string[], text: string): number =>
    wanted.length === 0 ? 0 : wanted.filter((word) => text.includes(word)).length / wanted.length;
  const onStack = (result.failure?.stack ?? []).some(
    (frame) => frame.file === hunk.file && frame.line >= hunk.line - 3 && frame.line <= hunk.endLine + 3,
  );
  return 2 * share(words.new, hunk.added) + 2 * share(words.old, hunk.removed) + (onStack ? 1 : 0);
}
