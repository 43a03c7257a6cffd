// `propose_fixes`, `run_fix_cycle` and `diagnose_failure`: one fix cycle in a copy, asked for and told in three ways.
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import { applyFixes } from '../../core/engine/applyFixes.ts';
import { idAsked } from '../../core/engine/discretion.ts';
import { fileOfId } from '../../core/model/testId.ts';
import { rootNamed } from '../allowedRoots.ts';
import { filesSchema, placesIn, rootArgument, testIdSchema } from '../argumentSchemas.ts';
import {
  cycleAnswer,
  cycleAnswerSchema,
  fixAnswer,
  fixAnswerSchema,
  onDisk,
  onDiskSchema,
} from '../cycleAnswers.ts';
import { cut } from '../pages.ts';
import { reviewAddress } from '../reviewPage.ts';
import { runCycle } from '../runCycle.ts';
import { tool } from '../tool.ts';

const idsSchema = z.array(testIdSchema).max(500);

export const proposeFixes = tool({
  name: 'propose_fixes',
  title: 'Propose fixes',
  about:
    'Finds fixes for failing tests and proves each in a copy of the repository. Writes nothing: apply_fix takes a verified fixId. Only tests are changed, never sources.',
  page: reviewAddress,
  readOnly: true,
  input: z.strictObject({
    files: filesSchema.optional().describe('Test files or folders, relative to the root; all when left out.'),
    test_ids: idsSchema.optional().describe('Failing tests; their files are looked at.'),
    ...rootArgument,
  }),
  output: cycleAnswerSchema,
  run: async ({ files = [], test_ids: ids = [], root: name }, call) => {
    const root = rootNamed(call.settings, name);
    const asked = placesIn(root, [...new Set([...files, ...ids.map(fileOf)])]);
    return cycleAnswer((await runCycle(root, { files: asked }, call)).report);
  },
});

export const runFixCycle = tool({
  name: 'run_fix_cycle',
  title: 'Run a fix cycle',
  about:
    'Runs tests, mends what it can in a copy, and runs them again until the target is reached or nothing helps. Writes nothing, or with apply the verified fixes that change no expectation.',
  page: reviewAddress,
  readOnly: false,
  destructive: true,
  input: z.strictObject({
    files: filesSchema.optional(),
    strategy: z.enum(['auto', 'conservative', 'aggressive', 'surgical']).optional(),
    preset: z.enum(['tester', 'qa']).optional(),
    layer: z.enum(['L1', 'L2', 'L3']).optional(),
    max_iterations: z.number().int().min(1).max(50).optional(),
    target_pass_rate: z.number().min(0).max(100).optional(),
    max_seconds: z.number().min(1).max(86_400).optional(),
    apply: z.boolean().optional().describe('false when left out.'),
    ...rootArgument,
  }),
  output: cycleAnswerSchema.extend({
    applied: z.array(z.string()).describe('Ids of the fixes that are in their files now.'),
    onDisk: onDiskSchema
      .optional()
      .describe('What the tests do in the workspace, once something was written.'),
  }),
  run: async (input, call) => {
    const { files = [], strategy, preset, layer, apply = false, root: name } = input;
    const {
      max_iterations: maxIterations,
      target_pass_rate: targetPassRate,
      max_seconds: maxSeconds,
    } = input;
    const root = rootNamed(call.settings, name);
    const asked = {
      files: placesIn(root, files),
      strategy,
      preset,
      layer,
      maxIterations,
      targetPassRate,
      maxSeconds,
    };
    const { opened, report } = await runCycle(root, asked, call);
    const ids = report.fixes
      .filter(({ state, verdict }) => state === 'accepted' && verdict.verdict === 'verified')
      .map(({ id }) => id);
    if (!apply || ids.length === 0) return { ...cycleAnswer(report), applied: [] };
    call.progress('applying and judging on disk');
    const notes: string[] = [];
    const { outcome, unwritten } = await applyFixes({
      opened,
      ids,
      signal: call.signal,
      onNote: (note) => notes.push(note),
    });
    if (unwritten !== undefined) throw unwritten.error;
    const answer = cycleAnswer({ ...report, notes: [...notes, ...report.notes, ...outcome.report.notes] });
    return {
      ...answer,
      applied: appliedOf(outcome.report.fixes, ids),
      onDisk: onDisk(outcome.report),
    };
  },
});

/** Those that were written and not taken back. */
export function appliedOf(
  fixes: readonly { readonly id: string; readonly verdict: { readonly verdict: string } }[],
  ids: readonly string[],
): string[] {
  return fixes
    .filter(({ id, verdict }) => ids.includes(id) && verdict.verdict === 'verified')
    .map(({ id }) => id);
}

export const diagnoseFailure = tool({
  name: 'diagnose_failure',
  title: 'Diagnose a failure',
  about:
    'Runs the file of a failing test in a copy and tells who is at fault (test, source, environment, flaky or unknown) and why: recorded values, source changes that reach the test, fixes with their verdicts.',
  readOnly: true,
  input: z.strictObject({ test_id: testIdSchema, ...rootArgument }),
  output: z.object({
    id: z.string(),
    cycleId: z.string().optional(),
    fault: z.enum(['test', 'source', 'environment', 'flaky', 'unknown']),
    reason: z.string(),
    message: z.string().optional(),
    severity: z.string().optional(),
    test: z.object({ file: z.string(), line: z.number().int(), text: z.string() }).optional(),
    values: z.array(z.object({ matcher: z.string(), expected: z.string(), actual: z.string() })),
    sourceChanges: z.array(z.object({ place: z.string(), text: z.string() })),
    refusals: z.array(z.string()).describe('Why fixers proposed nothing.'),
    fixes: z.array(fixAnswerSchema),
  }),
  run: async ({ test_id: asked, root: name }, call) => {
    const root = rootNamed(call.settings, name);
    const { report } = await runCycle(root, { files: placesIn(root, [fileOf(asked)]) }, call);
    const ids = [...report.remaining.map((one) => one.id), ...report.fixes.flatMap((fix) => fix.failures)];
    const known = await idAsked(
      asked,
      ids.map((one) => ({ id: one })),
      root,
    );
    const id = known ?? asked;
    const left = report.remaining.find((one) => one.id === id);
    const fixes = report.fixes
      .filter(({ failures }) => failures.includes(id))
      .map((fix) => fixAnswer(fix, report.remaining));
    const [first] = fixes;
    if (left === undefined && first === undefined)
      throw new HumanError('stale', 'No such test failed just now.', {
        value: id.slice(0, 200),
        remedy: 'It passes, or has another id by now: run_tests tells.',
      });
    const { fault, reason } = left ?? first?.cause ?? {};
    const { test, values = [], sourceChanges = [], refusals = [] } = left?.handOver ?? {};
    return {
      id,
      ...(report.cycleId !== undefined && { cycleId: report.cycleId }),
      fault: faultSchema.parse(fault),
      reason: reason ?? '',
      ...(left && { message: cut(left.message), severity: left.severity }),
      ...(test && { test: { ...test, text: cut(test.text) } }),
      values: values.slice(0, 5).map(({ matcher, expected = '', actual = '' }) => ({
        matcher,
        expected: cut(expected),
        actual: cut(actual),
      })),
      sourceChanges: sourceChanges
        .slice(0, 5)
        .map(({ file, line, text }) => ({ place: `${file}:${line}`, text: cut(text, 500) })),
      refusals: refusals.slice(0, 5),
      fixes,
    };
  },
});

const faultSchema = z.enum(['test', 'source', 'environment', 'flaky', 'unknown']);

function fileOf(id: string): string {
  const file = fileOfId(id);
  if (file !== undefined && file !== '') return file;
  throw new HumanError('bad-input', 'That is no id of a test.', {
    value: id.slice(0, 200),
    remedy: 'Take ids from list_tests or run_tests.',
  });
}
