// Whether a name that a runner prints can come from a title as it is written: text, template or expression.

/** `written`: a literal title, the inside of a template or of a table's title (`adds %i`), or an expression (`'a ' + b`). */
export function canPrint(written: string, name: string): boolean {
  return written === name || templatePattern(written).test(name) || expressionPattern(written).test(name);
}

const anything = '[^]*';

/** `${…}`, `%s` and `$value` stand for anything, and an escape for up to two characters. */
function templatePattern(text: string): RegExp {
  let pattern = '';
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const [hole] = /^(?:%[a-zA-Z#$%]|\$[\w#][\w.]*)/.exec(rest) ?? [];
    const [escape] = /^\\[^]/.exec(rest) ?? [];
    if (rest.startsWith('${')) {
      pattern += anything;
      at = endOfHole(text, at);
    } else {
      pattern += hole ? anything : escape ? '[^]{0,2}' : escaped(rest.charAt(0));
      at += (hole ?? escape ?? ' ').length;
    }
  }
  return new RegExp(`^${pattern}$`);
}

function escaped(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(char) ? `\\${char}` : char;
}

function endOfHole(text: string, start: number): number {
  let depth = 0;
  for (let at = start + 1; at < text.length; at++) {
    if (text.charAt(at) === '{') depth++;
    else if (text.charAt(at) === '}' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Literals that are joined come in their order; the value of a name or a call may be any name. */
function expressionPattern(text: string): RegExp {
  const literals = [...text.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\[^])*)`/g)];
  if (isExpression(text)) return /^/;
  if (literals.length === 0) return /$^/;
  const inner = literals.map(([, single, double, template]) =>
    templatePattern(single ?? double ?? template ?? '').source.slice(1, -1),
  );
  // Of `a ? 'b' : 'c'` only one of them is there.
  const joined = text.includes('?') ? `(?:${inner.join('|')})` : inner.join(anything);
  return new RegExp(`^${anything}${joined}${anything}$`);
}

/** A name, a member, a call: no words of a title. */
function isExpression(text: string): boolean {
  return /^[\w$.]+(?:\[[^\]]*\]|\([^]*\))?[\w$.()]*$/.test(text);
}
