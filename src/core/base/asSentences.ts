// Sentences from texts that are said one after the other.

/** The text with an end. */
export const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Each but the last gets an end when it has none; empty ones are left out. */
export function asSentences(texts: readonly string[]): string {
  const said = texts.filter((text) => text !== '');
  return said.map((text, index) => (index < said.length - 1 ? sentence(text) : text)).join(' ');
}
