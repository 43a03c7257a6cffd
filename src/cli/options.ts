// The options that were given on the command line, read by name.

/** Values of the options that were given, already checked for their kind. */
export class Options {
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(values: ReadonlyMap<string, readonly string[]>) {
    this.#values = values;
  }

  /** The same with one option given anew. */
  with(name: string, ...values: readonly string[]): Options {
    return new Options(new Map([...this.#values, [name, values]]));
  }

  without(name: string): Options {
    return new Options(new Map([...this.#values].filter(([own]) => own !== name)));
  }

  /** Of the options that were given. */
  names(): readonly string[] {
    return [...this.#values.keys()];
  }

  flag(name: string): boolean {
    return this.#values.has(name);
  }

  text(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  list(name: string): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : Number(text);
  }

  /** One of the choices, which the parser has checked. */
  choice<const T extends string>(name: string, choices: readonly T[]): T | undefined {
    const text = this.text(name);
    return choices.find((choice) => choice === text);
  }
}
