// A page from which one element was taken: for how often something else is then mistaken for it.
import type { ElementFingerprint } from '../../../src/core/scenario/healing/fingerprint.ts';

/** Without the element, all within it, and the wrappers around it that hold no other text. */
export function withoutTruth(
  candidates: readonly ElementFingerprint[],
  truth: number,
): readonly ElementFingerprint[] {
  const gone = candidates[truth];
  return candidates.filter((one, place) => {
    if (place === truth) return false;
    if (gone?.path === undefined || one.path === undefined) return true;
    if (one.path.startsWith(gone.path + '/')) return false;
    return !(gone.path.startsWith(one.path + '/') && one.text === gone.text);
  });
}
