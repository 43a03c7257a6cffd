// Texts for messages of VS Code, which makes links, also to commands, of `[label](target)`: texts from files must make none.
import { shownLine } from '../core/model/visibleText.ts';

/** VS Code itself shows no more of a message. */
const mostShown = 1_000;

/** The text on one line, as it reads, with nothing in it that becomes a link. */
export function plainMessage(text: string): string {
  return shownLine(text.replaceAll('](', '] ('), mostShown);
}
