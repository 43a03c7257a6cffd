// Reads one table of a TOML file: texts, lists of texts, true and false. Everything else in it is passed over.

export type TomlValue = string | boolean | readonly string[];

/** Values by name, or undefined when the table is not there. */
export function tomlTable(text: string, table: string): ReadonlyMap<string, TomlValue> | undefined {
  const name = table
    .split('.')
    .map((part) => `"?${part}"?`)
    .join('\\s*\\.\\s*');
  const header = new RegExp(`^[ \\t]*\\[\\s*${name}\\s*\\][ \\t]*(?:#.*)?\\r?$`, 'm').exec(text);
  if (header === null) return undefined;
  const reader = new Reader(text, header.index + header[0].length);
  return reader.table();
}

class Reader {
  readonly #text: string;
  #at: number;

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  table(): ReadonlyMap<string, TomlValue> {
    const values = new Map<string, TomlValue>();
    for (;;) {
      this.#skipBlank();
      const key = this.#take(/("[^"\n]*"|'[^'\n]*'|[\w-]+)[ \t]*=[ \t]*/y)?.[1];
      if (key === undefined) {
        // The next table, or something that is none of ours.
        if (this.#at >= this.#text.length || this.#text[this.#at] === '[') return values;
        this.#take(/[^\n]*\n?/y);
        continue;
      }
      const value = this.#value();
      if (value !== undefined) values.set(key.replace(/^["']|["']$/g, ''), value);
      this.#take(/[^\n]*/y);
    }
  }

  #value(): TomlValue | undefined {
    const text = this.#string();
    if (text !== undefined) return text;
    const word = this.#take(/(true|false)\b/y)?.[1];
    if (word !== undefined) return word === 'true';
    if (this.#take(/\[/y) === null) return undefined;
    const items: string[] = [];
    for (;;) {
      this.#skipBlank();
      if (this.#take(/,/y) !== null) continue;
      const item = this.#string();
      if (item === undefined) {
        // Lists of something else than texts are no value of pytest's that is read here.
        this.#take(/[^\]\n]*\]?/y);
        return items;
      }
      items.push(item);
    }
  }

  #string(): string | undefined {
    const long = this.#take(/"""\r?\n?([\s\S]*?)"""|'''\r?\n?([\s\S]*?)'''/y);
    if (long !== null) return long[2] ?? unescaped(long[1] ?? '');
    const short = this.#take(/"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'/y);
    return short === null ? undefined : (short[2] ?? unescaped(short[1] ?? ''));
  }

  #skipBlank(): void {
    this.#take(/(?:\s|#[^\n]*)*/y);
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at += found[0].length;
    return found;
  }
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:u([0-9a-fA-F]{4})|\r?\n\s*|(.))/g,
    (_found, code?: string, character?: string) => {
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      return { n: '\n', t: '\t', r: '\r' }[character ?? ''] ?? character ?? '';
    },
  );
}
