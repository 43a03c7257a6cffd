// Does a test get further than before? Judged by what is known of its failures, never by what their messages say.
import { applyChanges } from '../model/edit.ts';
import type { FileEdit, TextChange } from '../model/fileEdit.ts';
import type { Failure, TestResult } from '../model/testResult.ts';
import { placeBefore } from '../workspace/stackedEdits.ts';
import type { Comparison } from './compareRuns.ts';

/** What tests did with edits in place. */
export interface Standing {
  readonly results: ReadonlyMap<string, TestResult>;
  /** Made for the texts that `textOf` tells. */
  readonly edits: readonly FileEdit[];
}

/**
 * A file that did not load gets further when its tests run, or when another import is the one that fails; a test when it fails at a later
 * place of its file, or when it threw at a place and now gets to compare something there. Places are compared in the texts without edits.
 */
export function getsFurther(
  id: string,
  before: Standing,
  after: { readonly comparison: Comparison; readonly edits: readonly FileEdit[] },
  textOf: (file: string) => string | undefined,
): boolean {
  const was = before.results.get(id);
  if (was === undefined || was.outcome === 'passed' || was.outcome === 'skipped') return false;
  const now = after.comparison.after(id);
  if (!id.includes('#') && now === undefined) return runsAtAll(id, was, after.comparison);
  if (was.failure === undefined || now?.failure === undefined || now.outcome === 'skipped') return false;
  const text = textOf(was.file);
  if (text === undefined) return false;
  const placesOf = (failure: Failure, edits: readonly FileEdit[]): Place | undefined =>
    placeOf(failure, was.file, text, changesOf(was.file, edits));
  const [left, right] = [placesOf(was.failure, before.edits), placesOf(now.failure, after.edits)];
  if (left === undefined || right === undefined) return false;
  if (was.failure.kind === 'load' && now.failure.kind === 'load')
    return isEdited(left, text, changesOf(was.file, after.edits)) && left.line !== right.line;
  if (!isReached(was.failure) || !isReached(now.failure)) return false;
  if (left.line !== right.line) return right.line > left.line;
  if (was.failure.kind !== 'error') return false;
  return now.failure.kind === 'assertion' || right.offset > left.offset;
}

/** Did it fail at a place of the test, and not by its time limit or with its process? */
const isReached = ({ kind }: Failure): boolean => kind === 'assertion' || kind === 'error';

function runsAtAll(id: string, { failure }: TestResult, comparison: Comparison): boolean {
  if (failure?.kind !== 'load' && failure?.kind !== 'error') return false;
  return comparison.testsIn(id).some(({ outcome }) => outcome !== 'skipped');
}

interface Place {
  /** Both of the text without edits. */
  readonly offset: number;
  readonly line: number;
}

/** Where a failure stands in the test file: the outermost call in it, which is the test's own. */
function placeOf(
  { kind, stack, location }: Failure,
  file: string,
  text: string,
  changes: readonly TextChange[],
): Place | undefined {
  const at = kind === 'load' ? location : (stack.findLast((frame) => frame.file === file) ?? location);
  if (at?.file !== file) return undefined;
  const offset = placeBefore(changes, offsetOf(applyChanges(changes, text), at));
  return { offset, line: lineOf(text, offset) };
}

const changesOf = (file: string, edits: readonly FileEdit[]): readonly TextChange[] =>
  edits.filter((edit) => edit.file === file).flatMap(({ changes }) => changes);

/** Does a change touch the line of the place? */
const isEdited = ({ line }: Place, text: string, changes: readonly TextChange[]): boolean =>
  changes.some(({ start, end }) => lineOf(text, start) <= line && line <= lineOf(text, end));

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

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;
