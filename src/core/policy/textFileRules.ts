// The gate for files of a test that are no code: stored snapshots, JSON and other fixtures.
import ts from 'typescript';
import { snapshotStops } from '../fixes/snapshots/snapshotStops.ts';
import type { Finding } from './fileFacts.ts';
import { lineOf, parseSource } from './parseSource.ts';
import { suspectValue } from './suspectValue.ts';

/** Values may change; entries may not go, and a snapshot holds nothing but text. */
export function* snapshotRules(before: string, after: string): Generator<Finding> {
  const was = snapshotEntries(before);
  const is = snapshotEntries(after);
  for (const { line } of is.strange)
    yield {
      rule: 'snapshot-code',
      line,
      text: 'A snapshot file must contain only text entries, each name once.',
    };
  for (const [name, { value }] of was.entries) {
    const now = is.entries.get(name);
    if (now === undefined)
      yield { rule: 'removed-entries', line: 1, text: `The snapshot "${name}" was removed.` };
    else if (isEmptySnapshot(now.value) && !isEmptySnapshot(value))
      yield { rule: 'removed-entries', line: now.line, text: `The snapshot "${name}" lost its content.` };
    else if (now.value !== value && !isEmptySnapshot(value))
      for (const { reason } of snapshotStops(value, now.value)) yield suspectValue(reason, now.line);
  }
}

/** Entries that come with no test of theirs check nothing, or wait for a test that has not failed yet. */
export function* addedSnapshotRules(before: string, after: string): Generator<Finding> {
  const was = snapshotEntries(before).entries;
  for (const [name, { line }] of snapshotEntries(after).entries)
    if (!was.has(name))
      yield { rule: 'unrelated-snapshot', line, text: `The snapshot "${name}" is new, but no test is.` };
}

/** Nothing, or the empty text as both frameworks write it. */
export const isEmptySnapshot = (value: string): boolean => /^\s*(?:""|''|``)?\s*$/.test(value);

interface Snapshots {
  readonly entries: ReadonlyMap<string, { readonly value: string; readonly line: number }>;
  readonly strange: readonly { readonly line: number }[];
}

function snapshotEntries(text: string): Snapshots {
  const entries = new Map<string, { value: string; line: number }>();
  const strange: { line: number }[] = [];
  for (const statement of parseSource('file.ts', text).statements) {
    const entry = entryOf(statement);
    const line = lineOf(statement);
    // The second of two entries of one name is the one that counts.
    if (entry === undefined || entries.has(entry.name)) strange.push({ line });
    else entries.set(entry.name, { value: entry.value, line });
  }
  return { entries, strange };
}

function entryOf(statement: ts.Statement): { name: string; value: string } | undefined {
  if (!ts.isExpressionStatement(statement) || !ts.isBinaryExpression(statement.expression)) return undefined;
  const { left, right, operatorToken } = statement.expression;
  const isEntry =
    operatorToken.kind === ts.SyntaxKind.EqualsToken &&
    ts.isElementAccessExpression(left) &&
    left.expression.getText() === 'exports' &&
    ts.isStringLiteralLike(left.argumentExpression) &&
    ts.isStringLiteralLike(right);
  return isEntry ? { name: left.argumentExpression.text, value: right.text } : undefined;
}

/** A fixture may change, but not be emptied, broken, or lose rows of its outermost list. */
export function* fixtureRules(file: string, before: string, after: string): Generator<Finding> {
  if (before.trim() !== '' && after.trim() === '')
    yield { rule: 'removed-entries', line: 1, text: 'The file lost all of its content.' };
  const lines = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length;
  if (/\.[ct]sv$/.test(file) && lines(after) < lines(before))
    yield { rule: 'removed-entries', line: 1, text: 'The table has fewer rows than before.' };
  if (/\.(?:jsonl|ndjson)$/.test(file) && lines(after) < lines(before))
    yield { rule: 'removed-entries', line: 1, text: 'The file has fewer entries than before.' };
  if (/\.(?:ya?ml|toml|ini|properties)$/.test(file)) yield* keyedTextRules(before, after);
  if (!/\.json[c5]?$/.test(file)) return;
  const [was, is] = [parseJson(before), parseJson(after)];
  if (was !== undefined && is === undefined)
    yield { rule: 'syntax-error', line: 1, text: 'The file is no longer JSON.' };
  const [wasCount, isCount] = [entriesOf(was?.value), entriesOf(is?.value)];
  if (is !== undefined && isEmptied(was?.value, is.value))
    yield {
      rule: 'removed-entries',
      line: 1,
      text: 'A list or an object in the file lost all of its entries.',
    };
  if (
    is !== undefined &&
    !isEmptied(was?.value, is.value) &&
    isCount >= wasCount &&
    losesRows(was?.value, is.value)
  )
    yield { rule: 'removed-entries', line: 1, text: 'A list in the file has fewer rows than before.' };
  if (is !== undefined && isCount < wasCount)
    yield {
      rule: 'removed-entries',
      line: 1,
      text: `The file has ${isCount} entries where it had ${wasCount}.`,
    };
}

/** YAML and its like by their lines: as many keys and items as before, and nothing empty that was not. */
function* keyedTextRules(before: string, after: string): Generator<Finding> {
  const entries = (text: string): number =>
    text.split('\n').filter((line) => /^\s*(?:-(?:\s|$)|\[|[^#\s][^#]*?[:=](?:\s|$))/.test(line)).length;
  const empty = (text: string): number =>
    (text.match(/(?:\[\s*\]|\{\s*\})(?=\s*(?:#.*)?$)|:\s*(?:~|null)?\s*(?:#.*)?$(?!\n\s*(?:-|\s))/gm) ?? [])
      .length;
  if (entries(after) < entries(before))
    yield { rule: 'removed-entries', line: 1, text: 'The file has fewer entries than before.' };
  else if (empty(after) > empty(before))
    yield {
      rule: 'removed-entries',
      line: 1,
      text: 'A list or an object in the file lost all of its entries.',
    };
}

/** Has a list of rows, at any depth, fewer of them? */
function losesRows(was: unknown, is: unknown): boolean {
  if (typeof was !== 'object' || was === null || typeof is !== 'object' || is === null) return false;
  const rows = Array.isArray(was) && was.every((row) => typeof row === 'object' && row !== null);
  if (rows && Array.isArray(is) && is.length < was.length) return true;
  const now = new Map<string, unknown>(Object.entries(is));
  return Object.entries(was).some(([key, value]) => now.has(key) && losesRows(value, now.get(key)));
}

/** Is anything empty now, at any depth, that had entries? */
function isEmptied(was: unknown, is: unknown): boolean {
  if (entriesOf(was) === 0) return false;
  if (entriesOf(is) === 0) return true;
  const now = new Map<string, unknown>(Object.entries(is ?? {}));
  return Object.entries(was ?? {}).some(([key, value]) => now.has(key) && isEmptied(value, now.get(key)));
}

function parseJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

function entriesOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : 0;
}
