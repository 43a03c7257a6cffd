// A section of the report with a table that scrolls by itself where the window is narrow.
import { element, type Child } from '../dom.ts';

interface TableParts {
  /** Names the section in the page. */
  readonly name: string;
  readonly title: string;
  readonly hint?: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly Child[])[];
}

export function tableSection({ name, title, hint, heads, rows }: TableParts): HTMLElement {
  const head = heads.map((text) => element('th', { attributes: { scope: 'col' } }, text));
  const body = rows.map((cells) => element('tr', {}, ...cells.map((cell) => element('td', {}, cell))));
  return element(
    'section',
    { class: name, attributes: { 'aria-labelledby': `heading-${name}` } },
    element('h2', { id: `heading-${name}` }, title),
    hint === undefined ? undefined : element('p', { class: 'hint' }, hint),
    element(
      'div',
      { class: 'wide', attributes: { tabindex: '0', role: 'region', 'aria-label': `Table: ${title}` } },
      element('table', {}, element('thead', {}, element('tr', {}, ...head)), element('tbody', {}, ...body)),
    ),
  );
}
