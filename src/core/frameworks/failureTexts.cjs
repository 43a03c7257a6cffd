// What the reporters of mocha, jest and node:test do alike with the texts of a failure.
'use strict';

/** Nobody reads more, and a line of many megabytes would not arrive. A stack begins with the message; its places stand at the end. */
const longest = 90_000;
function shortened(failure) {
  const cut = (text) => {
    const left = typeof text === 'string' ? text.length - longest : 0;
    const half = longest / 2;
    return left <= 0 ? text : `${text.slice(0, half)}\n… ${left} characters left out …\n${text.slice(-half)}`;
  };
  const texts = Object.entries(failure).map(([key, text]) => [
    key,
    key === 'stack' ? text?.slice(-longest) : cut(text),
  ]);
  return Object.fromEntries(texts);
}

/** Without inner frames. Node tells the place of a syntax error above the message only: it becomes the first frame. */
function usersStack(stack, isInner) {
  const lines = stack.split('\n').filter((line) => !isInner(line));
  const [, file, line] = /^(?:file:\/\/)?(\/.*|[A-Za-z]:\\.*):(\d+)$/.exec(lines[0]) ?? [];
  if (file === undefined) return lines.join('\n');
  const column = Math.max(lines.find((one) => /^\s*\^+\s*$/.test(one))?.indexOf('^') ?? 0, 0) + 1;
  const message = lines.findIndex((one) => /^\w*Error\b/.test(one));
  return [
    ...lines.slice(0, message + 1),
    `    at ${file}:${line}:${column}`,
    ...lines.slice(message + 1),
  ].join('\n');
}

module.exports = { shortened, usersStack };
