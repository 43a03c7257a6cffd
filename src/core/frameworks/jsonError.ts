// Says where JSON text breaks, which JSON.parse does not always tell.

interface JsonError {
  /** 1-based. */
  readonly line: number;
  /** What was expected there, as the end of a sentence. */
  readonly expected: string;
}

/** The first place where the text is no JSON, or undefined when it is. */
export function findJsonError(text: string): JsonError | undefined {
  const failure = new JsonReader(text).check();
  return (
    failure && { line: text.slice(0, failure.at).split(/\r\n|\n|\r/).length, expected: failure.expected }
  );
}

interface Failure {
  readonly at: number;
  readonly expected: string;
}

const stringToken = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"/y;
const plainToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  check(): Failure | undefined {
    const failure = this.#value();
    if (failure) return failure;
    return this.#peek() === '' ? undefined : this.#fail('nothing more');
  }

  #value(): Failure | undefined {
    const char = this.#peek();
    if (char === '{') return this.#list('}', () => this.#property());
    if (char === '[') return this.#list(']', () => this.#value());
    if (this.#take(stringToken) || this.#take(plainToken)) return undefined;
    return this.#fail('a value');
  }

  #property(): Failure | undefined {
    if (this.#peek() !== '"' || !this.#take(stringToken))
      return this.#fail('a property name in double quotes');
    if (this.#peek() !== ':') return this.#fail('":"');
    this.#at++;
    return this.#value();
  }

  #list(end: string, readItem: () => Failure | undefined): Failure | undefined {
    this.#at++;
    if (this.#peek() === end) {
      this.#at++;
      return undefined;
    }
    for (;;) {
      const failure = readItem();
      if (failure) return failure;
      const next = this.#peek();
      if (next !== end && next !== ',') return this.#fail(`"," or "${end}"`);
      this.#at++;
      if (next === end) return undefined;
    }
  }

  #peek(): string {
    while (/[ \t\n\r]/.test(this.#text.charAt(this.#at))) this.#at++;
    return this.#text.charAt(this.#at);
  }

  #take(token: RegExp): boolean {
    token.lastIndex = this.#at;
    if (!token.test(this.#text)) return false;
    this.#at = token.lastIndex;
    return true;
  }

  #fail(expected: string): Failure {
    return { at: this.#at, expected };
  }
}
