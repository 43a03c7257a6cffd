// Quoting text in Markdown so that nothing in it ends the quote.

/** A code block whose fence is longer than any in the text. */
export function block(text: string, language = ''): string {
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Length of the longest run of backticks. */
export const longestTicks = (text: string): number =>
  [...text.matchAll(/`+/g)].reduce((longest, [ticks]) => Math.max(longest, ticks.length), 0);
