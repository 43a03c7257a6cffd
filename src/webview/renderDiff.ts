// A unified diff with its lines coloured; what is too long to read here is cut, the diff editor has all of it.
import { element } from './dom.ts';

const maxLines = 200;
const maxLength = 1_000;
const kinds: Record<string, string> = { '+': 'added', '-': 'removed', '@': 'hunk' };

/** File headers are shortened to the name of the file; `label` says what the diff is of. */
export function renderDiff(diff: string, label: string): HTMLElement {
  const lines = diff
    .split('\n')
    .filter((line) => line !== '' && !/^(diff --git|index |--- |\\ No newline)/.test(line));
  const rendered = lines.slice(0, maxLines).map((line) => {
    if (line.startsWith('+++ '))
      return element('span', { class: 'file' }, `${line.slice(4).replace(/^b\//, '')}\n`);
    const text =
      line.length > maxLength
        ? `${line.slice(0, maxLength)}… (${line.length - maxLength} more characters)`
        : line;
    return element('span', { class: kinds[line[0] ?? ''] ?? 'same' }, `${text}\n`);
  });
  if (lines.length > maxLines)
    rendered.push(
      element(
        'span',
        { class: 'hunk' },
        `… ${(lines.length - maxLines).toLocaleString('en')} more lines; Open diff shows all.\n`,
      ),
    );
  return element(
    'pre',
    { class: 'diff', attributes: { tabindex: '0', role: 'region', 'aria-label': label } },
    element('code', {}, ...rendered),
  );
}

/** A text as it was printed, cut where it is too long to read here. */
export function renderText(text: string, label: string): HTMLElement {
  const shown =
    text.length > 8_000 ? `${text.slice(0, 8_000)}… (${text.length - 8_000} more characters)` : text;
  return element(
    'pre',
    { class: 'failure', attributes: { tabindex: '0', role: 'region', 'aria-label': label } },
    shown,
  );
}
