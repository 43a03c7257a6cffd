// Keeps texts that nest without an end away from what walks their trees: by calls of itself, each of which takes room on the stack.
import { HumanError } from '../base/humanError.ts';

/** So many levels a tree may have; people write some tens of them, and generated tests a few hundred terms in one expression. */
export const deepest = 1000;

/** `file`: as the user knows it, where that is known. */
export function tooDeep(file?: string): HumanError {
  return new HumanError('bad-input', `${file ?? 'A file'} nests deeper than ${deepest} levels.`, {
    ...(file !== undefined && { file }),
    remedy:
      'Split the expression up, or build its value in a loop: brackets and operators count, each as one level.',
  });
}

/** Throws `tooDeep` where the work overflows the stack, or says so of a file that it does not know. */
export function withinDepth<T>(file: string | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const isNameless = error instanceof HumanError && error.message === tooDeep().message;
    throw error instanceof RangeError || isNameless ? tooDeep(file) : error;
  }
}
