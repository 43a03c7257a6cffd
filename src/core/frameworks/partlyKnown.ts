// Reads settings of a configuration of which a part is unknown: each literal counts by itself, and what is computed is named.
import { isList, StaticObject, type StaticValue } from '../syntax/javascript/staticValue.ts';

/** Named once for all settings that a configuration may get from something that cannot be read. */
const takenIn = 'what it takes in from elsewhere';

export class PartlyKnown {
  readonly #object: StaticObject | undefined;
  readonly #computed: Set<string>;

  /** `computed` collects the names of settings that cannot be read, or not in full. */
  constructor(value: StaticValue, computed: Set<string>) {
    this.#object = value instanceof StaticObject ? value : undefined;
    this.#computed = computed;
    if (this.#object?.complete === false) computed.add(takenIn);
  }

  /** What is written for the key; undefined where nothing is, or null. */
  value(key: string): StaticValue {
    return this.#object?.entries.get(key) ?? undefined;
  }

  /** `{ [key]: text }`, empty where there is none. */
  text<Key extends string>(
    key: Key,
    value: StaticValue = this.value(key),
  ): { readonly [key in Key]?: string } {
    if (typeof value === 'string') return only(key, value);
    if (value !== undefined) this.#computed.add(key);
    return {};
  }

  /** The texts of a list, or of one that stands alone; those that are known, when there are any. */
  texts<Key extends string>(key: Key): { readonly [key in Key]?: readonly string[] } {
    return this.items(key, (item) => typeof item === 'string');
  }

  /** The same for what `isItem` takes. */
  items<Key extends string, Item extends StaticValue>(
    key: Key,
    isItem: (item: StaticValue) => item is Item,
    value: StaticValue = this.value(key),
  ): { readonly [key in Key]?: readonly Item[] } {
    if (value === undefined) return {};
    const items: readonly StaticValue[] = isList(value) ? value : [value];
    const known = items.filter(isItem);
    if (known.length < items.length) this.#computed.add(key);
    return known.length > 0 || items.length === 0 ? only(key, known) : {};
  }

  /** Says that the key cannot be read in full. */
  unread(key: string): void {
    this.#computed.add(key);
  }
}

function only<Key extends string, Value>(key: Key, value: Value): { readonly [key in Key]?: Value } {
  const result: { [key in Key]?: Value } = {};
  result[key] = value;
  return result;
}

/** What a listing says of settings that are computed; undefined where none are. */
export function computedNote(name: string, computed: Iterable<string>): string | undefined {
  const names = [...new Set(computed)];
  if (names.length === 0) return undefined;
  const verb = names.length > 1 ? 'are' : 'is';
  return `${name}: ${names.join(', ')} ${verb} computed; showing what can be read until a run corrects it.`;
}
