// Takes the text of a package.json script apart as a shell would, without one: commands, and the words of each.

export interface ShellWord {
  readonly text: string;
  /** It holds a pattern that a shell replaces by the files it matches. */
  readonly glob: boolean;
  /** It holds something only a shell can fill in: a variable, the output of a command. */
  readonly computed: boolean;
}

/** The commands of a script in the order they are written, whatever joins them (`&&`, `||`, `;`, `|`, `&`, a new line). */
export function shellCommands(script: string): readonly (readonly ShellWord[])[] {
  const commands: ShellWord[][] = [[]];
  let at = 0;
  const endCommand = (): void => {
    if (commands.at(-1)?.length !== 0) commands.push([]);
  };
  while (at < script.length) {
    const char = script.charAt(at);
    if (/[ \t\r]/.test(char)) at++;
    else if (/[;&|\n()]/.test(char)) {
      endCommand();
      at++;
    } else if (char === '#') {
      while (at < script.length && script.charAt(at) !== '\n') at++;
    } else if (char === '>' || char === '<' || /^\d[<>]/.test(script.slice(at, at + 2))) {
      at = skipRedirection(script, at);
    } else {
      const { word, end } = readWord(script, at);
      commands.at(-1)?.push(word);
      at = end;
    }
  }
  return commands.filter(({ length }) => length > 0);
}

/** `2>&1`, `> file`: no words of the command. */
function skipRedirection(script: string, start: number): number {
  const operator = /\d?(?:>>|>&|>|<<?)[ \t]*/y;
  operator.lastIndex = start;
  operator.test(script);
  return operator.lastIndex < script.length && !/[;&|\n]/.test(script.charAt(operator.lastIndex))
    ? readWord(script, operator.lastIndex).end
    : operator.lastIndex;
}

function readWord(script: string, start: number): { readonly word: ShellWord; readonly end: number } {
  let text = '';
  let glob = false;
  let computed = false;
  let quote = '';
  let at = start;
  for (; at < script.length; at++) {
    const char = script.charAt(at);
    if (quote === "'" ? char === "'" : quote !== '' && char === quote) quote = '';
    else if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (quote === '' && /[\s;&|()<>]/.test(char)) break;
    else if (char === '\\' && quote !== "'") {
      const next = script.charAt(at + 1);
      // Inside of double quotes only these lose their backslash; a Windows path keeps its own.
      if (quote === '"' && !/["\\$`\n]/.test(next)) text += char;
      else {
        text += next;
        at++;
      }
    } else {
      if (quote !== "'" && (char === '`' || (char === '$' && /[\w({]/.test(script.charAt(at + 1)))))
        computed = true;
      if (quote === '' && /[*?[]/.test(char)) glob = true;
      text += char;
    }
  }
  return { word: { text, glob, computed }, end: Math.max(at, start + 1) };
}
