// The keyboard in the panel: arrows go from card to card as in an accordion, Escape goes back out.

/** Listens on `root`; Tab, Enter and Space are the browser's own. */
export function listenToKeys(root: HTMLElement): void {
  root.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    const target = event.target instanceof HTMLElement ? event.target : root;
    const wanted = wantedBy(event.key, target, root);
    if (wanted === undefined) return;
    event.preventDefault();
    wanted.focus();
  });
}

function wantedBy(key: string, target: HTMLElement, root: HTMLElement): HTMLElement | undefined {
  const search = target instanceof HTMLInputElement && target.type === 'search' ? target : undefined;
  const isSearch = search !== undefined;
  if (key === 'Escape') return isSearch ? cleared(search) : outOf(target, root);
  if (!isSearch && !(target instanceof HTMLButtonElement)) return undefined;
  if (isSearch && key !== 'ArrowDown') return undefined;
  const folds = [...root.querySelectorAll<HTMLElement>('.fold')];
  const card = target.closest('.card')?.querySelector<HTMLElement>('.fold');
  const at = card == null ? -1 : folds.indexOf(card);
  switch (key) {
    case 'ArrowDown':
      return folds[at + 1];
    case 'ArrowUp':
      // From a button of a card to its own heading first.
      return card != null && card !== target ? card : folds[at - 1];
    case 'Home':
      return at < 0 ? undefined : folds[0];
    case 'End':
      return at < 0 ? undefined : folds.at(-1);
    default:
      return undefined;
  }
}

function cleared(search: HTMLInputElement): HTMLElement {
  if (search.value !== '') {
    search.value = '';
    search.dispatchEvent(new Event('input'));
  }
  return search;
}

/** From within a card to its heading, from there to the bar above. */
function outOf(target: HTMLElement, root: HTMLElement): HTMLElement | undefined {
  const fold = target.closest('.card')?.querySelector<HTMLElement>('.fold');
  if (fold == null) return undefined;
  if (fold !== target) return fold;
  return [...root.querySelectorAll<HTMLElement>('.toolbar button, header button')].find(
    (each) => each.getClientRects().length > 0,
  );
}
