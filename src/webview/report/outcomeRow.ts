// The last outcomes of a test in a row of small marks, the newest at the right.
import { element } from '../dom.ts';

const names: Readonly<Record<string, string>> = { P: 'passed', F: 'failed', R: 'passed on a retry' };

/** `letters` as the history has them; nothing for a test with no history. */
export function outcomeRow(letters: string | undefined): HTMLElement | undefined {
  if (letters === undefined || letters === '') return undefined;
  const told = Array.from(letters)
    .map((letter) => names[letter] ?? 'unknown')
    .join(', ');
  return element(
    'span',
    {
      class: 'outcomes',
      title: `Oldest first: ${told}`,
      attributes: { role: 'img', 'aria-label': `Last runs: ${told}` },
    },
    ...Array.from(letters).map((letter) => element('span', { class: `outcome-${letter}` })),
  );
}
