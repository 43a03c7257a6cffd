// A card: a heading that folds and unfolds what is below it, which is made when it is first seen.
import { breakable, element, type Child } from './dom.ts';

/** What every card needs of the panel around it. */
export interface CardHost {
  /** Whether the user opened or folded the card; undefined when neither. */
  isUnfolded(key: string): boolean | undefined;
  folded(key: string, unfolded: boolean): void;
}

interface CardOptions {
  /** Names the card in the kept view. */
  readonly key: string;
  readonly class: string;
  readonly level: 3 | 4;
  readonly title: string;
  /** Under the title, also when the card is folded. */
  readonly summary: readonly Child[];
  /** Made when the card is first unfolded. */
  readonly body: () => readonly Child[];
  /** How it stands until the user decides. */
  readonly unfolded: boolean;
}

let cards = 0;

export function card(options: CardOptions, host: CardHost): HTMLElement {
  const id = `card-${++cards}`;
  const body = element('div', { class: 'body', id: `${id}-body` });
  const fold = element(
    'button',
    { class: 'fold', id: `${id}-title`, attributes: { type: 'button', 'aria-controls': body.id } },
    element('span', { class: 'twistie', attributes: { 'aria-hidden': 'true' } }),
    element('span', { class: 'text' }, breakable(options.title)),
  );
  const made = element(
    'article',
    {
      class: `card ${options.class}`,
      attributes: { 'data-key': options.key, 'aria-labelledby': fold.id },
    },
    element(`h${options.level}`, {}, fold),
    ...options.summary,
    body,
  );
  let filled = false;
  const set = (unfolded: boolean): void => {
    if (unfolded && !filled) {
      body.append(...options.body().filter((child) => child !== undefined));
      filled = true;
    }
    body.hidden = !unfolded;
    fold.setAttribute('aria-expanded', String(unfolded));
  };
  set(host.isUnfolded(options.key) ?? options.unfolded);
  fold.addEventListener('click', () => {
    set(body.hidden !== false);
    host.folded(options.key, !body.hidden);
  });
  return made;
}
