// Writes a value as a literal of Python, in the way that the literal in whose place it stands was written.
import {
  visitLiteral,
  type PythonLiteral,
  type StringPart,
  type WrittenArgument,
} from '../../syntax/python/pythonLiteral.ts';

/** `like`: a text whose quotes and prefix are kept where they can be. */
export function writeLiteral(value: PythonLiteral, like?: StringPart): string {
  const write = (one: PythonLiteral): string => writeLiteral(one, like);
  switch (value.kind) {
    case 'none':
      return 'None';
    case 'bool':
      return value.value ? 'True' : 'False';
    case 'int':
      return value.value;
    case 'float':
      return writeFloat(value.value);
    case 'str':
    case 'bytes':
      return writeText(value.value, value.kind === 'bytes', like);
    case 'list':
      return `[${value.items.map(write).join(', ')}]`;
    case 'set':
      return value.items.length === 0 ? 'set()' : `{${value.items.map(write).join(', ')}}`;
    case 'tuple':
      return `(${value.items.map(write).join(', ')}${value.items.length === 1 ? ',' : ''})`;
    case 'dict':
      return `{${value.entries.map(([key, item]) => `${write(key)}: ${write(item)}`).join(', ')}}`;
    case 'call':
      return `${value.callee}(${value.args.map((arg) => writeArgument(arg, like)).join(', ')})`;
    case 'name':
      return value.path;
    case 'object':
      return `<${value.object.type}>`; // Which no reader takes for a value.
  }
}

/** The class of an object in it, with which it cannot be written. */
export function classIn(value: PythonLiteral): string | undefined {
  let found: string | undefined;
  visitLiteral(value, (one) => {
    if (one.kind === 'object') found ??= one.object.type;
  });
  return found;
}

export function writeArgument({ name, value }: WrittenArgument, like?: StringPart): string {
  return `${name === undefined ? '' : `${name}=`}${writeLiteral(value, like)}`;
}

/** `1.0` is no `1`, and `1e21` of JavaScript is written the same way in Python. */
function writeFloat(text: string): string {
  return /[.e]/.test(text) ? text : `${text}.0`;
}

function writeText(value: string, bytes: boolean, like?: StringPart): string {
  const quote = like?.quote ?? '"';
  const prefix = like?.prefix ?? '';
  const isRaw = /r/i.test(prefix);
  const kept = bytes === /b/i.test(prefix) ? prefix : bytes ? 'b' : '';
  const isPlain = !/[^\P{C}\n]/u.test(value) && (quote.length === 3 || !value.includes('\n'));
  if (isRaw && isPlain && !value.includes(quote) && !value.endsWith('\\') && !value.endsWith(quote[0] ?? '"'))
    return `${kept}${quote}${value}${quote}`;
  const plainPrefix = isRaw ? (bytes ? 'b' : '') : kept;
  if (quote.length === 3) {
    const body = escapeText(value, quote[0] ?? '"', bytes, true);
    return `${plainPrefix}${quote}${body}${quote}`;
  }
  // Rather other quotes than a backslash.
  const other = quote === '"' ? "'" : '"';
  const used = value.includes(quote) && !value.includes(other) ? other : quote;
  return `${plainPrefix}${used}${escapeText(value, used, bytes, false)}${used}`;
}

/** Between these quotes; `keepsLines` between three of them. */
export function escapeText(value: string, quote: string, bytes: boolean, keepsLines: boolean): string {
  const names: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\\': '\\\\' };
  let text = '';
  for (const char of value) {
    const code = char.codePointAt(0) ?? 0;
    if (char === '\n' && keepsLines) text += char;
    else if (names[char] !== undefined) text += names[char];
    else if (char === quote) text += `\\${char}`;
    else if (bytes && (code < 32 || code > 126)) text += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (/\p{C}/u.test(char) || /[\u2028\u2029]/.test(char))
      text +=
        code < 256
          ? `\\x${code.toString(16).padStart(2, '0')}`
          : code < 65536
            ? `\\u${code.toString(16).padStart(4, '0')}`
            : `\\U${code.toString(16).padStart(8, '0')}`;
    else text += char;
  }
  return text;
}
