// Runs the expected-value fixer on a source text with values as a test would have recorded them.
import assert from 'node:assert/strict';
import { proposeExpectedValue } from '../../src/core/fixes/assertion/proposeExpectedValue.ts';
import { applyEdit } from '../../src/core/model/edit.ts';
import type { Fix } from '../../src/core/model/fix.ts';
import type { TestResult } from '../../src/core/model/testResult.ts';
import type { Value } from '../../src/core/model/value.ts';
import { checkPolicyOfEdits } from '../../src/core/policy/checkPolicy.ts';
import { gateOf } from '../../src/core/policy/gateOf.ts';

export interface FixerCase {
  /** Text of the test file, or of all files; the first is the test file. */
  readonly source: string | Readonly<Record<string, string>>;
  /** A unique piece of the test file at the failing matcher: `toBe('Hi`; its first word is the place in the stack. */
  readonly at: string;
  /** The file of `at`, where that is another one. */
  readonly inFile?: string;
  readonly expected: unknown;
  readonly actual: unknown;
  readonly title?: string;
  readonly suites?: readonly string[];
  readonly id?: string;
  /** Further frames: pieces of the test file. */
  readonly callers?: readonly string[];
  readonly negated?: boolean;
  /** Files of the case that are no test files. */
  readonly sources?: readonly string[];
}

export interface FixerOutcome {
  readonly fix: Fix | undefined;
  readonly refusal: string | undefined;
  /** All files with the fix applied. */
  readonly files: Readonly<Record<string, string>>;
}

const root = '/shop';

export async function runFixer(given: FixerCase): Promise<FixerOutcome> {
  const files = typeof given.source === 'string' ? { 'cart.test.ts': given.source } : given.source;
  const [file = '', text = ''] = Object.entries(files)[0] ?? [];
  const frame = (piece: string, place = file): string => {
    const held = files[place] ?? '';
    const offset = held.indexOf(piece);
    if (offset < 0 || held.includes(piece, offset + 1)) throw new Error(`not unique in the source: ${piece}`);
    const before = held.slice(0, offset).split('\n');
    return `    at ${root}/${place}:${before.length}:${(before.at(-1) ?? '').length + 1}`;
  };
  const stack = [
    'Error: captured',
    frame(given.at, given.inFile),
    ...(given.callers ?? []).map((one) => frame(one)),
  ].join('\n');
  const result: TestResult = {
    id: given.id ?? `vitest:${file}#test`,
    file,
    line: text.slice(0, text.indexOf(given.at)).split('\n').length,
    title: given.title ?? 'test',
    suites: [...(given.suites ?? [])],
    outcome: 'failed',
    durationMs: 1,
  };
  const captured = {
    kind: 'values' as const,
    testName: result.title,
    matcher: /^\w+/.exec(given.at)?.[0] ?? '',
    negated: given.negated ?? false,
    actual: toValue(given.actual),
    expected: toValue(given.expected),
    message: 'it failed',
    stack,
  };
  let refusal: string | undefined;
  const [fix] = await proposeExpectedValue({
    root,
    failing: [{ result, captured: [captured] }],
    readText: async (name) => files[name],
    isTestFile: (name) => !(given.sources ?? []).includes(name),
    changes: { files: [], baseText: async () => undefined, reaching: async () => [] },
    signal: new AbortController().signal,
    refuse: (_id, reason) => {
      refusal = reason;
    },
  });
  if (fix !== undefined) assertThatItChangesNoInput(fix, files);
  const after = Object.entries(files).map(([name, before]) => {
    const edit = fix?.edits.find((other) => other.file === name);
    return [name, edit === undefined ? before : applyEdit(edit, before)];
  });
  return { fix, refusal, files: Object.fromEntries(after) };
}

/** Nothing that the fixer proposes may change what a test asks, by the gate. */
function assertThatItChangesNoInput(fix: Fix, files: Readonly<Record<string, string>>): void {
  const gate = gateOf({ ...fix, trust: 'oracle' });
  const changes = fix.edits.map((edit) => {
    const before = files[edit.file] ?? '';
    return { file: edit.file, before, after: applyEdit(edit, before) };
  });
  const found = checkPolicyOfEdits(changes, () => true, gate).filter(({ rule }) => rule === 'changed-input');
  assert.deepEqual(found, [], changes.map(({ after }) => after).join('\n'));
}

/** A matcher such as expect.any(…) that held, or did not, as the hooks record it. */
export class Asymmetric {
  readonly matched: boolean;
  constructor(matched: boolean) {
    this.matched = matched;
  }
}

/** A value of this process as the hooks record it. */
export function toValue(value: unknown): Value {
  if (value instanceof Asymmetric)
    return { kind: 'opaque', description: `asymmetric ${value.matched ? 'matched' : 'unmatched'}` };
  if (value === null) return { kind: 'null' };
  if (Array.isArray(value)) return { kind: 'array', items: value.map(toValue) };
  if (value instanceof Date)
    return { kind: 'date', iso: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() };
  if (value instanceof Map)
    return { kind: 'map', entries: [...value].map(([key, item]) => [toValue(key), toValue(item)]) };
  if (value instanceof Set) return { kind: 'set', items: [...value].map(toValue) };
  if (value instanceof RegExp) return { kind: 'regexp', source: value.source, flags: value.flags };
  if (value instanceof Error)
    return {
      kind: 'error',
      name: value.name,
      message: value.message,
      entries: Object.entries(value).map(([key, item]) => [key, toValue(item)]),
    };
  switch (typeof value) {
    case 'undefined':
      return { kind: 'undefined' };
    case 'boolean':
      return { kind: 'boolean', value };
    case 'number':
      return { kind: 'number', text: Object.is(value, -0) ? '-0' : String(value) };
    case 'bigint':
      return { kind: 'bigint', text: `${value}n` };
    case 'string':
      return { kind: 'string', value };
    case 'object':
      return {
        kind: 'object',
        entries: Object.entries(value ?? {}).map(([key, item]) => [key, toValue(item)]),
      };
    default:
      return { kind: 'opaque', description: `a ${typeof value}` };
  }
}
