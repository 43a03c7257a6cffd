// Runs in the page: takes the fingerprints of an element, or of all visible ones.
import { z } from 'zod';
import { fingerprintSchema, type ElementFingerprint } from './fingerprint.ts';

/**
 * The fingerprints of all visible elements of a document (a Playwright page or frame) and of its open shadow roots, in the order of the
 * document, at most `limit`. File inputs count as visible. Rejects when the page goes away. They travel as one text: as objects they would
 * take ten times as long.
 */
export async function visibleElements(
  page: { evaluate(script: string): Promise<unknown> },
  limit = 20_000,
): Promise<readonly ElementFingerprint[]> {
  const script = `JSON.stringify(${allElementsScript(limit)})`;
  return z.array(fingerprintSchema).parse(JSON.parse(String(await page.evaluate(script))));
}

/** An expression that gives what `visibleElements` reads, for scripts that stand in the page. */
export const allElementsScript = (limit = 20_000): string =>
  `(() => { const __name = (one) => one; return (${collectElements.toString()})(null, ${limit}); })()`;

/** A function for `locator.evaluate`: the fingerprint of that element, visible or not. */
export const oneElementScript: (element: Element) => ElementFingerprint | undefined = inPage(
  `(element) => { const __name = (one) => one; return (${collectElements.toString()})(element, 1)[0]; }`,
);

/** A function for `page.evaluateHandle`: the element at the `path` of a fingerprint, or null. */
export const elementAtPath: (path: string) => Element | null = inPage(
  `(path) => { const __name = (one) => one; return (${findByPath.toString()})(path); }`,
);

/** Playwright sends the text of a function; this one has a text that needs no helper of a bundler. */
function inPage(source: string): () => never {
  const never = (): never => {
    throw new Error('runs in a page only');
  };
  return Object.assign(never, { toString: () => source });
}

function findByPath(path: string): Element | null {
  let parent: ParentNode = document;
  let found: Element | null = null;
  for (const step of path.split('/')) {
    if (step === '#shadow') {
      if (!found?.shadowRoot) return null;
      parent = found.shadowRoot;
      continue;
    }
    const [, tag, place] = /^(.+)\[(\d+)\]$/.exec(step) ?? [];
    found = Array.from(parent.children).filter((one) => one.localName === tag)[Number(place) - 1] ?? null;
    if (found === null) return null;
    parent = found;
  }
  return found;
}

/** Stands alone: nothing from outside of it is there in the page. */
function collectElements(only: Element | null, limit: number): ElementFingerprint[] {
  const skipped = new Set(
    'script,style,noscript,template,head,meta,link,title,base,br,wbr,source,track,param,col,colgroup,option,optgroup,datalist'.split(
      ',',
    ),
  );
  const impliedRoles: Record<string, string> = {
    button: 'button',
    summary: 'button',
    select: 'combobox',
    textarea: 'textbox',
    img: 'img',
    nav: 'navigation',
    main: 'main',
    header: 'banner',
    footer: 'contentinfo',
    aside: 'complementary',
    form: 'form',
    table: 'table',
    tr: 'row',
    td: 'cell',
    th: 'columnheader',
    ul: 'list',
    ol: 'list',
    li: 'listitem',
    dialog: 'dialog',
    article: 'article',
    fieldset: 'group',
    progress: 'progressbar',
    output: 'status',
    hr: 'separator',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    p: 'paragraph',
  };
  const inputRoles: Record<string, string> = {
    button: 'button',
    submit: 'button',
    reset: 'button',
    image: 'button',
    checkbox: 'checkbox',
    radio: 'radio',
    range: 'slider',
    number: 'spinbutton',
    search: 'searchbox',
  };
  const namedByContent = new Set(
    'button,link,heading,cell,columnheader,rowheader,checkbox,radio,switch,tab,menuitem,menuitemcheckbox,menuitemradio,option,treeitem,tooltip,row'.split(
      ',',
    ),
  );
  const ownFields = new Set(['id', 'class', 'name', 'type', 'role', 'style']);
  const clean = (text: string, most: number): string => text.replace(/\s+/g, ' ').trim().slice(0, most);
  const headingTags = 'h1,h2,h3,h4,h5,h6,legend,caption,summary,dt';
  const texts = new Map<Element, string>();
  const paths = new Map<Element, string>();
  const headings = new Map<Element, string>();
  const lists = new Map<Element, Element[]>();
  const places = new Map<Element, number>();

  const parentOf = (element: Element): Element | null => {
    const parent = element.parentNode;
    return parent instanceof ShadowRoot ? parent.host : element.parentElement;
  };
  /** Those of the shadow root behind the own ones. */
  const childrenOf = (parent: Element): Element[] => {
    const known = lists.get(parent);
    if (known) return known;
    const list: Element[] = [];
    for (const root of parent.shadowRoot ? [parent, parent.shadowRoot] : [parent])
      for (const child of root.children) {
        places.set(child, list.length);
        list.push(child);
      }
    lists.set(parent, list);
    return list;
  };
  const namePaths = (parent: Element): void => {
    for (const root of parent.shadowRoot ? [parent, parent.shadowRoot] : [parent]) {
      const counts = new Map<string, number>();
      const prefix = pathOf(parent) + (root === parent ? '' : '/#shadow');
      for (const child of root.children) {
        const place = (counts.get(child.localName) ?? 0) + 1;
        counts.set(child.localName, place);
        paths.set(child, `${prefix}/${child.localName}[${place}]`);
      }
    }
  };
  const pathOf = (element: Element): string => {
    const parent = parentOf(element);
    if (parent === null) return `${element.localName}[1]`;
    if (!paths.has(element)) namePaths(parent);
    return paths.get(element) ?? '';
  };
  /** Reads no further than it is kept. */
  const textOf = (element: Element): string => {
    const known = texts.get(element);
    if (known !== undefined) return known;
    let text = '';
    if (element.localName === 'svg') text = element.querySelector('title')?.textContent ?? '';
    else if (!skipped.has(element.localName))
      for (const root of element.shadowRoot ? [element.shadowRoot, element] : [element])
        for (const child of root.childNodes) {
          if (text.length >= 320) break;
          if (child.nodeType === 3) text += child.nodeValue ?? '';
          else if (child instanceof Element) text += ` ${textOf(child)} `;
        }
    text = clean(text, 160);
    texts.set(element, text);
    return text;
  };
  const roleOf = (element: Element): string | undefined => {
    const written = element.getAttribute('role')?.trim().split(/\s+/)[0];
    if (written) return written;
    const tag = element.localName;
    if (tag === 'a' || tag === 'area') return element.hasAttribute('href') ? 'link' : undefined;
    if (element instanceof HTMLInputElement) {
      const { type } = element;
      return (
        inputRoles[type] ??
        (/^(?:hidden|file|color|date|time|month|week|datetime-local|password)$/.test(type)
          ? undefined
          : 'textbox')
      );
    }
    return impliedRoles[tag];
  };
  const rootOf = (element: Element): Document | ShadowRoot => {
    const root = element.getRootNode();
    return root instanceof ShadowRoot ? root : document;
  };
  const headingOf = (element: Element): string => {
    if (only === null) return headings.get(element) ?? '';
    let last = '';
    for (const one of rootOf(element).querySelectorAll(headingTags)) {
      if ((one.compareDocumentPosition(element) & 4) === 0 || one.contains(element)) break;
      last = textOf(one).slice(0, 80) || last;
    }
    return last;
  };
  const nameOf = (element: Element, role: string | undefined): string => {
    const root = rootOf(element);
    const references = element.getAttribute('aria-labelledby');
    if (references) {
      const named = references
        .split(/\s+/)
        .map((id) => root.getElementById(id)?.textContent ?? '')
        .join(' ');
      if (named.trim() !== '') return clean(named, 120);
    }
    const label = element.getAttribute('aria-label');
    if (label?.trim()) return clean(label, 120);
    const isField =
      element instanceof HTMLInputElement ||
      element instanceof HTMLSelectElement ||
      element instanceof HTMLTextAreaElement ||
      element instanceof HTMLButtonElement;
    const labels = isField ? element.labels : null;
    if (labels && labels.length > 0) {
      const named = clean(Array.from(labels, (one) => textOf(one)).join(' '), 120);
      if (named !== '') return named;
    }
    const tag = element.localName;
    if (element instanceof HTMLInputElement && role === 'button') {
      const { value, alt } = element;
      if (value || alt) return clean(value || alt, 120);
    }
    const alternative = element.getAttribute('alt');
    if (alternative?.trim()) return clean(alternative, 120);
    if (tag === 'fieldset' || tag === 'table') {
      const caption = element.querySelector(tag === 'table' ? 'caption' : 'legend');
      if (caption) return clean(caption.textContent ?? '', 120);
    }
    if (role !== undefined && namedByContent.has(role)) {
      const text = textOf(element);
      if (text !== '') return text.slice(0, 120);
      const image = element.querySelector('img[alt],svg[aria-label],[aria-label]');
      const inner = image?.getAttribute('alt') ?? image?.getAttribute('aria-label');
      if (inner?.trim()) return clean(inner, 120);
    }
    return clean(element.getAttribute('title') ?? element.getAttribute('placeholder') ?? '', 120);
  };
  const neighboursOf = (element: Element): string[] => {
    let branch = element;
    for (let level = 0; level < 5; level++) {
      const parent = parentOf(branch);
      if (parent === null) return [];
      const siblings = childrenOf(parent);
      const place = places.get(branch) ?? 0;
      const found: string[] = [];
      for (let away = 1; away <= 6 && found.length < 6; away++)
        for (const at of [place - away, place + away]) {
          const sibling = siblings[at];
          const text = sibling === undefined ? '' : textOf(sibling);
          if (text) found.push(text.slice(0, 60));
        }
      if (found.length > 0) return found;
      // Text of the parent that stands in no element of its own.
      const around = textOf(parent);
      if (around.length > textOf(branch).length + 1) return [clean(around.replace(textOf(branch), ' '), 60)];
      branch = parent;
    }
    return [];
  };
  const fingerprint = (element: Element, box: DOMRect): ElementFingerprint => {
    const role = roleOf(element);
    const attributes: Record<string, string> = {};
    let count = 0;
    for (const { name, value } of element.attributes)
      if (!ownFields.has(name) && !name.startsWith('on') && count < 24) {
        attributes[name] = value.slice(0, 160);
        count += 1;
      }
    const hasType = element instanceof HTMLInputElement || element instanceof HTMLButtonElement;
    const neighbours = neighboursOf(element);
    return {
      tag: element.localName,
      id: element.id || undefined,
      name: element.getAttribute('name') || undefined,
      type: hasType ? element.type : undefined,
      role,
      accessibleName: nameOf(element, role) || undefined,
      text: textOf(element) || undefined,
      classes: element.classList.length > 0 ? Array.from(element.classList).slice(0, 24) : undefined,
      attributes: count > 0 ? attributes : undefined,
      neighbours: neighbours.length > 0 ? neighbours : undefined,
      heading: headingOf(element) || undefined,
      path: pathOf(element),
      position: { x: Math.round(box.x + scrollX), y: Math.round(box.y + scrollY) },
      size: { width: Math.round(box.width), height: Math.round(box.height) },
    };
  };

  if (only !== null) return [fingerprint(only, only.getBoundingClientRect())];
  const order: Element[] = [];
  let heading = '';
  const visit = (element: Element): void => {
    if (skipped.has(element.localName)) return;
    order.push(element);
    headings.set(element, heading);
    if (element.localName !== 'svg') for (const child of childrenOf(element)) visit(child);
    if (element.matches(headingTags)) heading = textOf(element).slice(0, 80) || heading;
  };
  visit(document.documentElement);
  const found: ElementFingerprint[] = [];
  for (const element of order) {
    if (found.length >= limit) break;
    if (element === document.documentElement || element === document.body) continue;
    const file = element instanceof HTMLInputElement && element.type === 'file';
    const box = element.getBoundingClientRect();
    if (
      !file &&
      (box.width <= 0 || box.height <= 0 || !element.checkVisibility({ visibilityProperty: true }))
    )
      continue;
    found.push(fingerprint(element, box));
  }
  return found;
}
