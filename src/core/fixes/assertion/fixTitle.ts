// How a changed expectation is told in one line, and both of its sides in full.
import type { ExpectationChange } from '../../model/fix.ts';
import type { LiteralChange } from './literalChange.ts';
import { shorten } from './patchRequest.ts';
import { shownChange } from './shownChange.ts';

type ShownChange = Pick<LiteralChange, 'path' | 'old' | 'new'>;

/** About as much as one line of a list shows. */
const titleLength = 72;

/** "expect total.currency 'EUR' (was '€')"; several changes are told by the first and their number. */
export function titleOf(changes: readonly ShownChange[]): string {
  const shown = distinctShown(changes);
  const [first] = shown;
  if (first === undefined) return 'expect the actual value';
  const rest = shown.length === 1 ? '' : ` and ${shown.length - 1} more`;
  const place = first.path === '' ? '' : `${first.path} `;
  if (first.new === '') return `no longer expect ${place}${shorten(first.old, 48)}${rest}`;
  if (first.old === '') return `also expect ${place}${shorten(first.new, 48)}${rest}`;
  const [was, now] = shownChange(first.old, first.new, titleLength - 'expect  (was )'.length - place.length);
  return `expect ${place}${now} (was ${was})${rest}`;
}

/** Source text of both sides; several changes one a line, each after its key path. */
export function expectationOf(changes: readonly ShownChange[]): ExpectationChange {
  const shown = distinctShown(changes);
  const side = (of: 'old' | 'new'): string =>
    shown
      .map((change) =>
        shown.length === 1 || change.path === '' ? change[of] : `${change.path}: ${change[of]}`,
      )
      .join('\n');
  return { old: side('old'), new: side('new') };
}

function distinctShown(changes: readonly ShownChange[]): ShownChange[] {
  const key = (change: ShownChange): string => JSON.stringify([change.path, change.old, change.new]);
  return [...new Map(changes.map((change) => [key(change), change])).values()];
}
