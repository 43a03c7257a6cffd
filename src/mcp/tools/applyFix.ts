// `apply_fix`: writes one verified fix by its handle, if the files are as it was proven against them and whoever has to agree did.
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import {
  agreementFor,
  applyFixes,
  notAgreed,
  readyFixes,
  type Agreement,
} from '../../core/engine/applyFixes.ts';
import type { CycleFix } from '../../core/model/cycle.ts';
import { plainLine, plainText } from '../../core/reports/paint.ts';
import { openAt, rootNamed } from '../allowedRoots.ts';
import { rootArgument } from '../argumentSchemas.ts';
import { fixAnswer, fixAnswerSchema, onDisk, onDiskSchema } from '../cycleAnswers.ts';
import { cut } from '../pages.ts';
import { Question, tool, type Person } from '../tool.ts';
import { appliedOf } from './fixCycles.ts';

const accepted = {
  nobody: 'not needed',
  person: 'accepted by person',
  agent: 'accepted by agent',
} as const;

export const applyFix = tool({
  name: 'apply_fix',
  title: 'Apply a fix',
  about:
    'Writes a verified fix of propose_fixes, by its fixId alone; refused when its files changed since. Only shows it unless dry_run is false. A changed expectation asks the person; where none can be asked, accept_expectation says that you checked that the source is right.',
  readOnly: false,
  destructive: true,
  input: z.strictObject({
    fixId: z.string().regex(/^[0-9a-f]{12,40}$/, 'take it from propose_fixes'),
    dry_run: z.boolean().optional().describe('true when left out.'),
    accept_expectation: z.boolean().optional(),
    ...rootArgument,
  }),
  output: z.object({
    applied: z.boolean(),
    accepted: z.enum([accepted.nobody, accepted.person, accepted.agent]).optional(),
    fix: fixAnswerSchema,
    onDisk: onDiskSchema.optional(),
    notes: z.array(z.string()),
    next: z.string(),
  }),
  run: async ({ fixId, dry_run: isDry = true, accept_expectation: isByAgent = false, root: name }, call) => {
    const { settings, signal, person } = call;
    const root = rootNamed(settings, name);
    const { fixes, cycle } = await readyFixes(root, [fixId]);
    const [fix] = fixes;
    if (fix === undefined) throw new Error('a fix that was found is there');
    const shown = fixAnswer(fix, cycle.report.remaining);
    if (isDry)
      return { applied: false, fix: shown, notes: [], next: 'Call it with dry_run false to write the fix.' };
    const agreed = agreementOf(fix, person, isByAgent);
    if (agreed instanceof Question) return agreed;
    const notes: string[] = [];
    const opened = await openAt(root, settings, signal);
    call.progress('applying and judging on disk');
    const { outcome, unwritten } = await applyFixes({
      opened,
      ids: [fix.id],
      agreed: agreed.level,
      signal,
      onNote: (note) => notes.push(note),
    });
    if (unwritten !== undefined) throw unwritten.error;
    const { fixes: judged, notes: said } = outcome.report;
    const isThere = appliedOf(judged, [fix.id]).length > 0;
    return {
      applied: isThere,
      accepted: agreed.by,
      fix: shown,
      onDisk: onDisk(outcome.report),
      notes: [...notes, ...said].slice(0, 10),
      next: isThere
        ? 'Call run_failed for what is left.'
        : 'It was taken back: its tests do not pass on disk.',
    };
  },
});

interface Agreed {
  readonly level: Agreement;
  readonly by: (typeof accepted)[keyof typeof accepted];
}

/** INTERFACES, Trust: an agent speaks for a changed expectation only where there is nobody to ask, and never for a proposal. */
function agreementOf(fix: CycleFix, person: Person, isByAgent: boolean): Agreed | Question {
  const level = agreementFor(fix);
  if (level === 'none') return { level, by: accepted.nobody };
  if (person.isThere) {
    const key = `apply-${fix.id}`;
    const answer = person.answer(key);
    if (answer === undefined) return new Question(key, questionOf(fix));
    if (answer === 'accept') return { level, by: accepted.person };
    throw new HumanError('cancelled', 'The person did not agree, so nothing was applied.', {
      value: fix.id,
      remedy: 'Leave the test as it is: the source may be wrong.',
    });
  }
  if (level === 'expectation' && isByAgent) return { level, by: accepted.agent };
  throw notAgreed(fix, {
    expectation: 'Check that the source is right; only then call it with accept_expectation true.',
    person: 'Show it to a person, who can apply it with testmend fix --apply.',
  });
}

function questionOf({ title, expectation, edits, diff }: CycleFix): string {
  const files = [...new Set(edits.map(({ file }) => plainLine(file)))].join(', ');
  const change =
    expectation === undefined
      ? plainText(cut(diff))
      : `The test expected: ${plainLine(cut(expectation.old, 500))}\nIt will expect: ${plainLine(cut(expectation.new, 500))}`;
  return `An agent wants to apply "${plainLine(title)}" in ${files}.\n${change}\nApply it only if the source is right.`;
}
