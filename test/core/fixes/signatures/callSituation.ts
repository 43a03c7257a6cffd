// One changed source, one test that calls it, and what the fixer of calls makes of the test.
import { signatures } from '../../../../src/core/fixes/signatures/signatures.ts';
import { applyEdit } from '../../../../src/core/model/edit.ts';
import type { Fix } from '../../../../src/core/model/fix.ts';
import type { Failure, TestResult } from '../../../../src/core/model/testResult.ts';
import { checkPolicyOfEdits } from '../../../../src/core/policy/checkPolicy.ts';
import type { Violation } from '../../../../src/core/model/fix.ts';

const file = 'test/shop.test.ts';

export interface CallSituation {
  readonly before: string;
  readonly now: string;
  /** A second source, as it was and as it is. */
  readonly caller?: readonly [before: string, now: string];
  readonly test: string;
  readonly head?: string;
  readonly failure?: Partial<Failure>;
}

export async function mendCalls(situation: CallSituation): Promise<{
  readonly fixes: readonly Fix[];
  readonly refusals: readonly string[];
  readonly violations: readonly Violation[];
  /** The test without its imports. */
  readonly mended: string | undefined;
}> {
  const { before, now, caller = ['', ''], test } = situation;
  const head =
    situation.head ?? `import * as shop from '../src/shop';\nimport { Cart, f } from '../src/shop';\n`;
  const text = head + test;
  const result: TestResult = {
    id: `vitest:${file}#works`,
    file,
    line: text.slice(0, text.indexOf('it(')).split('\n').length,
    title: 'works',
    suites: [],
    outcome: 'failed',
    durationMs: 1,
    failure: {
      message: 'expected NaN to be 3',
      kind: 'assertion',
      severity: 'medium',
      stack: [],
      ...situation.failure,
    },
  };
  const changed = ['src/shop.ts', 'src/caller.ts'].map((name) => ({
    file: name,
    status: 'modified' as const,
  }));
  const refusals: string[] = [];
  const isTestFile = (name: string): boolean => name === file;
  const old = new Map([
    ['src/shop.ts', before],
    ['src/caller.ts', caller[0]],
  ]);
  const texts = new Map([
    ['src/shop.ts', now],
    ['src/caller.ts', caller[1]],
    [file, text],
  ]);
  const fixes = await signatures.propose({
    root: '/shop',
    failing: [{ result, captured: [] }],
    readText: async (name) => texts.get(name),
    isTestFile,
    changes: {
      files: changed,
      baseText: async (name) => old.get(name),
      reaching: async () => changed.slice(0, 1),
    },
    signal: new AbortController().signal,
    refuse: (_id, reason) => refusals.push(reason),
  });
  const edit = fixes[0]?.edits[0];
  const after = edit === undefined ? undefined : applyEdit(edit, text);
  const violations =
    after === undefined
      ? []
      : checkPolicyOfEdits([{ file, before: text, after }], isTestFile, { isCall: true });
  return { fixes, refusals, violations, mended: after?.slice(head.length) };
}
