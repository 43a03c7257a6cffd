// Where the user is in the panel, by card and not by pixel: cards above may have grown or folded meanwhile.
import type { KeptView, ViewState } from './viewState.ts';

/** Follows scrolling and focus into the kept view. */
export function followPlace(root: HTMLElement, kept: KeptView): void {
  let isDue = false;
  window.addEventListener(
    'scroll',
    () => {
      if (isDue) return;
      isDue = true;
      requestAnimationFrame(() => {
        isDue = false;
        kept.change({ place: topCard() });
      });
    },
    { passive: true },
  );
  root.addEventListener('focusin', ({ target }) => {
    kept.change({ focus: target instanceof HTMLElement ? focusOf(target) : undefined });
  });
}

/** Scrolls to where the kept view was; resolves when it is there. */
export async function restorePlace(root: HTMLElement, place: ViewState['place']): Promise<void> {
  if (place === undefined) return;
  // Cards have their true height only once they were in sight for a frame: each jump brings the right ones nearer.
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const card = cardOf(root, place.key);
    if (card === null) return;
    window.scrollBy(0, card.getBoundingClientRect().top - place.offset);
  }
}

/** Puts the focus back where it was, or on the card when the control is gone. */
export function restoreFocus(root: HTMLElement, focus: ViewState['focus']): void {
  if (focus === undefined) return;
  const card = cardOf(root, focus.key);
  const control =
    focus.control === undefined
      ? undefined
      : card?.querySelector<HTMLElement>(`[data-control="${CSS.escape(focus.control)}"]`);
  (control ?? card?.querySelector<HTMLElement>('.fold'))?.focus({ preventScroll: true });
}

function focusOf(target: HTMLElement): ViewState['focus'] {
  const key = target.closest<HTMLElement>('.card')?.dataset['key'];
  if (key === undefined) return undefined;
  const control = target.closest<HTMLElement>('[data-control]')?.dataset['control'];
  return control === undefined ? { key } : { key, control };
}

function cardOf(root: HTMLElement, key: string): HTMLElement | null {
  const named = (name: string): HTMLElement | null =>
    root.querySelector<HTMLElement>(`.card[data-key="${CSS.escape(name)}"]`);
  return named(key) ?? named(`${key}-decided`);
}

function topCard(): ViewState['place'] {
  if (window.scrollY <= 0) return undefined;
  const bar = document.querySelector('.toolbar')?.getBoundingClientRect().bottom ?? 0;
  for (let y = Math.max(0, bar) + 4; y < window.innerHeight; y += 24) {
    const card = document.elementFromPoint(40, y)?.closest<HTMLElement>('.card');
    const key = card?.dataset['key'];
    if (card != null && key !== undefined) return { key, offset: card.getBoundingClientRect().top };
  }
  return undefined;
}
