// What is settled about a patch before anything is run: what it may never do, and what must be weighed when it ran.
import { snapshotOwner } from '../frameworks/testFiles.ts';
import type { Violation } from '../model/fix.ts';
import type { GateContext } from '../policy/checkPolicy.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';

export interface PatchAdmission {
  /** Of a patch that is not run. */
  readonly violations: readonly Violation[];
  /** Why nothing can be told of a patch, although it breaks no rule; it is not run. */
  readonly unverifiable?: string;
  /** Files in which the patch says in other words what was there: are their tests in another order? */
  readonly reworded: ReadonlyMap<string, { readonly isReordered: boolean }>;
  /** It is run nevertheless: tests that passed, and notice all the planted bugs that they noticed, allow it. */
  readonly isWeighed?: true;
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
  const [violations, unread] = await judge(files, gate);
  if (violations.length === 0 && unread === undefined) return clean(await whyOutdated(files, gate));
  const { answerOf } = await import('../policy/gateTable.ts');
  const refused = { ...clean(unread), violations };
  if (violations.some(({ rule }) => answerOf(rule) === 'forbidden')) return refused;
  const { plainForm } = await import('../policy/plainForm.ts');
  const forms = files.map((file) => (file.from === undefined ? plainForm(file) : undefined));
  const reworded = new Map(forms.flatMap((form) => (form === undefined ? [] : [[form.file, form] as const])));
  const plain = files.map((file): PatchedFile => {
    const form = reworded.get(file.file);
    return form === undefined ? file : { ...file, before: form.before, after: form.after };
  });
  const [left, open] = await judge(plain, gate);
  if (left.length > 0 || open !== undefined) {
    if (!gate.canWeigh || left.some(({ rule }) => answerOf(rule) !== 'weighed')) return refused;
    if ((await whyUnread(plain, gate, true)) !== undefined || (await whyOutdated(files, gate)) !== undefined)
      return refused;
    return { ...refused, reworded, isWeighed: true };
  }
  return { ...clean(await whyOutdated(files, gate)), reworded };
}

const clean = (unverifiable: string | undefined): PatchAdmission => ({
  violations: [],
  reworded: new Map(),
  ...(unverifiable !== undefined && { unverifiable }),
});

/** The rules that are broken, and why the rest proves nothing. */
async function judge(
  files: readonly PatchedFile[],
  gate: PatchGate,
): Promise<readonly [violations: readonly Violation[], unread: string | undefined]> {
  const { root, isTestFile, followed } = gate;
  const { checkPolicyOfEdits } = await import('../policy/checkPolicy.ts');
  const { readSourceIn } = await import('../policy/readSourceIn.ts');
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
  return [violations, await whyUnread(files, gate, false)];
}

async function whyUnread(
  files: readonly PatchedFile[],
  { root, isTestFile, followed }: PatchGate,
  weighs: boolean,
): Promise<string | undefined> {
  const { whyUnjudged } = await import('../policy/unjudged.ts');
  const { readSourceIn } = await import('../policy/readSourceIn.ts');
  return whyUnjudged(files, { readSource: readSourceIn(root), followed, undeclaredFor: isTestFile, weighs });
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
