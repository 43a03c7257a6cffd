// Quoting text in Markdown so that nothing in it ends the quote.

/** A code block whose fence is longer than any in the text. */
export function block(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

const longestTicks = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((longest, [ticks]) => Math.max(longest, ticks.length), 0);

/** A text of one line as code, with more backticks around it than in it. */
export function inlineCode(line: string): string {
  const ticks = '`'.repeat(longestTicks(line) + 1);
  const margin = /^[` ]|[` ]$/.test(line) || line === '' ? ' ' : '';
  return `${ticks}${margin}${line}${margin}${ticks}`;
}
