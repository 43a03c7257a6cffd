// Which tests a patch of test files can change: its own, those that depend on them or read them, and all that share a process with one.
import path from 'node:path';
import { toRelativePosix } from '../base/paths.ts';
import { snapshotOwner } from '../frameworks/testFiles.ts';
import { DependencyGraph } from '../modules/dependencyGraph.ts';
import { readOr } from '../modules/liveView.ts';
import { affectedBy } from '../run/affectedBy.ts';
import { graphRoots } from '../run/graphRoots.ts';
import type { PatchedFile } from '../workspace/unifiedDiff.ts';
import type { VerificationRequest } from './openVerification.ts';

export interface PatchScope {
  /** file: the patched test files alone · affected: others that depend on them or read them, too · suite: all. */
  readonly scope: 'file' | 'affected' | 'suite';
  /** Test files relative to the root, under their names before the patch; for `suite` unused. */
  readonly files: readonly string[];
  /** Test files that share a process with one of them and are not among them: each can change what the other one does. */
  readonly company: readonly string[];
  /** Are the files and their company all there are? */
  readonly isAll: boolean;
}

/** The suite where the patch reaches further than into test files and snapshots (helpers, fixtures, new files). */
export async function patchScope(
  files: readonly PatchedFile[],
  request: Pick<VerificationRequest, 'workspace' | 'projects' | 'frameworks' | 'isTestFile' | 'signal'>,
): Promise<PatchScope> {
  const { root } = request.workspace;
  const { listed, shared } = await listTests(request);
  const own = new Set<string>();
  for (const { file, from } of files) {
    const former = snapshotOwner(file) ?? from ?? file;
    if (!listed.has(former)) return { scope: 'suite', files: [], company: [], isAll: true };
    own.add(former);
  }
  const testFiles = [...listed];
  const cancel = request.signal === undefined ? {} : { signal: request.signal };
  const graph = new DependencyGraph(root);
  await graph.update(graphRoots(root, testFiles), cancel);
  const changed = files.flatMap(({ file, from }) => [file, ...(from === undefined ? [] : [from])]);
  const affected = await affectedBy({ root, graph, testFiles, changed, ...cancel });
  const readers = readersOf([...changed, ...own], graph.files(), request);
  const reached = new Set([...own, ...affected.files, ...graph.dependents(readers)]);
  const inScope = testFiles.filter((file) => reached.has(file));
  const beside = new Set(
    shared.filter((group) => inScope.some((file) => group.has(file))).flatMap((group) => [...group]),
  );
  const company = testFiles.filter((file) => beside.has(file) && !reached.has(file));
  return {
    scope: inScope.length === own.size ? 'file' : 'affected',
    files: inScope,
    company,
    isAll: inScope.length + company.length === testFiles.length,
  };
}

interface Tests {
  readonly listed: ReadonlySet<string>;
  /** The files of each process that several share. */
  readonly shared: readonly ReadonlySet<string>[];
}

async function listTests({
  workspace,
  projects,
  frameworks,
  signal,
}: Pick<VerificationRequest, 'workspace' | 'projects' | 'frameworks' | 'signal'>): Promise<Tests> {
  const listed = new Set<string>();
  const shared: ReadonlySet<string>[] = [];
  for (const project of projects) {
    const framework = frameworks(project.framework);
    const found = await framework.listTestFiles(project, signal);
    const files = found.map(({ file }) => toRelativePosix(workspace.root, file));
    for (const file of files) listed.add(file);
    if (framework.sharesProcess) shared.push(new Set(files));
  }
  return { listed, shared };
}

/** Whose text names one of the files, and tests that list folders: what they find there may be one of these. */
function readersOf(
  files: readonly string[],
  known: readonly string[],
  { workspace, isTestFile }: Pick<VerificationRequest, 'workspace' | 'isTestFile'>,
): readonly string[] {
  const names = [...new Set(files.map((file) => path.posix.basename(file)))];
  return known.filter((file) => {
    const text = readOr(path.join(workspace.root, file)) ?? '';
    return names.some((name) => text.includes(name)) || (isTestFile(file) && listsFolders.test(text));
  });
}

const listsFolders =
  /\b(?:readdir\w*|opendir\w*|glob\w*|rglob|listdir|scandir|iterdir|walk|ReadDir|WalkDir|Walk|Glob)\s*\(/;
