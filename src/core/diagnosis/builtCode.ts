// Tests that run what a build made of the sources: what they show is what was built, whatever the sources say now.
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { TestResult } from '../model/testResult.ts';
import { gitIn } from '../workspace/git.ts';
import type { BuiltFile, ImportGraph } from '../modules/importGraph.ts';
import type { SourceChanges } from './sourceChanges.ts';
import { changesReaching } from './stops.ts';

interface NewerSource {
  readonly built: string;
  readonly source: string;
}

/** Looks at the times of files in the original; a build is never started. */
export class BuiltCode {
  readonly #root: string;
  readonly #graph: () => ImportGraph;

  /** `root`: absolute real path of the workspace; `graph`: of the workspace, or of a copy with what was built. */
  constructor(root: string, graph: () => ImportGraph) {
    this.#root = root;
    this.#graph = graph;
  }

  /**
   * Those of the tests that run the former sources when these are written. The others run what was built of the present ones: how
   * they did before cannot be seen.
   */
  async withoutBuilt(tests: readonly TestResult[], changes: SourceChanges): Promise<readonly TestResult[]> {
    const graph = this.#graph();
    const seen = new Map<string, Promise<boolean>>();
    const runsFormer = (file: string): Promise<boolean> => {
      const known = seen.get(file) ?? this.#runsFormer(file, changes, graph);
      seen.set(file, known);
      return known;
    };
    const kept: TestResult[] = [];
    for (const test of tests) if (await runsFormer(test.file)) kept.push(test);
    return kept;
  }

  /** Why what these test files run is not what the sources say, as a sentence with the remedy; files without one are left out. */
  async notCurrent(
    testFiles: Iterable<string>,
    changes: SourceChanges,
  ): Promise<ReadonlyMap<string, { readonly reason: string; readonly isMissing: boolean }>> {
    const graph = this.#graph();
    // Many tests run the same built files.
    const newerBehind = new Map<string, Promise<NewerSource | undefined>>();
    const found = new Map<string, { readonly reason: string; readonly isMissing: boolean }>();
    for (const file of new Set(testFiles)) {
      for (const one of await graph.builtFiles(file)) {
        const key = JSON.stringify([one.built, one.source]);
        if (!one.isMissing && !newerBehind.has(key))
          newerBehind.set(key, this.#newerSource(one, changes, graph));
        const newer = await newerBehind.get(key);
        if (one.isMissing && !isGone(one.built, changes))
          found.set(file, {
            isMissing: true,
            reason: `${one.built} does not exist: run the build that makes it from ${one.source}.`,
          });
        else if (newer !== undefined)
          found.set(file, {
            isMissing: false,
            reason: `${newer.built} is older than ${newer.source}: build again, because the test still runs the old output.`,
          });
        if (found.has(file)) break;
      }
    }
    return found;
  }

  /** What a test file itself was built from, so that an edit of it would be gone with the next build; undefined of one that is kept in git. */
  async madeFrom(testFile: string): Promise<string | undefined> {
    const own = (await this.#graph().builtFiles(testFile)).find(({ built }) => built === testFile);
    return own === undefined || (await this.#isTracked(testFile)) ? undefined : own.source;
  }

  async #runsFormer(testFile: string, changes: SourceChanges, graph: ImportGraph): Promise<boolean> {
    const built = await graph.builtFiles(testFile);
    if (built.length === 0) return true;
    const { reaching, base } = await changesReaching(testFile, changes);
    // Built files that lie in the history are written back with the sources.
    return built.every((one) => {
      const { builtFolder, sourceFolder } = foldersOf(one);
      const isBehind = reaching.some(({ file }) => isBelow(file, sourceFolder));
      return !isBehind || base.files.some(({ file }) => isBelow(file, builtFolder));
    });
  }

  /** A source behind the built file that was written after it, and what was built of it. */
  async #newerSource(
    one: BuiltFile,
    changes: SourceChanges,
    graph: ImportGraph,
  ): Promise<NewerSource | undefined> {
    const { builtFolder, sourceFolder } = foldersOf(one);
    const checkedAt = await this.#lastChecked(builtFolder);
    for (const source of await graph.reaches(one.source)) {
      if (!isBelow(source, sourceFolder) || isBelow(source, builtFolder)) continue;
      const own = withoutExtension(source).slice(sourceFolder.length);
      const built = `${builtFolder}${own}${path.posix.extname(one.built)}`;
      const ownTime = await this.#timeOf(built);
      const builtTime = ownTime ?? (await this.#timeOf(one.built));
      const sourceTime = await this.#timeOf(source);
      if (builtTime === undefined || sourceTime === undefined || builtTime < firstRealTime) continue;
      if (sourceTime <= Math.max(builtTime, checkedAt)) continue;
      const shown = ownTime === undefined ? one.built : built;
      // A clone writes built files that are committed in any order: only a change since then says something.
      const isChanged = changes.files.some(({ file }) => file === source);
      if (isChanged || !(await this.#isTracked(shown))) return { built: shown, source };
    }
    return undefined;
  }

  /** When a compiler last found that there was nothing to do, which it notes beside what it builds or in the package. */
  async #lastChecked(builtFolder: string): Promise<number> {
    let last = 0;
    for (const folder of [builtFolder, path.posix.dirname(builtFolder)]) {
      const names = await readdir(path.join(this.#root, folder)).catch(() => []);
      for (const name of names.filter((each) => each.endsWith('.tsbuildinfo')))
        last = Math.max(last, (await this.#timeOf(path.posix.join(folder, name))) ?? 0);
    }
    return last;
  }

  async #timeOf(file: string): Promise<number | undefined> {
    return stat(path.join(this.#root, file)).then(
      ({ mtimeMs }) => mtimeMs,
      () => undefined,
    );
  }

  async #isTracked(file: string): Promise<boolean> {
    const listed = await gitIn(this.#root)(['ls-files', '-z', '--', `:(literal)${file}`], {
      mayFail: true,
    }).catch(() => undefined);
    return listed?.exitCode === 0 && listed.stdout !== '';
  }
}

/** Caches and packers give files times of long ago; ms since 1970. */
const firstRealTime = Date.UTC(2000, 0, 1);

const isBelow = (file: string, folder: string): boolean => folder === '.' || file.startsWith(`${folder}/`);

const withoutExtension = (file: string): string => file.slice(0, -path.posix.extname(file).length);

/** `dist` and `src` of `dist/a/b.js` and `src/a/b.ts`. */
function foldersOf({ built, source }: BuiltFile): {
  readonly builtFolder: string;
  readonly sourceFolder: string;
} {
  const [left, right] = [withoutExtension(built).split('/'), withoutExtension(source).split('/')];
  while (left.length > 1 && right.length > 1 && left.at(-1) === right.at(-1)) {
    left.pop();
    right.pop();
  }
  return { builtFolder: left.join('/'), sourceFolder: right.join('/') };
}

function isGone(file: string, { files }: SourceChanges): boolean {
  return files.some(({ file: now, from, status }) => from === file || (status === 'deleted' && now === file));
}
