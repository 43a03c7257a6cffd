// Fixes applied by their ids, also by a process that did not find them: verified, agreed to, and proven against the files as they are.
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import { HumanError } from '../base/humanError.ts';
import type { CycleFix } from '../model/cycle.ts';
import { applyEdit, fileEdit, type FileEdit } from '../model/edit.ts';
import { composeEdits, spanningChange } from '../workspace/composeEdits.ts';
import { readText } from '../workspace/readText.ts';
import { applyAndJudge, type AppliedFixes } from './applyAndJudge.ts';
import { cycleWithFix, fixesIn, isNamed, type StoredCycle } from './cycleStore.ts';
import type { InWorkspace } from './fixWorkspace.ts';

/** Who has to agree before a verified fix is written: nobody (any more), whoever says that the source is right, or a person who sees it. */
export type Agreement = 'none' | 'expectation' | 'person';

const levels: readonly Agreement[] = ['none', 'expectation', 'person'];

export function agreementFor({ state }: Pick<CycleFix, 'state'>): Agreement {
  if (state === 'accepted') return 'none';
  return state === 'unreviewed' ? 'expectation' : 'person';
}

interface FixesToApply extends InWorkspace {
  /** Of fixes of one cycle; at least the first 12 characters of each. */
  readonly ids: readonly string[];
  /** What was agreed to; nothing when absent. */
  readonly agreed?: Agreement;
  /** A pass rate that is enough for the user, percent. */
  readonly target?: number | undefined;
}

/**
 * Writes all of the fixes or none, and judges the workspace as it then is. Throws a HumanError before anything is written: what `findFixes`
 * throws, `usage` for a fix that nobody agreed to, `stale` where one of the files changed that it was proven against, or where it is in
 * its files already.
 */
export async function applyFixes(asked: FixesToApply): Promise<AppliedFixes> {
  const { opened, ids, agreed = 'none', target, signal, onNote } = asked;
  const { root } = opened.workspace;
  const { cycle, fixes, inFiles } = await readyFixes(root, ids, agreed);
  const accepted = await asEditsOfDisk(cycle, fixes, inFiles);
  const rebased = new Map(accepted.map((fix) => [fix.id, fix]));
  const report = { ...cycle.report, fixes: cycle.report.fixes.map((fix) => rebased.get(fix.id) ?? fix) };
  const suite = cycle.suite && new Set(cycle.suite.map((file) => path.join(root, file)));
  return applyAndJudge(
    {
      cycle: report,
      accepted,
      before: cycle.before,
      opened,
      inFiles,
      target,
      ...(suite && { suite }),
      signal,
    },
    onNote,
  );
}

interface ReadyFixes extends FoundFixes {
  /** Which fixes of the cycle are in the files of these already, by file. */
  readonly inFiles: ReadonlyMap<string, readonly string[]>;
}

/** Those that `applyFixes` would write; throws what it throws before it writes. */
export async function readyFixes(
  root: string,
  ids: readonly string[],
  agreed: Agreement = 'person',
): Promise<ReadyFixes> {
  const { cycle, fixes } = await findFixes(root, ids);
  for (const fix of fixes) refuseDisagreed(fix, agreed);
  return { cycle, fixes, inFiles: await lookAt(cycle, fixes) };
}

interface FoundFixes {
  readonly cycle: StoredCycle;
  readonly fixes: readonly CycleFix[];
}

/** Throws a HumanError: `stale` for an id that is not known (any more), `bad-input` for a fix that is not verified. */
export async function findFixes(root: string, ids: readonly string[]): Promise<FoundFixes> {
  const [first = ''] = ids;
  const cycle = first.length < shortestId ? undefined : await cycleWithFix(root, first);
  const fixes = ids.map((id) => {
    const fix = id.length < shortestId ? undefined : cycle?.report.fixes.find((one) => isNamed(one, id));
    if (fix === undefined) throw unknownFix(id, cycle === undefined || id === first);
    if (fix.verdict.verdict !== 'verified')
      throw new HumanError(
        'bad-input',
        `The fix "${fix.title}" is not verified: ${fix.verdict.reason ?? fix.verdict.verdict}`,
        {
          value: id,
          remedy: 'Only verified fixes can be applied. Run a fix cycle again to have it tried anew.',
        },
      );
    return fix;
  });
  if (cycle === undefined) throw unknownFix(first, true);
  return { cycle, fixes: cycle.report.fixes.filter((fix) => fixes.includes(fix)) };
}

const shortestId = 12;

function unknownFix(id: string, isFirst: boolean): HumanError {
  return new HumanError(
    'stale',
    isFirst
      ? `No fix cycle of this folder is known that proposed ${id}.`
      : `The fix ${id} is of another fix cycle than those before it, or of none.`,
    {
      value: id,
      remedy: isFirst
        ? 'Run a fix cycle again, and name a fix from its report.'
        : 'Apply fixes of different cycles one cycle after the other.',
    },
  );
}

/** What can be done where a fix was not agreed to, by whose agreement it needs: each host knows its own way. */
type Remedies = Readonly<Record<Exclude<Agreement, 'none'>, string>>;

/** The refusal of a fix that needs more agreement than it has. */
export function notAgreed(fix: CycleFix, remedies: Remedies): HumanError {
  const isProposal = agreementFor(fix) === 'person';
  return new HumanError(
    'usage',
    isProposal
      ? `The fix "${fix.title}" is a proposal that only a person can apply.`
      : `The fix "${fix.title}" changes what a test expects, and nobody has agreed to that.`,
    { value: fix.id, remedy: isProposal ? remedies.person : remedies.expectation },
  );
}

const plainRemedies: Remedies = {
  expectation: 'Apply it only if the source is right, and say so; else leave the test as it is.',
  person: 'Let a person look at it and apply it.',
};

function refuseDisagreed(fix: CycleFix, agreed: Agreement): void {
  if (levels.indexOf(agreementFor(fix)) > levels.indexOf(agreed)) throw notAgreed(fix, plainRemedies);
}

/** Throws `stale` where a fix cannot be written (any more), as `applyFixes` does. */
export async function lookAt(
  cycle: StoredCycle,
  fixes: readonly CycleFix[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { root, bases } = cycle;
  const inFiles = new Map<string, readonly string[]>();
  for (const fix of fixes) {
    for (const place of cycle.reach[fix.id] ?? []) {
      const [file, hash] = cycle.reached[place] ?? [];
      if (file === undefined) continue;
      const text = await readText(path.join(root, file)).catch(() => undefined);
      // Other fixes of the cycle may lie in it: they stood in the sandbox, too.
      const isSame = text !== undefined && hashText(text) === hash;
      if (!isSame && (await fixesIn(cycle, file, text)) === undefined) throw changed(file, fix);
    }
    for (const { file } of fix.edits) {
      const own =
        file in bases ? await fixesIn(cycle, file, await readText(path.join(root, file))) : undefined;
      if (own === undefined) throw changed(file, fix);
      inFiles.set(file, own);
    }
    if (fix.edits.every(({ file }) => inFiles.get(file)?.includes(fix.id))) throw alreadyApplied(fix);
    const rival = cycle.report.fixes.find(
      (other) =>
        [...inFiles.values()].some((ids) => ids.includes(other.id)) &&
        agreementFor(fix) === 'person' &&
        other.failures.some((id) => fix.failures.includes(id)),
    );
    // Of a deletion and a changed expectation of the same tests only one can stand.
    if (rival !== undefined) throw alreadyApplied(rival);
  }
  return inFiles;
}

/** Edits of files with others of the cycle in them, each made for the text that the one before it leads to. */
async function asEditsOfDisk(
  { root, report, bases }: StoredCycle,
  accepted: readonly CycleFix[],
  inFiles: ReadonlyMap<string, readonly string[]>,
): Promise<readonly CycleFix[]> {
  const kept = report.fixes.filter(({ state }) => state !== 'declined');
  const edits = new Map(accepted.map((fix) => [fix, [...fix.edits]]));
  for (const [file, ids] of inFiles) {
    if (ids.length === 0) continue;
    const base = bases[file] ?? '';
    const inFile = report.fixes.filter(({ id }) => ids.includes(id));
    let before = (await readText(path.join(root, file))) ?? '';
    for (const fix of accepted) {
      if (!fix.edits.some((edit) => edit.file === file)) continue;
      inFile.push(fix);
      const after = await textWith(
        inFile.map((one) => onlyFile(one, file)),
        kept,
        base,
      );
      const others = (edits.get(fix) ?? []).filter((edit) => edit.file !== file);
      edits.set(fix, [...others, fileEdit(file, before, spanningChange(before, after))]);
      before = after;
    }
  }
  return accepted.map((fix) => ({ ...fix, edits: edits.get(fix) ?? fix.edits }));
}

const onlyFile = (fix: CycleFix, file: string): { readonly edits: readonly FileEdit[] } => ({
  edits: fix.edits.filter((edit) => edit.file === file),
});

async function textWith(
  fixes: readonly { readonly edits: readonly FileEdit[] }[],
  kept: readonly CycleFix[],
  base: string,
): Promise<string> {
  const [edit] = await composeEdits({ kept, accepted: fixes, read: async () => base });
  return edit === undefined ? base : applyEdit(edit, base);
}

function changed(file: string, { id, title }: CycleFix): HumanError {
  return new HumanError('stale', `${file} changed after the fix "${title}" was proven.`, {
    file,
    value: id,
    remedy: 'Nothing was changed. Run a fix cycle again: it proves what still fits.',
  });
}

function alreadyApplied({ id, title }: CycleFix): HumanError {
  return new HumanError('stale', `The fix "${title}" is in its files already.`, {
    value: id,
    remedy: 'Nothing was changed. Run the tests to see what they do now.',
  });
}
