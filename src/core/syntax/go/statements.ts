// Where statements of Go end.
import type { GoSource } from './goSource.ts';
import { closingAt } from './tokens.ts';

/** Index behind the last token of the statement, or of the part of a header, that goes on from `from`. */
export function statementEnd({ tokens, text }: GoSource, from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.text === ';' || /^[)\]}]$/.test(token?.text ?? '')) return at;
    if (/^[([{]$/.test(token?.text ?? '')) at = closingAt(tokens, at);
    const [last, next] = [tokens[at], tokens[at + 1]];
    const isEnd = last?.kind !== 'mark' || /^[)\]}]$/.test(last.text);
    if (isEnd && last && next && text.slice(last.end, next.start).includes('\n')) return at + 1;
  }
  return tokens.length;
}
