// Makes and updates elements; text is always text, never markup, and untouched elements keep focus and scroll.
import { visibleText } from '../core/model/visibleText.ts';

export type Child = Node | string | undefined;

interface ElementOptions {
  readonly class?: string;
  readonly title?: string;
  readonly id?: string;
  /** Further attributes; names are ours, values may come from anywhere. */
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: () => void;
}

export function element(tag: string, options: ElementOptions, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.title !== undefined) made.title = visibleText(options.title);
  if (options.id !== undefined) made.id = options.id;
  for (const [name, value] of Object.entries(options.attributes ?? {}))
    made.setAttribute(name, visibleText(value));
  if (options.onClick !== undefined) made.addEventListener('click', options.onClick);
  for (const child of children)
    if (child !== undefined) made.append(typeof child === 'string' ? visibleText(child) : child);
  return made;
}

/** A path breaks after its slashes, and no name in its middle. */
export function breakable(text: string): Node {
  const made = document.createDocumentFragment();
  for (const [index, part] of text.split(/(?<=\/)/).entries())
    made.append(...(index === 0 ? [] : [document.createElement('wbr')]), visibleText(part));
  return made;
}

export function button(text: Child, onClick: () => void, options: ElementOptions = {}): HTMLElement {
  const made = element('button', { ...options, onClick: () => !isResting(made) && onClick() }, text);
  made.setAttribute('type', 'button');
  return made;
}

/** A resting button keeps its place and the focus, and does nothing. */
export function setResting(button: Element, resting: boolean): void {
  if (resting) button.setAttribute('aria-disabled', 'true');
  else button.removeAttribute('aria-disabled');
}

function isResting(button: Element): boolean {
  return button.getAttribute('aria-disabled') === 'true';
}

/** Sets text only when it differs, so that nothing is laid out or read aloud again. */
export function setText(element: Element, text: string): void {
  const visible = visibleText(text);
  if (element.textContent !== visible) element.textContent = visible;
}

/** Elements by key, made again only when what they were made from is no longer the same. */
export class KeyedElements {
  readonly #made = new Map<string, { readonly from: readonly unknown[]; readonly element: HTMLElement }>();

  /** The element as it is, whatever it was made from. */
  known(key: string): HTMLElement | undefined {
    return this.#made.get(key)?.element;
  }

  isCurrent(key: string, from: readonly unknown[]): boolean {
    const known = this.#made.get(key);
    return (
      known !== undefined &&
      known.from.length === from.length &&
      from.every((part, index) => part === known.from[index])
    );
  }

  get(key: string, from: readonly unknown[], make: () => HTMLElement): HTMLElement {
    const known = this.#made.get(key);
    if (known !== undefined && this.isCurrent(key, from)) return known.element;
    const element = make();
    this.#made.set(key, { from, element });
    return element;
  }

  clear(): void {
    this.#made.clear();
  }
}

/** Gives `parent` exactly these children, touching only what differs. */
export function setChildren(parent: Element, children: readonly Node[]): void {
  let at: ChildNode | null = parent.firstChild;
  for (const child of children) {
    if (child === at) at = at.nextSibling;
    else parent.insertBefore(child, at);
  }
  while (at !== null) {
    const next: ChildNode | null = at.nextSibling;
    at.remove();
    at = next;
  }
}
