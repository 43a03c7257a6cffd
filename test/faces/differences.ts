// Tells two answers of the command line apart: what a caller relies on (exit code, keys of JSON and their types, options) and what only reads otherwise.
export interface Answer {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Difference {
  /** An exit code, a key or an option is gone or another; else only a value or a text differs, or something was added. */
  readonly isBroken: boolean;
  readonly text: string;
}

export function differencesOf(before: Answer, after: Answer): Difference[] {
  const code: Difference[] =
    before.code === after.code ? [] : [{ isBroken: true, text: `exit code ${before.code} → ${after.code}` }];
  const documents = [documentOf(before.stdout), documentOf(after.stdout)] as const;
  if (documents[0] === undefined && documents[1] === undefined)
    return [
      ...code,
      ...lines(before.stdout, after.stdout),
      ...(before.stdout === '' ? lines(before.stderr, after.stderr) : []),
    ];
  if (documents[0] === undefined || documents[1] === undefined)
    return [
      ...code,
      { isBroken: true, text: `JSON on stdout: ${documents.map((one) => one !== undefined).join(' → ')}` },
    ];
  return [...code, ...values(valuesOf(documents[0]), valuesOf(documents[1]))];
}

/** One document; or one a line, then those of each type together. */
function documentOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const each = text.trim().split('\n');
    if (!each.every((line) => line.startsWith('{'))) return undefined;
    const byType: Record<string, unknown[]> = {};
    for (const line of each) {
      const event: unknown = JSON.parse(line);
      const type = typeof event === 'object' && event !== null && 'type' in event ? String(event.type) : '?';
      byType[type] = [...(byType[type] ?? []), event];
    }
    return byType;
  }
}

/** An option or a command of help stands at the start of a line. */
const optionOf = (line: string): string | undefined => /^ {2}(--[\w-]+|[a-z]+ {2,})/.exec(line)?.[1]?.trim();

function lines(before: string, after: string): Difference[] {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const options = now.map(optionOf);
  return [
    ...old
      .filter((line) => !now.includes(line))
      .map((line) => ({
        isBroken: optionOf(line) !== undefined && !options.includes(optionOf(line)),
        text: `- ${line}`,
      })),
    ...now.filter((line) => !old.includes(line)).map((line) => ({ isBroken: false, text: `+ ${line}` })),
  ];
}

/** Every leaf by its place, with all items of a list at one place. */
function valuesOf(document: unknown, place = '', all = new Map<string, unknown[]>()): Map<string, unknown[]> {
  if (Array.isArray(document)) for (const item of document) valuesOf(item, `${place}[]`, all);
  else if (typeof document === 'object' && document !== null)
    for (const [key, value] of Object.entries(document)) valuesOf(value, `${place}.${key}`, all);
  else all.set(place, [...(all.get(place) ?? []), document]);
  return all;
}

/** Times, and what is counted while they pass. */
const isOfTheMoment = (place: string): boolean =>
  /(?:Ms|_ms|\.at|time|seconds|elapsed\w*|duration\w*|pid)$/i.test(place);

function values(before: ReadonlyMap<string, unknown[]>, after: ReadonlyMap<string, unknown[]>): Difference[] {
  const told: Difference[] = [];
  for (const place of new Set([...before.keys(), ...after.keys()])) {
    // What happened to run at the moment of an event of progress.
    if (place.startsWith('.progress.')) continue;
    const [old, now] = [before.get(place), after.get(place)];
    if (now === undefined) told.push({ isBroken: true, text: `${place} is gone: ${short(old)}` });
    else if (old === undefined) told.push({ isBroken: false, text: `${place} is new: ${short(now)}` });
    else if (typesOf(now).some((type) => !typesOf(old).includes(type)))
      told.push({
        isBroken: true,
        text: `${place}: ${typesOf(old).join('|')} → ${typesOf(now).join('|')} ${short(now)}`,
      });
    else if (!isOfTheMoment(place) && sorted(old) !== sorted(now))
      told.push({
        isBroken: false,
        text: `${place}: ${short(onlyIn(old, now))} → ${short(onlyIn(now, old))}`,
      });
  }
  return told;
}

const sorted = (some: readonly unknown[]): string =>
  some
    .map((one) => JSON.stringify(one))
    .sort()
    .join('\n');
const onlyIn = (some: readonly unknown[], others: readonly unknown[]): unknown[] =>
  some.filter((one) => !others.includes(one));
const typesOf = (some: readonly unknown[]): string[] =>
  [...new Set(some.map((one) => (one === null ? 'null' : typeof one)))].sort();
const short = (value: unknown, most = 400): string => (JSON.stringify(value) ?? 'nothing').slice(0, most);
