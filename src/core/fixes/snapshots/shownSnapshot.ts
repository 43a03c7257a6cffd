// How changed snapshots are told: the lines that differ on both sides, and a title of one line.
import type { ExpectationChange } from '../../model/fix.ts';
import { codeLine } from '../../model/visibleText.ts';
import { diffOfLines } from '../../workspace/lineDiff.ts';
import { shownChange } from '../assertion/shownChange.ts';
import type { SnapshotChange } from './snapshotChanges.ts';

/** The changed lines; several snapshots one below the other, each after its name. */
export function expectationOf(changes: readonly SnapshotChange[]): ExpectationChange {
  const shown = changes.map((change) => ({ name: nameOf(change), ...changedLines(change) }));
  const side = (of: 'old' | 'new'): string =>
    shown.map((change) => (shown.length === 1 ? change[of] : `${change.name}:\n${change[of]}`)).join('\n');
  return { old: side('old'), new: side('new') };
}

/** About as much as one line of a list shows. */
const room = 56;

export function titleOf(changes: readonly SnapshotChange[]): string {
  const [first] = changes;
  if (first === undefined) return 'update snapshots';
  const rest = changes.length === 1 ? '' : ` and ${changes.length - 1} more`;
  const { old, new: now } = changedLines(first);
  if (now === '') return `no longer store ${cut(old)} in a snapshot${rest}`;
  if (old === '') return `also store ${cut(now)} in a snapshot${rest}`;
  const [was, is] = shownChange(old, now, room);
  return `store ${is} (was ${was}) in a snapshot${rest}`;
}

/** What a person calls it: the stored name, the line, or the file. */
export function nameOf({ place, file }: SnapshotChange): string {
  if (place.kind === 'entry') return place.name;
  return place.kind === 'inline' ? `line ${place.snapshot.line}` : file;
}

const cut = (text: string): string => {
  const line = codeLine(text.trim());
  return line.length <= room ? line : `${line.slice(0, room - 1)}…`;
};

/** Without the indentation that all of them share, so that the same change looks the same at every depth. */
function changedLines({ old = '', new: now }: SnapshotChange): ExpectationChange {
  const parts = diffOfLines(`${old.replace(/^\n|\n$/g, '')}\n`, `${now.replace(/^\n|\n$/g, '')}\n`);
  const lines = (side: 'removed' | 'added'): string[] =>
    parts.flatMap((part) => (part[side] ? part.value.replace(/\n$/, '').split('\n') : []));
  const [removed, added] = [lines('removed'), lines('added')];
  const depths = [...removed, ...added]
    .filter((line) => line.trim() !== '')
    .map((line) => /^ */.exec(line)?.[0].length ?? 0);
  const depth = depths.reduce((least, one) => Math.min(least, one), Number.MAX_SAFE_INTEGER);
  const side = (shown: readonly string[]): string => shown.map((line) => line.slice(depth)).join('\n');
  return { old: side(removed), new: side(added) };
}
