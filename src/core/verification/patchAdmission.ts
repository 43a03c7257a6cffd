// What is settled about a patch before anything is run: what it may never do, and what must be weighed when it ran.
import { snapshotOwner } from '../frameworks/testFiles.ts';
import type { Violation } from '../model/fix.ts';
import type { GateContext } from '../policy/checkPolicy.ts';
import type { Weighs } from '../policy/undeclared.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';
import { whatYields, type PolicyAnswer } from './yielding.ts';

export interface PatchAdmission {
  /** Of a patch that is not run. */
  readonly violations: readonly Violation[];
  /** Why nothing can be told of a patch, although it breaks no rule; it is not run. */
  readonly unverifiable?: string;
  /** Files in which the patch says in other words what was there: are their tests in another order? */
  readonly reworded: ReadonlyMap<string, { readonly isReordered: boolean }>;
  /** It is run nevertheless: tests that passed, and notice all the planted bugs that they noticed, allow it. */
  readonly isWeighed?: true;
  /** Evidence is to allow more keys or arguments. */
  readonly givesMore?: boolean;
}

interface PatchGate {
  readonly root: string;
  readonly isTestFile: (file: string) => boolean;
  readonly followed: NonNullable<GateContext['followed']>;
  readonly signal: AbortSignal | undefined;
  /** Can be asked what tests notice? */
  readonly canWeigh: boolean;
}

export async function admitPatch(files: readonly PatchedFile[], gate: PatchGate): Promise<PatchAdmission> {
  const answer = await judge(files, gate, 'nothing');
  const { violations, unread } = answer;
  if (violations.length === 0 && unread === undefined) return clean(await whyOutdated(files, gate));
  const refused = { ...clean(unread), violations };
  const yielding = await whatYields(
    files,
    answer,
    (some, weighs) => judge(some, gate, weighs),
    gate.canWeigh,
  );
  if (yielding === undefined) return refused;
  const { reworded, isWeighed, givesMore } = yielding;
  const outdated = await whyOutdated(files, gate);
  if (!isWeighed) return { ...clean(outdated), reworded };
  return outdated === undefined ? { ...refused, reworded, isWeighed, givesMore } : refused;
}

const clean = (unverifiable: string | undefined): PatchAdmission => ({
  violations: [],
  reworded: new Map(),
  ...(unverifiable !== undefined && { unverifiable }),
});

async function judge(
  files: readonly PatchedFile[],
  { root, isTestFile, followed }: PatchGate,
  weighs: Weighs,
): Promise<PolicyAnswer> {
  const { checkPolicyOfEdits } = await import('../policy/checkPolicy.ts');
  const { readSourceIn } = await import('../policy/readSourceIn.ts');
  const { whyUnjudged } = await import('../policy/unjudged.ts');
  const sourceRenames = files.flatMap(({ from, file }) =>
    from !== undefined && !isTestFile(from)
      ? [
          {
            rule: 'only-test-files',
            file: from,
            line: 1,
            text: `A fix may not move a source file to ${file}.`,
          },
        ]
      : [],
  );
  const readSource = readSourceIn(root);
  const violations = [
    ...sourceRenames,
    ...checkPolicyOfEdits(files, isTestFile, { readSource, followed, isUndeclared: true }),
  ];
  const unread = whyUnjudged(files, { readSource, followed, undeclaredFor: isTestFile, weighs });
  return { violations, unread };
}

/** What the tests run was built of older sources: a pass would say nothing of these. */
async function whyOutdated(
  files: readonly PatchedFile[],
  { root, isTestFile, signal }: PatchGate,
): Promise<string | undefined> {
  const { BuiltCode } = await import('../diagnosis/builtCode.ts');
  const { readSourceChanges } = await import('../diagnosis/sourceChanges.ts');
  const { createImportGraph } = await import('../modules/importGraph.ts');
  const cancel = signal === undefined ? {} : { signal };
  const graph = createImportGraph({ root, ...cancel });
  const former = files.map(({ file, from }) => snapshotOwner(from ?? file) ?? from ?? file);
  const built = await Promise.all(former.map((file) => graph.builtFiles(file)));
  if (built.every(({ length }) => length === 0)) return undefined;
  const changes = await readSourceChanges({ root, isTestFile, graph, ...cancel });
  const found = await new BuiltCode(root, () => graph).notCurrent(former, changes);
  return [...found.values()].find(({ isMissing }) => !isMissing)?.reason;
}
