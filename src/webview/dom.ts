// Makes and updates elements; text is always text, never markup, and untouched elements keep focus and scroll.

export type Child = Node | string | undefined;

export interface ElementOptions {
  readonly class?: string;
  readonly title?: string;
  readonly role?: string;
  readonly label?: string;
  readonly disabled?: boolean;
  readonly onClick?: () => void;
}

export function element(tag: string, options: ElementOptions, ...children: readonly Child[]): HTMLElement {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.title !== undefined) made.title = options.title;
  if (options.role !== undefined) made.setAttribute('role', options.role);
  if (options.label !== undefined) made.setAttribute('aria-label', options.label);
  if (options.disabled === true) made.setAttribute('disabled', '');
  if (options.onClick !== undefined) made.addEventListener('click', options.onClick);
  made.append(...children.filter((child) => child !== undefined));
  return made;
}

export function button(text: string, onClick: () => void, options: ElementOptions = {}): HTMLElement {
  const made = element('button', { ...options, onClick }, text);
  made.setAttribute('type', 'button');
  return made;
}

/** A part that opens and closes; it stays as the user left it while its key lives. */
export function disclosure(summary: Child, open: boolean, ...children: readonly Child[]): HTMLElement {
  const made = element('details', {}, element('summary', {}, summary), ...children);
  if (open) made.setAttribute('open', '');
  return made;
}

/** Elements by key, made again only when what they show has changed. */
export class KeyedElements {
  readonly #made = new Map<string, { readonly signature: string; readonly element: HTMLElement }>();

  get(key: string, signature: string, make: () => HTMLElement): HTMLElement {
    const known = this.#made.get(key);
    if (known?.signature === signature) return known.element;
    const made = make();
    if (known !== undefined) keepOpenState(known.element, made);
    this.#made.set(key, { signature, element: made });
    return made;
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

function keepOpenState(before: HTMLElement, after: HTMLElement): void {
  const old = before.querySelectorAll('details');
  after.querySelectorAll('details').forEach((details, index) => {
    const was = old[index];
    if (was !== undefined) details.open = was.open;
  });
}
