// Names the frame that holds an element, as a scenario does: a selector in each document around it.
import type { Frame } from 'playwright-core';

/** Remembers what it found: when an element is clicked its frame may be gone a moment later. */
export class FramePaths {
  readonly #known = new WeakMap<Frame, Promise<readonly string[]>>();

  /** The outermost first; empty for the page itself. */
  pathOf(frame: Frame): Promise<readonly string[]> {
    const known = this.#known.get(frame) ?? pathOf(frame, (parent) => this.pathOf(parent));
    this.#known.set(frame, known);
    return known;
  }
}

async function pathOf(
  frame: Frame,
  around: (parent: Frame) => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const parent = frame.parentFrame();
  if (parent === null) return [];
  const element = await frame.frameElement();
  const selector = await element.evaluate((node) => {
    if (!(node instanceof Element)) return 'iframe';
    const tag = node.localName;
    const root = node.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) return tag;
    const tries = ['id', 'name', 'title', 'data-testid', 'src'].flatMap((name) => {
      const value = node.getAttribute(name);
      return value === null || value === '' ? [] : `${tag}[${name}=${JSON.stringify(value)}]`;
    });
    const alone = tries.find((one) => root.querySelectorAll(one).length === 1);
    if (alone !== undefined) return alone;
    return `:nth-match(${tag}, ${Array.from(root.querySelectorAll(tag)).indexOf(node) + 1})`;
  });
  return [...(await around(parent)), selector];
}
