// Which bug in a source as it is now is the same as one in the source as it was: the same change of a line that did not change.
import { diffOfLines } from '../workspace/lineDiff.ts';
import type { PlantedBug } from './plantBugs.ts';

/** A source before and after its change. */
export interface ChangedSourceText {
  readonly before: string;
  readonly after: string;
}

/** By the id of the bug now, the bug before. `changed`: texts of sources that differ; all others are as they were. */
export function sameBugs(
  before: readonly PlantedBug[],
  now: readonly PlantedBug[],
  changed: ReadonlyMap<string, ChangedSourceText>,
): ReadonlyMap<number, PlantedBug> {
  const former = new Map(before.map((bug) => [nameOf(bug, bug.line), bug]));
  const linesOf = new Map([...changed].map(([file, texts]) => [file, formerLines(texts)]));
  const found = new Map<number, PlantedBug>();
  for (const bug of now) {
    const lines = linesOf.get(bug.file);
    const line = lines === undefined ? bug.line : lines.get(bug.line);
    const isWhole = lines === undefined || lines.get(bug.endLine) === (line ?? 0) + bug.endLine - bug.line;
    const was = line === undefined || !isWhole ? undefined : former.get(nameOf(bug, line));
    if (was) found.set(bug.id, was);
  }
  return found;
}

const nameOf = ({ file, column, endLine, line, kind, from, to }: PlantedBug, at: number): string =>
  [file, at, column, endLine - line, kind, from, to].join('\n');

/** For each line that did not change the line that it was; both count from 1. */
export function formerLines({ before, after }: ChangedSourceText): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  let [was, is] = [1, 1];
  for (const { added, removed, count } of diffOfLines(before, after)) {
    if (!added && !removed) for (let i = 0; i < count; i++) lines.set(is + i, was + i);
    if (!added) was += count;
    if (!removed) is += count;
  }
  return lines;
}
