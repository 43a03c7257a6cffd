// Reads the part of YAML that configurations of runners and flows are written in: a flat map of values and lists.

export type YamlValue = string | number | boolean | null | readonly YamlValue[];

interface ReadYaml {
  readonly values: ReadonlyMap<string, YamlValue>;
  /** Keys whose values are written in a way that is not read here. */
  readonly notRead: readonly string[];
  /** Line of text that is no YAML of this kind, from 1. */
  readonly badLine?: number;
}

const keyLine = /^(?:'([^']*)'|"([^"]*)"|([^\s:#'"\-[{&*!|>%@`][^:#]*?|-[^\s:#][^:#]*?))\s*:(?:\s+(.*))?$/;

/** Values of the keys; nested maps, anchors and block texts are named in `notRead`. */
export function readYaml(text: string): ReadYaml {
  const values = new Map<string, YamlValue>();
  const notRead: string[] = [];
  let key: string | undefined;
  let items: YamlValue[] | undefined;
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  for (let at = 0; at < lines.length; at++) {
    const line = withoutComment(lines[at] ?? '').trimEnd();
    if (line.trim() === '' || /^(?:---|\.\.\.|%)/.test(line)) continue;
    const item = /^\s*-(?:\s+(.*))?$/.exec(line);
    if (item && key !== undefined) {
      items ??= [];
      const value = scalar(item[1] ?? '');
      if (value === undefined) notRead.push(key);
      else items.push(value);
      values.set(key, items);
      continue;
    }
    const found = /^\s/.test(line) ? undefined : keyLine.exec(line);
    if (!found) {
      if (key === undefined || !/^\s/.test(line)) return { values, notRead, badLine: at + 1 };
      notRead.push(key);
      values.delete(key);
      continue;
    }
    key = found[1] ?? found[2] ?? found[3] ?? '';
    items = undefined;
    let rest = found[4] ?? '';
    // A list in brackets may go on over several lines.
    while (rest.startsWith('[') && !rest.endsWith(']') && at + 1 < lines.length)
      rest += ' ' + withoutComment(lines[++at] ?? '').trim();
    const value = rest.startsWith('[') ? flowList(rest) : scalar(rest);
    if (value === undefined) notRead.push(key);
    else values.set(key, value);
  }
  return { values, notRead: [...new Set(notRead)] };
}

function withoutComment(line: string): string {
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line.charAt(at);
    if (quote !== '') {
      if (char === '\\' && quote === '"') at++;
      else if (char === quote) quote = '';
    } else if ((char === '"' || char === "'") && /[\s,[:-]|^$/.test(line.charAt(at - 1))) quote = char;
    else if (char === '#' && /\s|^$/.test(line.charAt(at - 1))) return line.slice(0, at);
  }
  return line;
}

function flowList(text: string): readonly YamlValue[] | undefined {
  if (!text.endsWith(']')) return undefined;
  const items: YamlValue[] = [];
  const item = /\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?:[^,'"[\]{}]|\{[^}]*\})+)\s*(,|$)/y;
  const inner = text.slice(1, -1).trim();
  while (item.lastIndex < inner.length) {
    const found = item.exec(inner);
    const value = found ? scalar((found[1] ?? '').trim()) : undefined;
    if (value === undefined) return undefined;
    items.push(value);
  }
  return items;
}

/** Undefined for what is not read: anchors, tags, block texts, maps. */
function scalar(text: string): YamlValue | undefined {
  if (text === '' || text === '~' || text === 'null') return null;
  if (text.startsWith("'"))
    return /^'(?:[^']|'')*'$/.test(text) ? text.slice(1, -1).replaceAll("''", "'") : undefined;
  if (text.startsWith('"')) return quoted(text);
  if (/^[&*!|>{[%@`]/.test(text) && !/^\*+[./]/.test(text)) return undefined;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  return /^[-+]?(?:\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : text;
}

function quoted(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
