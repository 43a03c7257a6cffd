// Values and messages can be huge: what nobody reads is cut out of the middle.
const limit = 100_000;

export function shorten(text: string): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit / 2)}\n… ${text.length - limit} characters left out …\n${text.slice(-limit / 2)}`;
}

/** What is left of a text before and after the cut; undefined for a text that is whole. */
export function partsAroundCut(text: string): readonly [before: string, after: string] | undefined {
  const [before, after] = text.split(/\n… \d+ characters left out …\n/, 2);
  return before === undefined || after === undefined ? undefined : [before, after];
}
