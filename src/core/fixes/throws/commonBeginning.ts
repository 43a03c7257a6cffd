// What several messages begin with in common, in whole words.

/** Empty when not even the first word is the same. */
export function commonBeginning(messages: readonly string[]): string {
  const [first = '', ...others] = messages;
  let length = first.length;
  for (const other of others) {
    let same = 0;
    while (same < length && same < other.length && first[same] === other[same]) same++;
    length = same;
  }
  // A word that goes on in one of them is not a common one, nor is a quote whose other end is not.
  const goesOn = messages.some((message) => /\w/.test(message.charAt(length)));
  const common = first.slice(0, length);
  return (goesOn ? common.replace(/\w+$/, '') : common).replace(/[\s'"`([{<]+$/, '');
}
