// Failing tests of which nothing can be learnt as things are: a merge is not resolved, what they run was not built, or they lie elsewhere.
import path from 'node:path';
import { leadsOutside } from '../base/paths.ts';
import { conflictLine, unmergedFiles } from '../diagnosis/conflictMarks.ts';
import { listed } from '../diagnosis/diagnose.ts';
import type { SourceChanges } from '../diagnosis/sourceChanges.ts';
import { changesReaching } from '../diagnosis/stops.ts';
import type { Diagnosis } from '../model/fix.ts';
import type { TestResult } from '../model/testResult.ts';
import type { CycleBench } from './cycleBench.ts';
import type { BenchRequest } from './cycleRequest.ts';

/** Why no fix is sought for a test and what to do first, by its id. */
export async function unfitTests(
  failing: readonly TestResult[],
  bench: CycleBench,
  { workspace }: BenchRequest,
): Promise<ReadonlyMap<string, Diagnosis>> {
  const changes = await bench.changes();
  const conflicts = new Conflicts(bench, workspace.root);
  const notCurrent = await bench.builtCode.notCurrent(
    failing.map(({ file }) => file),
    changes,
  );
  const unfit = new Map<string, Diagnosis>();
  for (const result of failing) {
    if (leadsOutside(workspace.root, result.file)) {
      const reason = `${result.file} is a link that leads outside the workspace: Testmend edits files inside only.`;
      unfit.set(result.id, { fault: 'unknown', reason });
      continue;
    }
    const { failure } = result;
    if (failure?.kind === 'config')
      unfit.set(result.id, { fault: 'environment', reason: `Mend that first: ${failure.message}` });
    const built = notCurrent.get(result.file);
    if (built !== undefined && (!built.isMissing || result.failure?.kind === 'load'))
      unfit.set(result.id, { fault: 'environment', reason: built.reason });
    const source = unfit.has(result.id) ? undefined : await bench.builtCode.madeFrom(result.file);
    if (source !== undefined)
      unfit.set(result.id, { fault: 'unknown', reason: await aboutBuiltTest(result.file, source, changes) });
    const isUnread =
      (failure?.kind === 'load' || failure?.kind === 'config') &&
      /syntax|unexpected|<<|conflict/i.test(failure.message);
    const conflict = await conflicts.find(result.file, isUnread);
    if (conflict === undefined) continue;
    const reason = `${conflict.file}:${conflict.line} has the marks of a conflict: resolve it first.`;
    unfit.set(result.id, { fault: conflict.file === result.file ? 'test' : 'source', reason });
  }
  return unfit;
}

/** Mended where it runs, it would be as before after the next build. */
async function aboutBuiltTest(file: string, source: string, changes: SourceChanges): Promise<string> {
  const { reaching, when } = await changesReaching(file, changes);
  const remedy = `${file} is built: change ${source} instead, and build again.`;
  return reaching.length === 0
    ? remedy
    : `${listed(reaching)} changed ${when}, and the test still expects the old behavior. ${remedy}`;
}

interface Conflict {
  readonly file: string;
  readonly line: number;
}

/** Marks in the test, in its snapshots or in a changed source that reaches it. Texts may hold such marks for good: git or the parser must object, too. */
class Conflicts {
  readonly #bench: CycleBench;
  readonly #root: string;
  readonly #found = new Map<string, Promise<Conflict | undefined>>();
  readonly #lines = new Map<string, Promise<number | undefined>>();
  #unmerged: Promise<ReadonlySet<string>> | undefined;

  constructor(bench: CycleBench, root: string) {
    this.#bench = bench;
    this.#root = root;
  }

  /** `isUnread`: the parser objects. */
  find(testFile: string, isUnread: boolean): Promise<Conflict | undefined> {
    const key = `${String(isUnread)} ${testFile}`;
    const known = this.#found.get(key) ?? this.#look(testFile, isUnread);
    this.#found.set(key, known);
    return known;
  }

  async #look(testFile: string, isUnread: boolean): Promise<Conflict | undefined> {
    const { reaching } = await changesReaching(testFile, await this.#bench.changes());
    const { dir, base } = path.posix.parse(testFile);
    const snapshots = path.posix.join(dir, '__snapshots__', `${base}.snap`);
    for (const file of [testFile, snapshots, ...reaching.map((change) => change.file)]) {
      const line = await this.#lineIn(file);
      if (line !== undefined && (isUnread || (await this.#isUnmerged(file)))) return { file, line };
    }
    return undefined;
  }

  #lineIn(file: string): Promise<number | undefined> {
    const known =
      this.#lines.get(file) ??
      this.#bench.readText(file).then(
        (text) => conflictLine(text ?? ''),
        () => undefined,
      );
    this.#lines.set(file, known);
    return known;
  }

  /** Git is a process: it is asked only where there are marks. */
  async #isUnmerged(file: string): Promise<boolean> {
    this.#unmerged ??= unmergedFiles(this.#root, this.#bench.signal);
    return (await this.#unmerged).has(file);
  }
}
