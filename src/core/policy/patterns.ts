// Whether a regular expression accepts more than the one it replaces, as far as their texts tell.

interface PatternParts {
  /** The characters that stand for themselves, in order. */
  readonly text: string;
  /** How many parts may be several things: classes, wildcards, repetitions, alternatives. */
  readonly open: number;
  /** How many `|` it has. */
  readonly choices: number;
  readonly fromStart: boolean;
  readonly toEnd: boolean;
  readonly flags: string;
}

/** Why the pattern after says less than the one before, both as literals; undefined when nothing shows it. */
export function weakerPattern(before: string, after: string): string | undefined {
  const [was, is] = [partsOf(before), partsOf(after)];
  if (was.fromStart && !is.fromStart) return 'The pattern may begin anywhere now.';
  if (was.toEnd && !is.toEnd) return 'The pattern may end anywhere now.';
  if (/[is]/.test(is.flags.replace(new RegExp(`[${was.flags} ]`, 'g'), '')))
    return 'A flag makes the pattern match more.';
  if (is.text.length < was.text.length && was.text.includes(is.text) && is.open >= was.open)
    return `${after} is only a part of ${before}.`;
  if (is.choices > was.choices) return `${after} leaves a choice that ${before} did not.`;
  if (is.open > was.open && is.text.length <= was.text.length)
    return `${after} leaves more open than ${before}.`;
  return undefined;
}

function partsOf(literal: string): PatternParts {
  const end = literal.lastIndexOf('/');
  const source = literal.slice(1, end);
  let text = '';
  let open = 0;
  let choices = 0;
  for (let index = 0; index < source.length; index++) {
    const char = source.charAt(index);
    const group = /^\(\?(?:[:=!]|<[=!]|<\w+>)/.exec(source.slice(index))?.[0];
    if (group !== undefined) index += group.length - 1;
    else if (char === '\\') {
      index++;
      const escaped = source.charAt(index);
      if (/[a-z\d]/i.test(escaped)) open++;
      else text += escaped;
    } else if (char === '[') {
      open++;
      while (index + 1 < source.length && source.charAt(index) !== ']') {
        index++;
        if (source.charAt(index) === '\\') index++;
      }
    } else if (/[.*+?|{]/.test(char)) {
      open++;
      if (char === '|') choices++;
    } else if (!/[()^$}]/.test(char)) text += char;
  }
  return {
    text,
    open,
    choices,
    fromStart: source.startsWith('^'),
    toEnd: /(?:^|[^\\])(?:\\\\)*\$$/.test(source),
    flags: literal.slice(end + 1),
  };
}
