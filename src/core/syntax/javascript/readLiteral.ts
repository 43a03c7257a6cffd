// Reads a string or template literal from source text and gives the value it has when the code runs.

/** A literal that ended, with the offset just past it. */
interface ReadLiteral {
  readonly value: string;
  readonly end: number;
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
};

/** The literal whose opening quote stands at `start`; undefined when there is none, it is broken, or it holds `${}`. */
export function readLiteral(text: string, start: number): ReadLiteral | undefined {
  const quote = text.charAt(start);
  if (quote !== "'" && quote !== '"' && quote !== '`') return undefined;
  const end = text.indexOf(quote, start + 1);
  if (end < 0) return undefined;
  const plain = text.slice(start + 1, end);
  return needsReading.test(plain) ? readSlowly(text, start, quote) : { value: plain, end: end + 1 };
}

const needsReading = /[\\\r\n$]/;

function readSlowly(text: string, start: number, quote: string): ReadLiteral | undefined {
  let value = '';
  let from = start + 1;
  for (let at = from; at < text.length;) {
    const char = text.charAt(at);
    if (char === quote) return { value: value + text.slice(from, at), end: at + 1 };
    if (quote === '`' && char === '$' && text.charAt(at + 1) === '{') return undefined;
    if (quote !== '`' && (char === '\n' || char === '\r')) return undefined;
    if (char === '\\') {
      const escape = readEscape(text, at + 1);
      if (!escape) return undefined;
      value += text.slice(from, at) + escape.value;
      at = from = escape.end;
    } else if (char === '\r') {
      // Line ends inside templates are always `\n` at run time.
      value += text.slice(from, at) + '\n';
      at = from = at + (text.charAt(at + 1) === '\n' ? 2 : 1);
    } else at++;
  }
  return undefined;
}

/** The escape sequence whose first character after the backslash stands at `at`. */
function readEscape(text: string, at: number): ReadLiteral | undefined {
  const char = text.charAt(at);
  const simple = simpleEscapes[char];
  if (simple !== undefined) return { value: simple, end: at + 1 };
  if (char === '\r') return { value: '', end: at + (text.charAt(at + 1) === '\n' ? 2 : 1) };
  if (char === '\n' || char === '\u2028' || char === '\u2029') return { value: '', end: at + 1 };
  if (char === 'x' || char === 'u') return readCodePoint(text, at);
  if (char === '' || /[1-9]/.test(char)) return undefined;
  if (char === '0') return /\d/.test(text.charAt(at + 1)) ? undefined : { value: '\0', end: at + 1 };
  const whole = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return { value: whole, end: at + whole.length };
}

function readCodePoint(text: string, at: number): ReadLiteral | undefined {
  const pattern = text.charAt(at) === 'x' ? /x([\da-f]{2})/iy : /u(?:([\da-f]{4})|\{([\da-f]{1,6})\})/iy;
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  const code = Number.parseInt(found?.[1] ?? found?.[2] ?? '', 16);
  if (!found || !(code <= 0x10ffff)) return undefined;
  const value = found[2] === undefined ? String.fromCharCode(code) : String.fromCodePoint(code);
  return { value, end: at + found[0].length };
}
