// What a Python text defines at the places where tests can stand: functions and classes, never what is inside of functions.

export interface Definition {
  readonly kind: 'def' | 'class';
  readonly name: string;
  /** Offset of the first decorator, else of `def`, `async` or `class`. */
  readonly start: number;
  /** Offset after the last character of code. */
  readonly end: number;
  /** Without the `@`, as written. */
  readonly decorators: readonly string[];
  /** Of a class, as written; without keywords such as `metaclass=`. */
  readonly bases: readonly string[];
  /** It stands below an `if`, `try`, `for` … of its scope. */
  readonly conditional: boolean;
  /** Of a class; empty for a function. */
  readonly body: Scope;
}

/** A module, or the body of a class. */
export interface Scope {
  /** In the order of their places. */
  readonly definitions: readonly Definition[];
  /** What `pytestmark` and `__test__` are set to, as written. */
  readonly marks: ReadonlyMap<string, string>;
}

export const emptyScope: Scope = { definitions: [], marks: new Map() };

/** Names whose values tell which tests count. */
export const markNames: ReadonlySet<string> = new Set(['pytestmark', '__test__']);

/** The base classes in `(A, b.C, metaclass=M)`. */
export function basesIn(list: string): readonly string[] {
  return argumentsIn(list).filter((one) => one !== '' && !/^(?:\w+\s*=(?!=)|\*)/.test(one));
}

/** The arguments of a call or a class, as written; `list` may carry its parentheses. */
export function argumentsIn(list: string): readonly string[] {
  const inner = list.replace(/^\s*\(([\s\S]*)\)\s*$/, '$1');
  const found: string[] = [];
  let depth = 0;
  let quote = '';
  let from = 0;
  for (let at = 0; at < inner.length; at++) {
    const char = inner[at] ?? '';
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char)) depth--;
    else if (char === ',' && depth === 0) {
      found.push(inner.slice(from, at).trim());
      from = at + 1;
    }
  }
  const last = inner.slice(from).trim();
  return last === '' ? found : [...found, last];
}
