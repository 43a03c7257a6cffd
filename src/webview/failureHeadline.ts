/** The message of a failure in one line; where its first line only announces the values, as that of `node:assert` does, with what follows. */
export function failureHeadline(message: string): string {
  const [first = '', ...rest] = message.split('\n');
  if (!first.endsWith(':')) return first;
  const next = rest.find((line) => line.trim() !== '');
  // A difference over many lines has no line that says it.
  return next === undefined || next.startsWith('+ actual') ? first.slice(0, -1) : `${first} ${next.trim()}`;
}
