// What a patch of an expectation is made of: the changed literals, or the reason why there is no honest patch.
import type { Stop } from '../../diagnosis/valueStops.ts';
import type { SourceTree } from '../../syntax/javascript/sourceTree.ts';

export interface LiteralChange {
  readonly tree: SourceTree;
  readonly start: number;
  readonly end: number;
  readonly newText: string;
  /** Where in the expected value: `total.currency`, empty for all of it. */
  readonly path: string;
  /** Source text of both sides, as the user is shown it. */
  readonly old: string;
  readonly new: string;
  /** What makes the new literal look like a bug, where no recorded values of both sides tell. */
  readonly stops?: readonly Stop[];
}

/** Why there is no patch; a sentence for the user. */
export interface Refusal {
  readonly reason: string;
  /** The text does not tell where a value comes from; a trial in the sandbox may. */
  readonly unread?: true;
}

export type Patch = readonly LiteralChange[] | Refusal;

export function refuse(reason: string): Refusal {
  return { reason };
}

/** A refusal that a trial in the sandbox may answer. */
export function unread(refusal: Refusal): Refusal {
  return { ...refusal, unread: true };
}

export function isRefusal(result: object): result is Refusal {
  return 'reason' in result;
}

/** The same patch, with what speaks against it. */
export function withStops(patch: Patch, stops: readonly Stop[]): Patch {
  if (isRefusal(patch) || stops.length === 0) return patch;
  return patch.map((change) => ({ ...change, stops: [...(change.stops ?? []), ...stops] }));
}

/** All patches together, or the first refusal. */
export function joinPatches(patches: readonly Patch[]): Patch {
  const changes: LiteralChange[] = [];
  for (const patch of patches) {
    if (isRefusal(patch)) return patch;
    changes.push(...patch);
  }
  return changes;
}
