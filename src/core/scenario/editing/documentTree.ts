// Walks the document model of YAML or JSON with the path of data that each node stands at.
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Scalar,
  type YAMLMap,
} from 'yaml';

export type DataPath = readonly (string | number)[];

export interface PlacedScalar {
  /** Of the value; of a field for its name. */
  readonly path: DataPath;
  readonly at: 'key' | 'value';
  readonly scalar: Scalar;
  /** Offsets in the text, with the quotes. */
  readonly start: number;
  readonly end: number;
  /** The object that has the field, for a name. */
  readonly map?: YAMLMap;
}

/** Errors are part of the document; what can be read stands in it all the same. Throws nothing. */
export function parseTolerantly(text: string): Document.Parsed {
  return parseDocument(text, { prettyErrors: false, uniqueKeys: false, logLevel: 'silent' });
}

/** The data as far as it can be read; `undefined` for aliases that expand too far. */
export function dataOf(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown;
  } catch {
    return undefined;
  }
}

/** Names of fields and single values in the order of the text. */
export function scalarsOf(document: Document.Parsed): readonly PlacedScalar[] {
  const found: PlacedScalar[] = [];
  const visit = (node: unknown, path: DataPath): void => {
    if (isScalar(node)) keep(node, path, 'value');
    else if (isSeq(node)) node.items.forEach((item, at) => visit(item, [...path, at]));
    else if (isMap(node))
      for (const { key, value } of node.items) {
        const inner = [...path, String(isScalar(key) ? key.value : key)];
        if (isScalar(key)) keep(key, inner, 'key', node);
        visit(value, inner);
      }
  };
  const keep = (scalar: Scalar, path: DataPath, at: 'key' | 'value', map?: YAMLMap): void => {
    if (scalar.range)
      found.push({ path, at, scalar, start: scalar.range[0], end: scalar.range[1], ...(map && { map }) });
  };
  visit(document.contents, []);
  return found;
}

/** The name or value at the offset. */
export function scalarAt(document: Document.Parsed, offset: number): PlacedScalar | undefined {
  return scalarsOf(document).find(({ start, end }) => start <= offset && offset <= end && end > start);
}

/** Offsets of the value at the path; of the field's name with `key`. Undefined where there is none. */
export function offsetsAt(
  document: Document.Parsed,
  path: DataPath,
  of: 'key' | 'value' = 'value',
): readonly [number, number] | undefined {
  if (of === 'key') {
    const name = String(path.at(-1));
    const holder = nodeAt(document, path.slice(0, -1));
    const pair = isMap(holder)
      ? holder.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    return rangeOf(pair?.key);
  }
  return rangeOf(nodeAt(document, path));
}

function rangeOf(node: unknown): readonly [number, number] | undefined {
  return isNode(node) && node.range ? [node.range[0], node.range[1]] : undefined;
}

function nodeAt(document: Document.Parsed, path: DataPath): unknown {
  return path.length === 0 ? document.contents : document.getIn(path, true);
}

/** Objects and lists only; a text, a number or nothing has no members. */
export function memberOf(data: unknown, key: string | number): unknown {
  return typeof data === 'object' && data !== null && Object.hasOwn(data, key)
    ? (Reflect.get(data, key) as unknown)
    : undefined;
}

export const valueAtPath = (data: unknown, path: DataPath): unknown => path.reduce(memberOf, data);

/** The items of a list; none where it is no list. */
export const listAt = (data: unknown, path: DataPath): readonly unknown[] => {
  const value = valueAtPath(data, path);
  return Array.isArray(value) ? value : [];
};

/** The text there; undefined for all else. */
export function textAt(data: unknown, path: DataPath): string | undefined {
  const value = valueAtPath(data, path);
  return typeof value === 'string' ? value : undefined;
}
