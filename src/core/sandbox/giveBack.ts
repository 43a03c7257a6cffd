// Gives the original of a file back where something of ours stands, and leaves everything else that stands there alone.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { asideOf, draftOf, lstat, placesOf, syncFolder, writeDraft, type Original } from './keptOriginal.ts';
import { hasCode } from '../workspace/readText.ts';
import { keyOf, putBack, standingAt, swapFile, type Standing } from './swapFile.ts';

/** A file that was edited, and what is known of it. */
export interface Entry {
  readonly original: Original;
  /** All that we put there, as keyOf tells it. */
  readonly ours: Set<string>;
  /** What of ours stands there now; only while the process lives that put it there. */
  laid?: Standing | undefined;
  /** The bytes of the original; likewise. */
  bytes?: Buffer | undefined;
}

type GivenBack =
  /** The original stands there. */
  | 'original'
  /** Something else stands there, which is not ours: it was left alone. */
  | 'changed'
  /** Something of ours stands there, or nothing, and what was kept is gone. */
  | 'lost';

interface Outcome {
  readonly is: GivenBack;
  /** Files of somebody else that have no place any more: two were written at once. */
  readonly stranded: readonly string[];
}

/** What is kept is still kept afterwards. Throws where the disk refuses. */
export function giveBack(entry: Entry): Outcome {
  const { gap, stranded } = settleAsides(entry);
  const { is, stranded: more } = giveBackFrom(entry, gap !== undefined);
  if (gap !== undefined) rmSync(gap, { force: true });
  return { is, stranded: [...stranded, ...more] };
}

function giveBackFrom({ original, ours, bytes }: Entry, hasGap: boolean): Outcome {
  const { file, kept } = original;
  const found = standingAt(file);
  const outcome = (is: GivenBack): Outcome => ({ is, stranded: [] });
  const isOurs = ours.has(keyOf(found)) || (hasGap && found === undefined);
  if (isOriginal(original, found, isOurs)) return outcome('original');
  if (!isOurs) return outcome(kept !== null && lstat(kept) === undefined && !bytes ? 'lost' : 'changed');
  const source = kept === null || lstat(kept) ? kept : bytes;
  if (source === undefined) return outcome('lost');
  if (source !== null) mkdirSync(path.dirname(file), { recursive: true });
  const isVeryFile = original.isLink && typeof source === 'string';
  for (const place of placesOf(original)) {
    const next = source === null ? undefined : isVeryFile ? source : draftOf(place);
    try {
      if (next !== undefined && !isVeryFile)
        writeDraft(
          next,
          typeof source === 'string' ? readFileSync(source) : (bytes ?? new Uint8Array()),
          original,
          true,
        );
      const swapped = swapFile({ file, expected: found, next, aside: asideOf(place) });
      syncFolder(path.dirname(file));
      if (swapped === 'done') return outcome('original');
      return { is: 'changed', stranded: swapped === 'stranded' ? [asideOf(place)] : [] };
    } catch (error) {
      // Another disk, or a journal that somebody removed: beside the file there is room, too.
      if (!hasCode(error, 'EXDEV', 'ENOENT')) throw error;
    } finally {
      if (!isVeryFile && next !== undefined) rmSync(next, { force: true });
    }
  }
  throw new Error(`${file} cannot be renamed.`);
}

function isOriginal(original: Original, found: Standing | undefined, isOurs: boolean): boolean {
  const { kept, isLink, standing } = original;
  if (standing === null) return found === undefined;
  if (found === undefined) return false;
  const keptInode = isLink && kept !== null ? standingAt(kept)?.inode : undefined;
  if (isLink && found.inode === (keptInode ?? standing.inode)) return true;
  return !isOurs && found.hash === standing.hash;
}

/** A kill may have left a file aside that was about to lose its place. `gap`: it was ours, and nothing came to its place yet. */
function settleAsides({ original, ours }: Entry): {
  readonly gap: string | undefined;
  readonly stranded: readonly string[];
} {
  const { file, own, beside, standing } = original;
  const stranded: string[] = [];
  let gap: string | undefined;
  for (const place of [own, beside]) {
    removeDraft(draftOf(place));
    const aside = asideOf(place);
    const found = standingAt(aside);
    if (found === undefined) continue;
    if (ours.has(keyOf(found))) {
      // Not before the original is there again: until then this tells that nobody else took the file away.
      if (standingAt(file) === undefined) gap = aside;
      else rmSync(aside, { force: true });
    } else if (!putBack(aside, file)) {
      if (found.hash === standing?.hash) rmSync(aside, { force: true });
      else stranded.push(aside);
    }
  }
  return { gap, stranded };
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // A folder above has become a file: there is no draft either.
  }
}
