// Proposes, for each failing test, to await the calls of what became asynchronous, and to let its callback do so.
import { hashText } from '../../base/hash.ts';
import { changesReaching } from '../../diagnosis/stops.ts';
import { fileEdit, type TextChange } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { parseTree, type SourceTree } from '../../syntax/javascript/sourceTree.ts';
import type { FailingTest, FixContext } from '../fixProvider.ts';
import { unawaitedCall } from '../renameDoubts/unawaitedCall.ts';
import { sourcesOf } from '../renameDoubts/workspaceSources.ts';
import { awaitChanges } from './awaitChanges.ts';
import { asyncCalls } from './asyncCalls.ts';
import { becameAsync, type AsyncFunction } from './becameAsync.ts';

const providerId = 'awaiting';

export async function proposeAwaits(context: FixContext): Promise<readonly Fix[]> {
  const readChanged = createReader(context);
  const trees = new Map<string, SourceTree | undefined>();
  const repairs: Repair[] = [];
  for (const test of context.failing) {
    if (context.signal.aborted) break;
    const { result } = test;
    if (!mayMissAwait(test) || !context.isTestFile(result.file)) continue;
    const { functions, when } = await readChanged(result.file);
    if (functions.length === 0) continue;
    if (!trees.has(result.file)) {
      const text = await context.readText(result.file);
      trees.set(result.file, text === undefined ? undefined : parseTree(result.file, text));
    }
    const tree = trees.get(result.file);
    if (tree === undefined) continue;
    const calls = asyncCalls(tree, result, functions);
    if (calls.length === 0) continue;
    const found = awaitChanges(tree, calls);
    if ('reason' in found) context.refuse?.(result.id, found.reason);
    else if (found.changes.length > 0) repairs.push({ result, tree, when, ...found });
  }
  return joined(repairs).map(toFix);
}

/** A promise has been looked at as if it were its value, or nobody heard of its rejection. */
function mayMissAwait({ result: { failure } }: FailingTest): boolean {
  return failure !== undefined && !['load', 'empty', 'crash', 'timeout'].includes(failure.kind);
}

interface Changed {
  readonly functions: readonly AsyncFunction[];
  readonly when: string;
}

function createReader(context: FixContext): (testFile: string) => Promise<Changed> {
  const sources = new Map<string, Promise<readonly AsyncFunction[]>>();
  const everywhere = sourcesOf(context);
  const judged = async (one: AsyncFunction): Promise<AsyncFunction> => {
    const misuse = await unawaitedCall(one, everywhere);
    return misuse === undefined ? one : { ...one, misuse };
  };
  const files = new Map<string, Promise<Changed>>();
  const read = async (testFile: string): Promise<Changed> => {
    const { reaching, when, base } = await changesReaching(testFile, context.changes);
    const functions: AsyncFunction[] = [];
    for (const { file, from, status } of reaching) {
      if (!/\.[cm]?[jt]sx?$/.test(file) || status === 'added' || status === 'deleted') continue;
      const source =
        sources.get(file) ??
        Promise.all([base.baseText(from ?? file), context.readText(file)]).then(([before, now]) =>
          before === undefined || now === undefined || before.length + now.length > 2_000_000
            ? []
            : Promise.all(becameAsync(parseTree(file, before), parseTree(file, now)).map(judged)),
        );
      sources.set(file, source);
      functions.push(...(await source));
    }
    return { functions, when };
  };
  return (testFile) => {
    const known = files.get(testFile) ?? read(testFile);
    files.set(testFile, known);
    return known;
  };
}

interface Repair {
  readonly result: TestResult;
  readonly tree: SourceTree;
  readonly when: string;
  readonly changes: readonly TextChange[];
  readonly functions: readonly AsyncFunction[];
  /** What the tests share, as a hook: whoever needs the same change belongs together. */
  readonly isShared: boolean;
}

/** Tests whose changes meet in one place get them together; the others stay single, and are asked about as a group. */
function joined(repairs: readonly Repair[]): readonly (readonly Repair[])[] {
  const groups: Repair[][] = [];
  for (const repair of repairs) {
    const group = groups.find(
      ([first]) => repair.isShared && first?.isShared === true && first.tree === repair.tree,
    );
    if (group === undefined) groups.push([repair]);
    else group.push(repair);
  }
  return groups;
}

function toFix(repairs: readonly Repair[]): Fix {
  const byFile = new Map<string, { readonly text: string; readonly changes: Map<string, TextChange> }>();
  for (const { tree, changes } of repairs) {
    const file = byFile.get(tree.file) ?? { text: tree.text, changes: new Map<string, TextChange>() };
    byFile.set(tree.file, file);
    for (const change of changes) file.changes.set(JSON.stringify(change), change);
  }
  const edits = [...byFile].map(([file, { text, changes }]) => fileEdit(file, text, [...changes.values()]));
  const functions = new Map(
    repairs.flatMap((repair) =>
      repair.functions.map((one) => [nameOf(one), { one, when: repair.when }] as const),
    ),
  );
  const names = [...functions.keys()].map((name) => `${name}()`);
  return {
    id: hashText(JSON.stringify([providerId, edits])),
    title: `await ${names[0] ?? 'a call'}${names.length > 1 ? ` and ${names.length - 1} more` : ''}`,
    grade: 'conservative',
    trust: [...functions.values()].some(({ one }) => one.misuse !== undefined) ? 'propose' : 'mechanical',
    edits,
    failures: repairs.map(({ result }) => result.id),
    provider: providerId,
    origin: { outdated: 'does not await a call that became asynchronous', addsWait: true },
    confidence: 0.9,
    evidence: [...functions].flatMap(([name, { one, when }]) => [
      `${name}() in ${one.file} became asynchronous ${when}: it now returns a promise.`,
      ...(one.misuse === undefined ? [] : [one.misuse]),
    ]),
  };
}

const nameOf = ({ owner, name }: AsyncFunction): string => (owner === undefined ? name : `${owner}.${name}`);
