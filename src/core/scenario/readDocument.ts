// Reads YAML or JSON against a schema: the value, or every problem at its line, with the closest name and a remedy.
import {
  LineCounter,
  parseDocument,
  type Document,
  type Node,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
} from 'yaml';
import type { z } from 'zod';
import type { Position, Range } from '../model/position.ts';
import { nearestName } from './nearestName.ts';
import type { ScenarioProblem } from './problem.ts';
import { fieldsOf, schemaAt, shapesOf, valuesOf } from './schemaAt.ts';

type DataPath = readonly (string | number)[];

export interface ReadDocument<Value> {
  /** Absent where there is a problem. */
  readonly value?: Value;
  readonly problems: readonly ScenarioProblem[];
  /** The document with its comments and places, for whoever edits it. */
  readonly document: Document.Parsed;
  /** Of the value at the path, or of the closest thing around it. `key`: of the name of the field instead. */
  readonly rangeOf: (path: DataPath, of?: 'value' | 'key') => Range;
  readonly positionAt: (offset: number) => Position;
}

/** Bounds for aliases, which could else make gigabytes of a few lines. */
const maxAliasCount = 100;

/** Throws nothing: a broken text is a problem of its own. */
export function readDocument<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  file: string,
): ReadDocument<z.output<Schema>> {
  const counter = new LineCounter();
  const document = parseDocument(text.replace(/^\uFEFF/, ''), {
    lineCounter: counter,
    prettyErrors: false,
    uniqueKeys: true,
  });
  const positionAt = (offset: number): Position => {
    const { line, col } = counter.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const rangeOf = (path: DataPath, of: 'value' | 'key' = 'value'): Range => {
    const [start, end] = offsetsOf(document, path, of);
    return { start: positionAt(start), end: positionAt(end) };
  };
  const read = { document, rangeOf, positionAt };
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ message, pos: [start, end] }) => ({
      message: `The file cannot be read: ${message.split('\n')[0]}`,
      file,
      range: { start: positionAt(start), end: positionAt(Math.max(end, start + 1)) },
      remedy: 'Check the indentation and the quotes there.',
      path: [],
    }));
    return { ...read, problems };
  }
  const data = plainData(document);
  if (data instanceof Error) {
    const range = rangeOf([]);
    const message = `The file cannot be read: ${data.message}`;
    return {
      ...read,
      problems: [{ message, file, range, remedy: 'Write it without these aliases.', path: [] }],
    };
  }
  const result = schema.safeParse(data, { reportInput: true });
  if (result.success) return { ...read, value: result.data, problems: [] };
  const problems = result.error.issues.flatMap((issue) => explain(issue, schema, data));
  return {
    ...read,
    problems: problems.map(({ at, ...told }) => ({
      ...told,
      file,
      range: rangeOf(told.path, at),
    })),
  };
}

function plainData(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount }) as unknown;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function memberOf(data: unknown, key: string | number): unknown {
  return typeof data === 'object' && data !== null ? Reflect.get(data, key) : undefined;
}

interface Explained {
  readonly message: string;
  readonly remedy: string;
  readonly path: DataPath;
  readonly at: 'value' | 'key';
  readonly suggestion?: string;
}

/** One problem for each unknown field, else one for the issue. */
function explain(issue: z.core.$ZodIssue, schema: z.ZodType, data: unknown): readonly Explained[] {
  const path = issue.path.filter((part) => typeof part !== 'symbol');
  const name = placeName(path);
  if (issue.code === 'unrecognized_keys') {
    const known = fieldsOf(schemaAt(schema, path, data)).map((field) => field.name);
    return issue.keys.map((key) => {
      const near = nearestName(key, known);
      return {
        message: `Unknown field "${key}"${name === '' ? '' : ` in ${name}`}.`,
        ...suggested(near, `Known here: ${known.join(', ')}.`),
        path: [...path, key],
        at: 'key',
      };
    });
  }
  const value = path.reduce(memberOf, data);
  const holder = path.slice(0, -1);
  const field = String(path.at(-1) ?? '');
  if (value === undefined && path.length > 0 && typeof path.at(-1) === 'string') {
    const values = allowedValues(issue, schema, path, data);
    return [
      {
        message: `The field "${field}" is missing${holder.length === 0 ? '' : ` in ${placeName(holder)}`}.`,
        remedy: values.length > 0 ? `Add it: one of ${values.join(', ')}.` : 'Add it.',
        path,
        at: 'value',
      },
    ];
  }
  const values = allowedValues(issue, schema, path, data);
  if (values.length > 0) {
    const shown = typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
    const near = typeof value === 'string' ? nearestName(value, values) : undefined;
    const kind = field === 'type' && path.at(-3) === 'steps' ? 'type of step' : `value for ${name}`;
    return [
      {
        message: `Unknown ${kind}: ${shown}.`,
        ...suggested(near, `Use one of ${values.join(', ')}.`),
        path,
        at: 'value',
      },
    ];
  }
  const message = `${name === '' ? 'The file' : name}: ${issue.message.replace(/^Invalid input: /, '')}.`;
  return [{ message, remedy: 'See docs/scenarios.md for what belongs there.', path, at: 'value' }];
}

function suggested(
  near: string | undefined,
  otherwise: string,
): { readonly remedy: string; readonly suggestion?: string } {
  return near === undefined ? { remedy: otherwise } : { remedy: `Did you mean "${near}"?`, suggestion: near };
}

function allowedValues(
  issue: z.core.$ZodIssue,
  schema: z.ZodType,
  path: DataPath,
  data: unknown,
): readonly string[] {
  if (issue.code === 'invalid_union' && 'discriminator' in issue)
    return shapesOf(schemaAt(schema, path.slice(0, -1), data), String(issue.discriminator));
  return issue.code === 'invalid_value' ? valuesOf(schemaAt(schema, path, data)) : [];
}

/** `steps[2].config.url`, counted from 0 as the data is. */
function placeName(path: DataPath): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
    .join('')
    .replace(/^\./, '');
}

function offsetsOf(
  document: Document.Parsed,
  path: DataPath,
  of: 'value' | 'key',
): readonly [number, number] {
  let node: Node | null = document.contents;
  let best: readonly [number, number] = [0, 0];
  const keep = (found: unknown): void => {
    if (isNode(found) && found.range) best = [found.range[0], found.range[1]];
  };
  if (path.length === 0) keep(node);
  for (const [at, key] of path.entries()) {
    if (isMap(node)) {
      const pair: unknown = node.items.find(
        (one) => isPair(one) && isScalar(one.key) && String(one.key.value) === String(key),
      );
      if (!isPair(pair)) {
        // A missing field: the object that should hold it, by its first line.
        return [best[0], Math.max(best[0], Math.min(best[1], best[0] + 1))];
      }
      keep(pair.key);
      if (at === path.length - 1 && of === 'key') return best;
      node = isNode(pair.value) ? pair.value : null;
    } else {
      const inner: unknown = isSeq(node) ? node.items[Number(key)] : null;
      node = isNode(inner) ? inner : null;
    }
    keep(node);
  }
  return best;
}
