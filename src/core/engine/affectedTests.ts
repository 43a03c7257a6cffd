// Which tests of a root some changes can touch, answered from a graph that is kept in step with the disk.
import { affectedBy } from '../run/affectedBy.ts';
import { affectedTests } from '../run/affectedTests.ts';
import { rootsOfListing } from '../run/graphRoots.ts';
import type { TestListing } from '../frameworks/discover.ts';
import { DependencyGraph, type GraphRoot } from '../modules/dependencyGraph.ts';

/** All files are relative to the root. */
interface AffectedAnswer {
  readonly files: ReadonlySet<string>;
  /** The changes that counted. */
  readonly changed: readonly string[];
  readonly notes: readonly string[];
}

interface WrittenFiles {
  readonly saved: readonly string[];
  readonly written: readonly string[];
  /** Each purpose hears of a written file once; `run` when absent. */
  readonly purpose?: 'run' | 'state' | undefined;
}

export class AffectedTests {
  readonly #root: string;
  readonly #graph: DependencyGraph;
  /** Files whose content changed since each purpose last asked about them. */
  readonly #changed = { run: new Set<string>(), state: new Set<string>() };
  #listing: TestListing | undefined;
  #roots: readonly GraphRoot[] = [];

  /** `root` is an absolute real path. */
  constructor(root: string) {
    this.#root = root;
    this.#graph = new DependencyGraph(root);
  }

  /** By the working tree against the commit before HEAD (CONTRACTS T2); without files and with a reason outside of git. */
  async sinceParent(listing: TestListing, signal?: AbortSignal): Promise<AffectedAnswer> {
    await this.#update(listing, signal);
    const { files, changed, notes, unavailable } = await affectedTests({
      root: this.#root,
      testFiles: testFilesOf(listing),
      roots: this.#roots,
      graph: this.#graph,
      ...(signal && { signal }),
    });
    return {
      files: new Set(files),
      changed,
      notes: unavailable === undefined ? (notes ?? []) : [unavailable],
    };
  }

  /**
   * By files that an editor saved, and by files that somebody wrote: of these only those count that the graph knows and whose
   * content is not what it was when they were last asked about.
   */
  async byFiles(
    listing: TestListing,
    { saved, written, purpose = 'run' }: WrittenFiles,
    signal?: AbortSignal,
  ): Promise<AffectedAnswer> {
    const known = new Set(written.filter((file) => this.#graph.has(file)));
    await this.#update(listing, signal, [...saved, ...written]);
    const news = this.#changed[purpose];
    const isNews = (file: string): boolean => news.has(file) || (!known.has(file) && this.#graph.has(file));
    const changed = [...new Set([...saved, ...written.filter(isNews)])];
    for (const file of [...saved, ...written]) news.delete(file);
    if (changed.length === 0) return { files: new Set(), changed, notes: [] };
    const { files, notes } = await affectedBy({
      root: this.#root,
      graph: this.#graph,
      testFiles: testFilesOf(listing),
      changed,
      ...(signal && { signal }),
    });
    return { files: new Set(files), changed, notes };
  }

  /** Before `dependencies` is asked: brings the graph of these test files in step. */
  async updateFor(listing: TestListing, files: ReadonlySet<string>, signal?: AbortSignal): Promise<void> {
    this.#note(
      await this.#graph.update(
        rootsOfListing(listing).filter(({ file }) => files.has(file)),
        signal ? { signal } : {},
      ),
    );
  }

  async #update(
    listing: TestListing,
    signal: AbortSignal | undefined,
    touched: readonly string[] = [],
  ): Promise<void> {
    if (this.#listing !== listing) {
      this.#roots = rootsOfListing(listing);
      this.#listing = listing;
    }
    this.#note(await this.#graph.update(this.#roots, { touched, ...(signal && { signal }) }));
  }

  #note(changed: ReadonlySet<string>): void {
    for (const file of changed) for (const news of Object.values(this.#changed)) news.add(file);
  }

  /** The file and everything it depends on, as of the last update. */
  dependencies(file: string): ReadonlySet<string> {
    return this.#graph.dependencies(file);
  }
}

function testFilesOf({ files }: TestListing): readonly string[] {
  return [...new Set(files.map(({ file }) => file))];
}
