// The same text as an editor of Windows keeps it that indents with tabs.

/** With the mark of the byte order; `step` is what becomes one tab. */
export const windowsText = (text: string, step = '  '): string =>
  `\uFEFF${text
    .split('\n')
    .map((line) => tabbed(line, step))
    .join('\r\n')}`;

export const tabbed = (line: string, step = '  '): string => {
  const [blanks = ''] = /^ */.exec(line) ?? [];
  return '\t'.repeat(blanks.length / step.length) + line.slice(blanks.length);
};
