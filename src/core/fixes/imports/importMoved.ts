// Follows modules and exports that were moved or renamed: rewrites the imports of the tests, never the source.
import path from 'node:path';
import type ts from 'typescript';
import { hashText } from '../../base/hash.ts';
import { throwIfCancelled } from '../../base/humanError.ts';
import { toRelativePosix } from '../../base/paths.ts';
import { namesLacked } from '../../diagnosis/reachedChange.ts';
import type { SourceChanges } from '../../diagnosis/sourceChanges.ts';
import { fileEdit, type FileEdit } from '../../model/edit.ts';
import type { Fix } from '../../model/fix.ts';
import type { TestResult } from '../../model/testResult.ts';
import { createImportGraph, loadTypescript } from '../../modules/importGraph.ts';
import type { FixContext, FixProvider } from '../fixProvider.ts';
import { createStaleImports } from '../renameDoubts/staleImport.ts';
import { sourcesOf } from '../renameDoubts/workspaceSources.ts';
import { createCallerReader } from './callers.ts';
import { createSuccessionReader } from './exportSuccession.ts';
import { createExportReader } from './moduleExports.ts';
import { repairFile, type FileRepair, type RepairRequest } from './repairFile.ts';
import { createRevisions } from './revisions.ts';
import { reachedBy, testsHitBy } from './testsHit.ts';

export const importMoved: FixProvider = {
  id: 'imports',
  description:
    'Follows a module or an export that was moved or renamed since the last commit and rewrites the imports of the tests.',
  propose,
};

type Readers = Omit<RepairRequest, 'file' | 'text'>;

async function propose(context: FixContext): Promise<readonly Fix[]> {
  const failing = new Map<string, TestResult[]>();
  for (const { result } of context.failing) {
    if (!context.isTestFile(result.file)) continue;
    const known = failing.get(result.file);
    if (known) known.push(result);
    else failing.set(result.file, [result]);
  }
  if (failing.size === 0 || context.changes.unavailable !== undefined) return [];
  const typescript = await loadTypescript();
  const graph = createImportGraph({ root: context.root, signal: context.signal });
  const mender = createMender(typescript, context);
  const groups = new Groups();
  const captured = new Map(context.failing.map((test) => [test.result.id, test.captured]));
  for (const [file, results] of failing) {
    throwIfCancelled(context.signal);
    const own = await mender(file);
    const reached = [...(await graph.reaches(file))].filter(
      (other) => other !== file && context.isTestFile(other) && /\.[mc]?[jt]sx?$/.test(other),
    );
    const helpers = (await Promise.all(reached.map(mender))).filter((one) => one !== undefined);
    const repairs = [...(own ? [own] : []), ...helpers].filter((one) => one.changes.length > 0);
    const hit = repairs.length === 0 ? [] : testsHitBy(typescript, own, helpers, results);
    if (hit.length > 0) groups.add(repairs, hit);
    for (const result of results) {
      const change = own && reachedBy(typescript, own, { result, captured: captured.get(result.id) ?? [] });
      if (change) context.reach?.(result.id, change);
    }
    const refusals = [own, ...helpers].flatMap((one) => one?.refusals ?? []);
    for (const result of results) {
      const reason = refusals.find((one) => isAbout(one, result)) ?? refusals[0];
      if (reason !== undefined && !hit.includes(result) && looksBroken(result))
        context.refuse?.(result.id, reason);
    }
  }
  return groups.all().map(({ repairs, tests }) => toFix(context.root, repairs, tests));
}

/** Repairs a file by the changes since the last commit; what these do not explain, by the commit before. */
function createMender(
  typescript: typeof ts,
  context: FixContext,
): (file: string) => Promise<FileRepair | undefined> {
  const sources = sourcesOf(context);
  const lacked = new Set(context.failing.flatMap(({ result }) => namesLacked(result.failure?.message ?? '')));
  const readersOf = async (changes: SourceChanges, when: string): Promise<Readers> => {
    const revisions = await createRevisions(typescript, context.root, changes, when);
    const isTestFile = (file: string): boolean => context.isTestFile(toRelativePosix(context.root, file));
    const exportsNow = createExportReader(typescript, revisions.now);
    const exportsBefore = createExportReader(typescript, revisions.before);
    return {
      typescript,
      revisions,
      exportsNow,
      exportsBefore,
      isTestFile,
      lacked,
      replacedByCallers: createCallerReader(typescript, revisions, isTestFile),
      readSuccession: createSuccessionReader({ revisions, exportsNow, exportsBefore, isTestFile }),
      leftBehind: createStaleImports(typescript, revisions, exportsNow, sources),
    };
  };
  const recent = readersOf(context.changes, 'since the last commit');
  let older: Promise<Readers | undefined> | undefined;
  const known = new Map<string, Promise<FileRepair | undefined>>();
  const mend = async (file: string): Promise<FileRepair | undefined> => {
    const text = await context.readText(file);
    if (text === undefined) return undefined;
    const at = { file: path.join(context.root, file), text };
    const first = await repairFile({ ...(await recent), ...at });
    if (first.refusals.length === 0 && !first.hasUnseen) return first;
    older ??= (async () => {
      const changes = await context.changes.sincePreviousCommit?.();
      return changes && readersOf(changes, 'since the commit before the last');
    })();
    const readers = await older;
    const second = readers && (await repairFile({ ...readers, ...at }));
    if (!second || second.refusals.length > first.refusals.length) return first;
    const tellsMore = second.refusals.length < first.refusals.length || first.changes.length === 0;
    return second.changes.length > 0 && tellsMore ? second : first;
  };
  return (file) => {
    const repair = known.get(file) ?? mend(file);
    known.set(file, repair);
    return repair;
  };
}

const looksBroken = (result: TestResult): boolean =>
  result.failure?.kind === 'load' || result.failure?.kind === 'error';

/** Does the failure name what the refusal begins with? */
function isAbout(refusal: string, { failure }: TestResult): boolean {
  const [name = ''] = refusal.split(' ');
  return /^[\w$]+$/.test(name) && (failure?.message ?? '').split(/[^\w$]+/).includes(name);
}

interface Group {
  readonly repairs: Set<FileRepair>;
  readonly tests: Set<TestResult>;
}

/** Repairs that share a file belong to one fix: a helper is edited once, for all tests that need it. */
class Groups {
  #groups: Group[] = [];

  add(repairs: readonly FileRepair[], tests: readonly TestResult[]): void {
    const joined: Group = { repairs: new Set(repairs), tests: new Set(tests) };
    this.#groups = this.#groups.filter((group) => {
      if (!repairs.some((repair) => group.repairs.has(repair))) return true;
      for (const repair of group.repairs) joined.repairs.add(repair);
      for (const test of group.tests) joined.tests.add(test);
      return false;
    });
    this.#groups.push(joined);
  }

  all(): readonly Group[] {
    return this.#groups;
  }
}

function toFix(root: string, repairs: ReadonlySet<FileRepair>, tests: ReadonlySet<TestResult>): Fix {
  const all = [...repairs];
  const edits: FileEdit[] = all.map((repair) =>
    fileEdit(toRelativePosix(root, repair.file), repair.text, repair.changes),
  );
  const titles = [...new Set(all.flatMap((repair) => repair.titles))];
  const count = edits.reduce((sum, edit) => sum + edit.changes.length, 0);
  return {
    id: hashText(`imports ${JSON.stringify(edits)}`).slice(0, 16),
    title: `${titles[0] ?? 'mend imports'}${titles.length > 1 ? ` and ${titles.length - 1} more` : ''}`,
    grade: count === 1 ? 'surgical' : 'conservative',
    trust: all.some(({ isDoubtful }) => isDoubtful) ? 'propose' : 'mechanical',
    edits,
    failures: [...tests].map((test) => test.id),
    provider: importMoved.id,
    origin: { outdated: 'imports something that has moved' },
    confidence: Math.min(...all.map((repair) => repair.confidence)),
    evidence: [...new Set(all.flatMap((repair) => repair.evidence))],
  };
}
