// One failing test whose sources gave a member another name, and what the fixer of members makes of it.
import { memberRenamed } from '../../../../src/core/fixes/members/memberRenamed.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import type { Fix } from '../../../../src/core/model/fix.ts';
import type { TestResult } from '../../../../src/core/model/testResult.ts';
import type { CapturedAssertion, Value } from '../../../../src/core/model/value.ts';

const file = 'test/cart.test.ts';

export interface Given {
  readonly before: string;
  readonly now: string;
  /** What the test does; the failure is at the first `¶`, which is taken out. */
  readonly test: string;
  readonly message?: string;
  /** The asserted value was undefined. */
  readonly isUndefined?: boolean;
  readonly actual?: Value;
  readonly expected?: Value;
  /** A second changed source. */
  readonly more?: readonly [before: string, now: string];
}

/** The text of the first fix is what the test does with it. */
export async function mend(
  given: Given,
): Promise<{ fixes: readonly Fix[]; refusals: readonly string[]; text?: string }> {
  const head = `import { Cart, cart, make, prices, State } from '../src/cart';\n`;
  const whole = `${head}it('works', () => {\n  ${given.test}\n});\n`;
  const at = whole.indexOf('¶');
  const lines = whole.slice(0, at).split('\n');
  const text = whole.replace('¶', '');
  const location = { file, line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  const message = given.message ?? 'expected undefined to be 3';
  const result: TestResult = {
    id: `vitest:${file}#works`,
    file,
    line: 2,
    title: 'works',
    suites: [],
    outcome: 'failed',
    durationMs: 1,
    failure: {
      message,
      kind: given.message ? 'error' : 'assertion',
      severity: 'medium',
      stack: [],
      location,
    },
  };
  const captured: CapturedAssertion = {
    kind: 'values',
    testName: 'works',
    matcher: given.actual === undefined ? 'toBe' : 'toEqual',
    negated: false,
    actual: given.actual ?? { kind: 'undefined' },
    expected: given.expected ?? { kind: 'number', text: '3' },
    message,
    stack: `Error: captured\n    at /shop/${file}:${location.line}:${location.column}`,
  };
  const sources: Readonly<Record<string, readonly [string, string]>> = {
    'src/cart.ts': [given.before, given.now],
    ...(given.more && { 'src/order.ts': given.more }),
  };
  const changed = Object.keys(sources).map((name) => ({ file: name, status: 'modified' as const }));
  const refusals: string[] = [];
  const fixes = await memberRenamed.propose({
    root: '/shop',
    failing: [{ result, captured: given.isUndefined || given.actual ? [captured] : [] }],
    readText: async (name) => (name === file ? text : sources[name]?.[1]),
    isTestFile: (name) => name === file,
    changes: {
      files: changed,
      baseText: async (name) => sources[name]?.[0],
      reaching: async () => changed,
    },
    signal: new AbortController().signal,
    refuse: (_id, reason) => refusals.push(reason),
  });
  const edit = fixes[0]?.edits[0];
  if (edit === undefined) return { fixes, refusals };
  return {
    fixes,
    refusals,
    text: applyEdit(edit, text).slice(head.length + `it('works', () => {\n  `.length, -`\n});\n`.length),
  };
}

/** Every use of a name in a source, before and after. */
export const renamed = (source: string, from: string, to: string): Pick<Given, 'before' | 'now'> => ({
  before: source,
  now: source.replaceAll(new RegExp(`\\b${from}\\b`, 'g'), to),
});
