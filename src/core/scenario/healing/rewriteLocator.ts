// Writes healed strategies into the text of a scenario: all but the changed strategy stays as it was, comments and spaces too.
import {
  isMap,
  isNode,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { canonical, type RecordedStrategy } from './healingRecord.ts';

interface LocatorChange {
  readonly displayName: string;
  /** Only the locator of this step; of every step with that name when absent. */
  readonly stepId?: string;
  readonly original: RecordedStrategy;
  /** At least one; takes the place of the original. */
  readonly healed: readonly RecordedStrategy[];
}

/**
 * The new text, or undefined when no locator of that name is to be changed: it is not there, or says so already. A locator of the name that
 * lacks the original gets the healed ones in front. Throws when the text is no YAML or JSON, or the change would break it.
 */
export function rewriteLocator(text: string, change: LocatorChange): string | undefined {
  const strategies = strategiesToChange(text, change);
  const edits = strategies.flatMap((list) => editsOf(text, list, change));
  if (edits.length === 0) return undefined;
  let changed = text;
  for (const { start, end, insert } of edits.sort((one, other) => other.start - one.start))
    changed = changed.slice(0, start) + insert + changed.slice(end);
  const after = strategiesToChange(changed, change);
  const [first] = change.healed;
  if (
    after.length !== strategies.length ||
    !after.every((list) => list.items.some((item) => first && isStrategy(item, first)))
  )
    throw new Error(`the locator "${change.displayName}" cannot be rewritten in place`);
  return changed;
}

function strategiesToChange(text: string, { displayName, stepId }: LocatorChange): YAMLSeq[] {
  const document = parseDocument(text, { keepSourceTokens: true });
  const [error] = document.errors;
  if (error) throw error;
  const found: YAMLSeq[] = [];
  visit(document, {
    Map(_, map, ancestors) {
      const strategies = map.get('strategies', true);
      if (map.get('displayName') !== displayName || !isSeq(strategies)) return;
      if (stepId === undefined || stepIdOf([...ancestors]) === stepId) found.push(strategies);
    },
  });
  return found;
}

/** The id of the innermost step: the written one, or the one by its place. */
function stepIdOf(ancestors: readonly unknown[]): string | undefined {
  for (let at = ancestors.length - 1; at > 1; at--) {
    const [list, step] = [ancestors[at - 1], ancestors[at]];
    if (!isSeq(list) || !isMap(step) || !step.has('type') || !step.has('config')) continue;
    const written = step.get('id');
    if (typeof written === 'string' || typeof written === 'number') return String(written);
    const pair = ancestors[at - 2];
    const part = isPairOf(pair) ? String(isScalar(pair.key) ? pair.key.value : pair.key) : 'steps';
    return `${part === 'steps' ? 'step' : part}-${list.items.indexOf(step) + 1}`;
  }
  return undefined;
}

const isPairOf = (one: unknown): one is { key: unknown } =>
  typeof one === 'object' && one !== null && 'key' in one;

interface TextEdit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

function editsOf(text: string, list: YAMLSeq, { original, healed }: LocatorChange): TextEdit[] {
  const items = list.items.filter((item): item is YAMLMap => isMap(item));
  const wanted = healed.filter((one) => !items.some((item) => isStrategy(item, one)));
  const old = items.find((item) => isStrategy(item, original));
  // Already written, or only behind the one that no longer finds anything.
  if (wanted.length === 0 && old === undefined) return [];
  const [model] = items;
  if (model === undefined) return [];
  if (old !== undefined && wanted.length === 0) return [removal(list, old)];
  const carried = old === undefined ? undefined : old.get('priority');
  const parts = wanted.map((one, place) => ({
    ...one,
    ...(typeof carried === 'number' ? { priority: carried + place } : {}),
  }));
  const target = old ?? model;
  const written = parts.map((part) => textOf(part, target, text));
  const [start, end] = rangeOf(target);
  const between = list.flow ? separatorOf(text, list) : `\n${' '.repeat(dashColumn(text, start))}- `;
  if (old !== undefined) return [{ start, end, insert: written.join(between) }];
  return [{ start, end: start, insert: written.join(between) + between }];
}

/** With its dash or comma, up to the next item. */
function removal(list: YAMLSeq, item: Node): TextEdit {
  const [start, end] = rangeOf(item);
  const place = list.items.indexOf(item);
  const next = nodeAt(list, place + 1);
  if (next?.range) return { start, end: rangeOf(next)[0], insert: '' };
  const before = nodeAt(list, place - 1);
  const from = before?.range ? rangeOf(before)[1] : start;
  return { start: from, end, insert: '' };
}

/** A block ends with its last value, not with the lines and comments behind it. */
function rangeOf(node: Node): readonly [number, number] {
  if (!node.range) throw new Error('a strategy without a place in the text');
  const last = isMap(node) && node.flow !== true ? node.items.at(-1)?.value : undefined;
  const end = isScalar(last) ? last.range?.[1] : undefined;
  return [node.range[0], end ?? node.range[1]];
}

function nodeAt(list: YAMLSeq, place: number): Node | undefined {
  const item = list.items[place];
  return isNode(item) ? item : undefined;
}

const dashColumn = (text: string, start: number): number => {
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const dash = text.lastIndexOf('-', start - 1);
  return Math.max(0, (dash < line ? start : dash) - line);
};

function separatorOf(text: string, list: YAMLSeq): string {
  const [first, second] = [nodeAt(list, 0), nodeAt(list, 1)];
  if (first?.range && second?.range) return text.slice(rangeOf(first)[1], rangeOf(second)[0]);
  const start = first?.range?.[0] ?? 0;
  const line = text.lastIndexOf('\n', start - 1) + 1;
  const indent = text.slice(line, start);
  return /^\s+$/.test(indent) ? `,\n${indent}` : ', ';
}

/** In the style of the strategy it takes the place of: JSON, `{ type: role }`, or a line for each key. */
function textOf(strategy: object, model: YAMLMap, text: string): string {
  const entries = Object.entries(strategy);
  const [start] = rangeOf(model);
  const source = text.slice(...rangeOf(model));
  const quoted = /^\{\s*"/.test(source);
  const pairs = entries.map(([key, value]) =>
    quoted ? `${JSON.stringify(key)}: ${JSON.stringify(value)}` : `${key}: ${scalar(value, source)}`,
  );
  if (!model.flow) {
    const column = start - (text.lastIndexOf('\n', start - 1) + 1);
    return pairs.join(`\n${' '.repeat(column)}`);
  }
  const lines = /^\{[ \t]*\r?\n([ \t]+)/.exec(source);
  if (lines) {
    const closing = /\n([ \t]*)\}$/.exec(source)?.[1] ?? '';
    return `{\n${pairs.map((pair) => (lines[1] ?? '') + pair).join(',\n')}\n${closing}}`;
  }
  const space = /^\{\s/.test(source) ? ' ' : '';
  return `{${space}${pairs.join(', ')}${space}}`;
}

/** Plain where YAML reads it back as the same text in any place, else in the quotes that the file uses. */
function scalar(value: unknown, style: string): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const isPlain =
    /^[A-Za-z][\w-]*(?: [\w-]+)*$/.test(value) && !/^(?:true|false|yes|no|on|off|null|y|n)$/i.test(value);
  const single = style.includes("'") && !style.includes('"') && !/[\n\r\t\\]/.test(value);
  if (isPlain && !/["']/.test(style)) return value;
  if (isPlain && !/(?:value|name|selector|expression|role): *["']/.test(style)) return value;
  return single ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value);
}

function isStrategy(item: unknown, strategy: object): boolean {
  const read: unknown = isMap(item) ? item.toJSON() : undefined;
  return typeof read === 'object' && read !== null && canonical(read) === canonical(strategy);
}
