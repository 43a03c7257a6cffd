// Finds the texts that a name gives away as secrets in code of other languages than JavaScript, by its words alone.
import { Sureness, surenessOf, surenessWithin } from '../base/secretNames.ts';
import { isCarried, isHeld, tells } from '../base/secretValues.ts';

const isSecret = (name: string): boolean => surenessOf(name) >= Sureness.worded;
const bare = (written: string): string => written.replace(/^[bBrRuUfF]{0,2}(["'`])([^]*)\1$/, '$2').trim();
const holds = (name: string, written: string): boolean => tells(name, bare(written));
const quoted =
  String.raw`(?:[bBrRuUfF]{0,2})(?:"(?:[^"\\\n]|\\.){1,400}"|'(?:[^'\\\n]|\\.){1,400}'|` + '`[^`]{1,400}`)';

export function plainSecrets(text: string): ReadonlySet<string> {
  const found = new Set<string>();
  const note = (written: string, isDirect = true): void => {
    const value = bare(written);
    if (isDirect ? isHeld(value) : isCarried(value)) found.add(value);
  };
  for (const value of listed(text)) note(value, false);
  for (const value of assigned(text)) note(value);
  for (const value of returned(text)) note(value);
  for (const value of passed(text)) note(value);
  for (const value of rowsOfStructs(text)) note(value);
  for (const value of compared(text)) note(value);
  return found;
}

/** The items of a list of YAML. */
function* listed(text: string): Generator<string> {
  for (const [, name = '', list = ''] of text.matchAll(
    /^[ \t-]*([\w.-]{2,60}):[ \t]*\n((?:[ \t]*-[ \t]+\S[^\n]{0,400}(?:\n|$)){1,200})/gm,
  ))
    if (surenessWithin(name) > Sureness.none)
      for (const [, value = ''] of list.matchAll(/^[ \t]*-[ \t]+(\S[^\n]*)/gm)) yield value;
}

/** To a name of a secret: a literal, or a name that has one, also over further names and as a keyword of a call. */
function* assigned(text: string): Generator<string> {
  const literal = new RegExp(
    String.raw`(?<![\p{L}\w])(?<name>[\p{L}_][\w$-]{0,60})["'\]]{0,2}\s*(?::[ \t]*[\w.[\]| ]{1,40})?(?::=|=>|[:=])(?!=)\s*\(?\s*(?:(?<value>${quoted})|(?:(?:self|cls)\.)?(?<other>[A-Za-z_]\w*)(?![ \t]*[=.("'\x60[\w]))`,
    'gu',
  );
  const all = [...text.matchAll(literal)].map(({ groups = {} }) => groups);
  const sources = new Map<string, string[]>();
  for (const { name = '', other } of all) {
    const known = sources.get(name) ?? [];
    if (other !== undefined && known.length < 100) sources.set(name, [...known, other]);
  }
  /** By name, the surest one that gets its value. */
  const tellers = new Map<string, string>();
  const tell = (first: string, teller: string): void => {
    const queue = [first];
    for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
      const known = tellers.get(name);
      if (known !== undefined && surenessOf(known) >= surenessOf(teller)) continue;
      tellers.set(name, teller);
      queue.push(...(sources.get(name) ?? []));
    }
  };
  for (const { name = '', value, other } of all) {
    if (value !== undefined && holds(name, value)) yield value;
    if (other !== undefined && isSecret(name)) tell(other, name);
  }
  for (const { groups = {} } of text.matchAll(/\b(?<callee>[A-Za-z_]\w{2,60})\((?<args>[^()\n]{1,300})\)/g)) {
    const { callee = '', args = '' } = groups;
    if (surenessWithin(callee) >= Sureness.likely)
      for (const one of args.split(',')) if (/^\s*[a-z_]\w*\s*$/.test(one)) tell(one.trim(), callee);
  }
  for (const { name = '', value } of all)
    if (value !== undefined && holds(tellers.get(name) ?? '', value)) yield value;
}

/** By a function with the name of a secret, up to the next one, and by the double of one. */
function* returned(text: string): Generator<string> {
  for (const { index, 0: head, 1: name = '' } of text.matchAll(
    /\b(?:def|func|fn|fun|function)\s+(?:\([^()\n]{0,80}\)\s*)?(\w{2,60})\s*\(/g,
  )) {
    const rest = text.slice(index + head.length, index + 3_000);
    const body = rest.slice(
      0,
      /\n\s*(?:async\s+)?(?:def|func|fn|fun|function)\s|\n\}/.exec(rest)?.index ?? rest.length,
    );
    for (const [, value = ''] of body.matchAll(
      new RegExp(String.raw`\b(?:return|yield)\s+\(?(${quoted})`, 'g'),
    ))
      if (holds(name, value)) yield value;
  }
  const double = new RegExp(
    String.raw`(\w{2,60})["']?\)?\.(?:return_value|side_effect)\s*=\s*\[?(${quoted})|["'](?:[\w.]*\.)?(\w{2,60})["']\s*,\s*(?:return_value\s*=\s*|lambda[^:\n]{0,40}:\s*)?(${quoted})`,
    'g',
  );
  for (const [, name = '', value, patched = '', given] of text.matchAll(double)) {
    if (value !== undefined && holds(name, value)) yield value;
    if (given !== undefined && holds(patched, given)) yield given;
  }
}

/** In the place of a parameter with such a name. */
function* passed(text: string): Generator<string> {
  for (const [, name = '', list = ''] of text.matchAll(
    /\b(?:def|func|fn|fun)\s+(?:\([^()\n]{0,80}\)\s*)?(\w{2,60})\s*\(([^()]{1,400})\)/g,
  )) {
    const parameters = list
      .split(',')
      .map((one) => /[A-Za-z_]\w*/.exec(one)?.[0] ?? '')
      .filter((one) => !/^(?:self|cls)$/.test(one));
    if (!parameters.some(isSecret)) continue;
    for (const [, given = ''] of text.matchAll(new RegExp(String.raw`\b${name}\(([^()\n]{1,400})\)`, 'g'))) {
      const values = cells(given);
      for (const [index, parameter] of parameters.entries())
        if (isQuoted(values[index]) && holds(parameter, values[index] ?? '')) yield values[index] ?? '';
    }
  }
}

/** Rows without names have the order of the fields of their struct. */
function* rowsOfStructs(text: string): Generator<string> {
  for (const [, body = ''] of text.matchAll(/\bstruct\s*\{([^{}]{1,2000})\}/g)) {
    const fields = body
      .split(/[\n;]/)
      .flatMap((line) =>
        (/^\s*(\w+(?:\s*,\s*\w+)*)\s+[\w*[\].]/.exec(line)?.[1] ?? '').split(',').map((one) => one.trim()),
      )
      .filter((one) => one !== '');
    if (!fields.some(isSecret)) continue;
    for (const [, row = ''] of text.matchAll(/\{([^{}]{1,1000})\}/g)) {
      const values = cells(row);
      if (values.length !== fields.length || values.some((one) => /^\w+\s*:/.test(one))) continue;
      for (const [index, field] of fields.entries())
        if (isQuoted(values[index]) && holds(field, values[index] ?? '')) yield values[index] ?? '';
    }
  }
}

/** With what has such a name: `assert user.password == "X"`, `got := Token(); got != "X"`. */
function* compared(text: string): Generator<string> {
  const right = new RegExp(
    String.raw`(\w{2,60})(?:\([^()\n]{0,80}\)|["']\])?\s*[=!]=\s*\w{0,20}\(?(${quoted})`,
    'g',
  );
  const left = new RegExp(String.raw`(${quoted})\)?\s*[=!]=\s*(?:\w+\.)*(\w{2,60})`, 'g');
  for (const [, name = '', value = ''] of text.matchAll(right)) if (holds(name, value)) yield value;
  for (const [, value = '', name = ''] of text.matchAll(left)) if (holds(name, value)) yield value;
  const names = new Set(
    Array.from(
      text.matchAll(/\b(\w{1,60})(?:,\s*\w+)?\s*:?=\s*(?:await\s+)?(?:\w+\.)*(\w{2,60})\b/g),
      ([, name = '', of = '']) => (isSecret(of) ? name : ''),
    ),
  );
  names.delete('');
  const tells = (cell: string): boolean => {
    const name = /(\w+)(?:\([^()]*\))?$/.exec(cell)?.[1] ?? '';
    return !isQuoted(cell) && (isSecret(name) || names.has(name));
  };
  for (const [, name = '', value = ''] of text.matchAll(right)) if (names.has(name)) yield value;
  for (const [, list = ''] of text.matchAll(
    /\b(?:assert|require|expect|self\.assert|Equal)[\w.]*!?\(((?:[^()\n]|\([^()\n]*\)){1,400})\)/g,
  )) {
    const sides = cells(list);
    if (sides.some(tells)) yield* sides.filter(isQuoted).slice(0, 2);
  }
}

const isQuoted = (value: string | undefined): boolean =>
  value !== undefined && /^[bBrRuUfF]{0,2}(["'`])[^]*\1$/.test(value);

/** Between commas that stand in no quotes. */
function cells(list: string): readonly string[] {
  const parts = list.match(/(?:[^,"'`]|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`)+/g) ?? [];
  return parts.map((part) => part.trim().replace(/^\w+\s*=(?!=)\s*/, '')).filter((part) => part !== '');
}
