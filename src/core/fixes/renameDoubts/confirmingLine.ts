// Second evidence for a name whose own text says too little: a line of a changed source that went the same way.

export interface ChangedText {
  readonly before: string;
  readonly now: string;
}

/** Is a line that used the old name gone, and is it there with the new one? `isUse` tells uses from declarations. */
export function isRenameConfirmed(
  texts: readonly ChangedText[],
  old: string,
  now: string,
  isUse: (line: string) => boolean,
): boolean {
  const name = new RegExp(`(?<![\\w$])${old.replaceAll('$', '\\$')}(?![\\w$])`, 'g');
  return texts.some(({ before, now: text }) => {
    const lines = new Set(linesOf(text));
    return linesOf(before).some(
      (line) =>
        isUse(line) && !lines.has(line) && lines.has(line.replaceAll(name, now.replaceAll('$', '$$$$'))),
    );
  });
}

const linesOf = (text: string): readonly string[] => text.split('\n').map((line) => line.trim());

/** `cart.total`, `const { total } = cart`, `run({ total: 3 })` in JavaScript: reads and gives, where nothing is declared. */
export function usesMember(member: string): (line: string) => boolean {
  const own = member.replaceAll('$', '\\$');
  const read = new RegExp(`(?:\\.|\\[\\s*['"\`])${own}(?![\\w$])`);
  const taken = new RegExp(`\\b(?:const|let|var)\\s*\\{[^}]*(?<![\\w$])${own}(?![\\w$])[^}]*\\}\\s*=`);
  const given = new RegExp(`\\w\\s*\\(.*[{,]\\s*${own}\\s*[:,}]`);
  const set = new RegExp(`^this\\.${own}\\s*=(?!=)`);
  const declares = /\bfunction\b|=>|\)\s*(?::[^{]*)?\{$/;
  return (line) =>
    !set.test(line) && (read.test(line) || taken.test(line) || (given.test(line) && !declares.test(line)));
}

/** `run({ total: 3 })` and, over several lines, `total: 3,`: gives, where nothing is read. */
export function givesMember(member: string): (line: string) => boolean {
  const own = member.replaceAll('$', '\\$');
  const given = new RegExp(`\\w\\s*\\(.*[{,]\\s*${own}\\s*[:,}]`);
  const listed = new RegExp(`^['"]?${own}['"]?\\??\\s*[:,]`);
  const declares = /\bfunction\b|\{[^{}]*\}[^()]*\)?\s*=>|\)\s*(?::[^{]*)?\{$/;
  return (line) => listed.test(line) || (given.test(line) && !declares.test(line));
}
