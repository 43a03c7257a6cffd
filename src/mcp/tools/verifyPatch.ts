// `verify_patch`: judges the agent's own patch of test files, in words that say what to change.
import { z } from 'zod';
import { verifyJson, verifyWorkspace } from '../../core/engine/verifyWorkspace.ts';
import type { VerifyJson } from '../../core/engine/documentSchemas.ts';
import { openAt, rootNamed } from '../allowedRoots.ts';
import { rootArgument, verdictKindSchema } from '../argumentSchemas.ts';
import { cut } from '../pages.ts';
import { tool } from '../tool.ts';

const strengthSeconds = { off: 0, quick: 4, thorough: 60 } as const;
const most = 20;

export const verifyPatch = tool({
  name: 'verify_patch',
  title: 'Verify a patch',
  about:
    'Judges your own patch of test files before you write it: does it weaken a test, do the tests pass in a copy, do they notice as many planted bugs as before, which expectations does it change? Writes nothing.',
  readOnly: true,
  idempotent: true,
  input: z.strictObject({
    patch: z.string().min(1).max(1_000_000).describe('A unified diff, with paths relative to the root.'),
    strength: z
      .enum(['off', 'quick', 'thorough'])
      .optional()
      .describe('How long planted bugs are tried (quick).'),
    ...rootArgument,
  }),
  output: z.object({
    verdict: z.enum(['verified', 'rejected', 'unverifiable']),
    kind: verdictKindSchema,
    reason: z.string().optional(),
    whatToChange: z.array(z.string()),
    violations: z.array(z.object({ rule: z.string(), place: z.string(), text: z.string() })),
    expectations: z
      .array(z.object({ place: z.string(), old: z.string(), new: z.string() }))
      .describe('Changed expectations: a person must approve them.'),
    changes: z
      .array(z.object({ kind: z.string(), place: z.string(), old: z.string(), new: z.string() }))
      .describe('All that the patch changes besides expectations, piece by piece.'),
    runs: z.number().int(),
    scope: z.string(),
    changedTests: z.array(z.object({ id: z.string(), before: z.string(), after: z.string() })),
    sameTests: z.number().int(),
    lostBugs: z
      .array(z.string())
      .describe('Planted bugs that the tests noticed before the patch and do not notice with it.'),
    notes: z.array(z.string()),
  }),
  run: async ({ patch, strength = 'quick', root: name }, { settings, signal, progress }) => {
    const opened = await openAt(rootNamed(settings, name), settings, signal);
    const notes: string[] = [];
    progress('trying the patch in a copy');
    const verdict = verifyJson(
      await verifyWorkspace({
        patch,
        opened,
        inPlace: false,
        strengthSeconds: strengthSeconds[strength],
        signal,
        onNote: (note) => notes.push(note),
        onSandboxNote: (note) => notes.push(note),
      }),
    );
    const changed = verdict.tests.filter(({ before, after }) => before !== after);
    return {
      verdict: verdict.verdict,
      ...(verdict.kind !== undefined && { kind: verdict.kind }),
      ...(verdict.reason !== undefined && { reason: cut(verdict.reason) }),
      whatToChange: whatToChange(verdict),
      violations: verdict.violations
        .slice(0, most)
        .map(({ rule, file, line, text }) => ({ rule, place: `${file}:${line}`, text: cut(text, 500) })),
      expectations: verdict.expectations.slice(0, most).map(({ file, line, old, new: now }) => ({
        place: `${file}:${line}`,
        old: cut(old, 500),
        new: cut(now, 500),
      })),
      changes: verdict.changes
        .filter(({ kind }) => kind !== 'expectation')
        .slice(0, most)
        .map(({ kind, file, line, old, new: now }) => ({
          kind,
          place: `${file}:${line}`,
          old: cut(old, 200),
          new: cut(now, 200),
        })),
      runs: verdict.runs,
      scope: verdict.scope,
      changedTests: changed
        .slice(0, most)
        .map(({ id, before = 'new', after = 'gone' }) => ({ id, before, after })),
      sameTests: verdict.tests.length - changed.length,
      lostBugs: lostBugs(verdict).slice(0, most),
      notes: notes.slice(0, 10),
    };
  },
});

function whatToChange(verdict: VerifyJson): string[] {
  const { violations, expectations, tests } = verdict;
  const failing = tests.filter(({ after }) => after === 'failed' || after === 'errored');
  const gone = tests.filter(({ after }) => after === undefined);
  const asked = expectations.length > 0 ? ['Have a person approve the changed expectations.'] : [];
  if (verdict.verdict === 'verified') return asked;
  return [
    ...new Set(violations.map(({ rule, file, line }) => `Take back ${rule} at ${file}:${line}.`)),
    ...failing.slice(0, most).map(({ id }) => `Make ${id} pass, or leave it as it was.`),
    ...gone.slice(0, most).map(({ id }) => `Keep ${id}.`),
    ...lostBugs(verdict)
      .slice(0, most)
      .map((bug) => `Assert again what notices ${bug}.`),
    ...asked,
    ...(verdict.reason === undefined ? [] : [cut(verdict.reason, 500)]),
  ].slice(0, most);
}

const lostBugs = ({ strength }: VerifyJson): string[] =>
  (strength?.lost ?? []).map(({ file, line, from, to }) => `${from} → ${to} at ${file}:${line}`);
