// Does a test get further than before? Judged by what is known of its failures, never by what their messages say.
import { isFileId } from '../model/testId.ts';
import { applyChanges } from '../model/edit.ts';
import type { FileEdit, TextChange } from '../model/fileEdit.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import type { TestPlace, TestPlaces } from '../syntax/testPlaces.ts';
import { placeBefore } from '../workspace/stackedEdits.ts';
import { type Comparison } from './compareRuns.ts';

/** What tests did with edits in place. */
export interface Standing {
  readonly results: ReadonlyMap<string, TestResult>;
  /** Made for the texts that `textOf` tells. */
  readonly edits: readonly FileEdit[];
}

/**
 * A file that did not load gets further when its tests run, or when another import is the one that fails; a test when it fails at a later
 * statement, or when it threw in a statement and now gets to compare something there. Places are compared in the texts without edits.
 */
export function getsFurther(
  id: string,
  before: Standing,
  after: { readonly comparison: Comparison; readonly edits: readonly FileEdit[] },
  placesIn: (file: string) => TestPlaces | undefined,
): boolean {
  const was = before.results.get(id);
  if (was === undefined || was.outcome === 'passed' || was.outcome === 'skipped') return false;
  const now = after.comparison.after(id);
  if (isFileId(id) && now === undefined) return runsAtAll(id, was, after.comparison);
  if (was.failure === undefined || now?.failure === undefined || now.outcome === 'skipped') return false;
  const places = placesIn(was.file);
  if (places === undefined) return false;
  const placeIn = (failure: Failure, edits: readonly FileEdit[]): Place | undefined =>
    placeOf(failure, was.file, places, changesOf(was.file, edits));
  const [left, right] = [placeIn(was.failure, before.edits), placeIn(now.failure, after.edits)];
  if (left === undefined || right === undefined) return false;
  if (was.failure.kind === 'load' && now.failure.kind === 'load')
    return isEdited(left, changesOf(was.file, after.edits)) && left.start !== right.start;
  if (!isReached(was.failure) || !isReached(now.failure)) return false;
  if (left.helper !== right.helper) return false;
  if (left.phase !== right.phase) return right.phase > left.phase;
  if (left.start !== right.start) return right.start > left.start;
  if (was.failure.kind !== 'error') return false;
  return now.failure.kind === 'assertion' || right.offset > left.offset;
}

/** Did it fail at a place of the test, and not by its time limit or with its process? */
const isReached = ({ kind }: Failure): boolean => kind === 'assertion' || kind === 'error';

function runsAtAll(id: string, { failure }: TestResult, comparison: Comparison): boolean {
  if (failure?.kind !== 'load' && failure?.kind !== 'error') return false;
  return comparison.testsIn(id).some(({ outcome }) => outcome !== 'skipped');
}

interface Place extends TestPlace {
  /** Of the text without edits. */
  readonly offset: number;
}

/** Where a failure stands in the test file: the outermost call in it, which is the test's own. */
function placeOf(
  { kind, stack, location }: Failure,
  file: string,
  places: TestPlaces,
  changes: readonly TextChange[],
): Place | undefined {
  const at = kind === 'load' ? location : (stack.findLast((frame) => frame.file === file) ?? location);
  if (at?.file !== file) return undefined;
  const offset = placeBefore(changes, offsetOf(applyChanges(changes, places.text), at));
  return { ...places.at(offset), offset };
}

const changesOf = (file: string, edits: readonly FileEdit[]): readonly TextChange[] =>
  edits.filter((edit) => edit.file === file).flatMap(({ changes }) => changes);

/** Does a change touch the statement of the place? */
const isEdited = (place: Place, changes: readonly TextChange[]): boolean =>
  changes.some(({ start, end }) => start <= place.end && place.start <= end);

function offsetOf(
  text: string,
  { line, column }: { readonly line: number; readonly column: number },
): number {
  let start = 0;
  for (let number = 1; number < line; number++) {
    const end = text.indexOf('\n', start);
    if (end < 0) break;
    start = end + 1;
  }
  return Math.min(start + Math.max(column - 1, 0), text.length);
}
