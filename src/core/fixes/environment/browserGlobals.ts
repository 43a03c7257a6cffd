// Names that every file has in a browser and none has in Node, and the failures that say so.
import { isOfFramework } from '../../model/testId.ts';
import type { TestResult } from '../../model/testResult.ts';

/** Those that jsdom and happy-dom both make. */
const names =
  'document|window|localStorage|sessionStorage|navigator|HTMLElement|SVGElement|DOMParser|MutationObserver|XMLHttpRequest|' +
  'requestAnimationFrame|cancelAnimationFrame|getComputedStyle|customElements';

const missing = new RegExp(`^(?:[^\\n]*\\s)?(${names}) is not defined\\b`, 'm');

/** `document is not defined`, in vitest or jest: which name it is. */
export function missingGlobal({ id, failure }: TestResult): string | undefined {
  if (!isOfFramework(id, 'vitest', 'jest') || failure === undefined || failure.kind === 'assertion')
    return undefined;
  return missing.exec(failure.message)?.[1];
}
