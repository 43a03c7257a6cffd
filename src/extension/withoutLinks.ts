// Texts for messages of VS Code, which makes links, also to commands, of `[label](target)`: texts from files must make none.

/** The text as it reads, with nothing in it that becomes a link. */
export function withoutLinks(text: string): string {
  return text.replaceAll('](', '] (');
}
