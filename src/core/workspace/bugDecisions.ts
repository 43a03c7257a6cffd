// "It's a bug": what the user said about failing tests, kept in their state folder until the test or the source changes.
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hashText } from '../base/hash.ts';
import { isInside } from '../base/paths.ts';

const decisionSchema = z.object({
  testId: z.string(),
  /** Files relative to the root with the hash of their text when the user decided; null for a missing file. */
  files: z.record(z.string(), z.string().nullable()),
});
type BugDecision = z.infer<typeof decisionSchema>;

/** Decisions about one root. Each has a file of its own, so that two processes never overwrite each other's. */
export class BugDecisions {
  readonly #root: string;
  readonly #folder: string;

  /** `folder`: the root's corner of the state folder (`cornerOf(root, userStateFolder())`). */
  constructor(root: string, folder: string) {
    this.#root = root;
    this.#folder = path.join(folder, 'bugs');
  }

  /**
   * Notes that the failure of the test is the source's fault. `files` are the test file and the sources it judges,
   * relative to the root; the decision holds while all of them keep their text.
   */
  async add(testId: string, files: readonly string[]): Promise<void> {
    const hashes = await Promise.all(
      [...new Set(files)].sort().map(async (file) => [file, await this.#hash(file)] as const),
    );
    const decision: BugDecision = { testId, files: Object.fromEntries(hashes) };
    await mkdir(this.#folder, { recursive: true });
    const partial = `${this.#file(testId)}.${process.pid}`;
    await writeFile(partial, JSON.stringify(decision));
    await rename(partial, this.#file(testId));
  }

  /** Takes the decision back. */
  async remove(testId: string): Promise<void> {
    await rm(this.#file(testId), { force: true });
  }

  /** Ids of the tests whose decision still holds; outdated and unreadable ones are forgotten. */
  async current(): Promise<ReadonlySet<string>> {
    const names = await readdir(this.#folder).catch(() => []);
    const ids = await Promise.all(
      names
        .filter((name) => name.endsWith('.json'))
        .map((name) => this.#currentId(path.join(this.#folder, name))),
    );
    return new Set(ids.filter((id) => id !== undefined));
  }

  async #currentId(file: string): Promise<string | undefined> {
    const decision = parseDecision(await readFile(file, 'utf8').catch(() => ''));
    if (decision) {
      const same = await Promise.all(
        Object.entries(decision.files).map(async ([name, hash]) => (await this.#hash(name)) === hash),
      );
      if (same.every(Boolean)) return decision.testId;
    }
    await rm(file, { force: true }).catch(() => undefined);
    return undefined;
  }

  #file(testId: string): string {
    return path.join(this.#folder, `${hashText(testId)}.json`);
  }

  async #hash(file: string): Promise<string | null> {
    const absolute = path.resolve(this.#root, file);
    if (!isInside(this.#root, absolute)) return null;
    return readFile(absolute).then(hashText, () => null);
  }
}

function parseDecision(text: string): BugDecision | undefined {
  try {
    return decisionSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
