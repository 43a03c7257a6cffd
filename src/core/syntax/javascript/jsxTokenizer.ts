// The tokenizer's part for JSX: tags, attributes and the text between them.
import { Doubt } from './tokenFrame.ts';
import { Tokenizer } from './tokenizer.ts';

export abstract class JsxTokenizer<Call, Resume> extends Tokenizer<Call, Resume> {
  protected override openJsx(): void {
    const found = /<([\w$.:-]*)/y;
    found.lastIndex = this.at;
    const name = found.exec(this.text)?.[1] ?? '';
    this.push(this.frame('jsxTag', name));
    this.at += 1 + name.length;
  }

  protected override readJsxTag(): void {
    const { text } = this;
    this.at = this.skipTrivia(this.at);
    const char = text.charAt(this.at);
    if (char === '"' || char === "'") this.at = text.indexOf(char, this.at + 1) + 1 || text.length;
    else if (char === '{') this.#openJsxExpression();
    else if (char === '/' && text.charAt(this.at + 1) === '>') {
      this.pop('jsxTag');
      this.#endJsx(this.at + 2);
    } else if (char === '>') {
      const { name } = this.pop('jsxTag');
      this.push(this.frame('jsxChildren', name));
      this.at++;
    } else if (/[\w$.:=-]/.test(char)) this.at++;
    else throw new Doubt();
  }

  protected override readJsxChildren(): void {
    const { text } = this;
    const stop = /[<{]/g;
    stop.lastIndex = this.at;
    const found = stop.exec(text);
    if (!found) throw new Doubt();
    this.at = found.index;
    if (found[0] === '{') return this.#openJsxExpression();
    if (text.charAt(this.at + 1) !== '/') return this.openJsx();
    const closing = /<\/\s*([\w$.:-]*)\s*>/y;
    closing.lastIndex = this.at;
    const name = closing.exec(text)?.[1];
    if (name === undefined || name !== this.pop('jsxChildren').name) throw new Doubt();
    this.#endJsx(closing.lastIndex);
  }

  #openJsxExpression(): void {
    this.push(this.frame('jsxExpression'));
    this.endToken('punctuator', '(', this.at, this.at + 1);
  }

  #endJsx(end: number): void {
    this.at = end;
    if (this.top.kind !== 'jsxChildren') this.endToken('literal', '', end - 1, end);
  }
}
