// The bar that stays in sight: what can be done with all fixes at once, and the filter of the cards.
import { button, element, setText } from './dom.ts';
import type { FromPanel } from './messages.ts';
import type { FilterKind, ViewState } from './viewState.ts';

interface ToolbarState {
  readonly counts: Readonly<Record<FilterKind, number>>;
  /** Mechanical fixes that wait. */
  readonly mechanical: number;
  /** now: fixes may be applied · later: when the cycle has ended · never: it is a recording. */
  readonly decides: 'now' | 'later' | 'never';
  /** All of it is taken up or dropped by buttons of its own. */
  readonly isCutOff: boolean;
  readonly view: Pick<ViewState, 'show' | 'search'>;
}

const filterNames: Record<FilterKind, string> = {
  all: 'All',
  decide: 'To decide',
  failing: 'Still failing',
  decided: 'Decided',
};

/** Below this many cards there is nothing to filter. */
const filterFrom = 8;

export class Toolbar {
  readonly element: HTMLElement;
  readonly #mechanical: HTMLElement;
  readonly #discard: HTMLElement;
  readonly #bulk: HTMLElement;
  readonly #hint = element('p', { class: 'hint' }, 'Fixes can be applied when the cycle has ended.');
  readonly #filter: HTMLElement;
  readonly #kinds: ReadonlyMap<FilterKind, HTMLElement>;
  readonly #search: HTMLInputElement;

  constructor(
    send: (message: FromPanel) => void,
    change: (change: Partial<Pick<ViewState, 'show' | 'search'>>) => void,
  ) {
    this.#mechanical = button('', () => send({ type: 'applyMechanical' }), { class: 'decide' });
    this.#discard = button('Discard the rest', () => send({ type: 'discard' }), {
      class: 'decide secondary',
      title: 'Discard every fix that is not decided yet; nothing in the workspace changes.',
    });
    this.#bulk = element('p', { class: 'actions' }, this.#mechanical, this.#discard);
    this.#kinds = new Map(
      (['all', 'decide', 'failing', 'decided'] as const).map((kind) => [
        kind,
        button('', () => change({ show: kind }), { class: 'kind' }),
      ]),
    );
    this.#search = document.createElement('input');
    this.#search.type = 'search';
    this.#search.placeholder = 'Search';
    this.#search.setAttribute('aria-label', 'Search titles and files');
    this.#search.addEventListener('input', () => change({ search: this.#search.value }));
    this.#filter = element(
      'div',
      { class: 'filter', attributes: { role: 'group', 'aria-label': 'Filter' } },
      ...this.#kinds.values(),
      this.#search,
    );
    this.element = element('div', { class: 'toolbar' }, this.#bulk, this.#hint, this.#filter);
  }

  update({ counts, mechanical, decides, isCutOff, view }: ToolbarState): void {
    this.#discard.hidden = isCutOff;
    this.#bulk.hidden = decides !== 'now' || counts.decide === 0 || (isCutOff && mechanical === 0);
    this.#hint.hidden = decides !== 'later' || counts.decide === 0;
    this.#mechanical.hidden = mechanical === 0;
    setText(this.#mechanical, `Apply all mechanical (${mechanical})`);
    for (const [kind, made] of this.#kinds) {
      setText(made, `${filterNames[kind]} ${counts[kind].toLocaleString('en')}`);
      made.setAttribute('aria-pressed', String(view.show === kind));
      made.hidden = decides === 'never' && kind.startsWith('decide');
    }
    if (this.#search.value !== view.search) this.#search.value = view.search;
    this.#filter.hidden = counts.all < filterFrom && view.show === 'all' && view.search === '';
    this.element.hidden = this.#bulk.hidden && this.#hint.hidden && this.#filter.hidden;
  }
}
