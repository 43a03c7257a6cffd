// Accepted fixes in the files of the workspace: all of them or some, as long as the files are what was written.
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { hashText } from '../base/hash.ts';
import type { CycleReport } from '../model/cycle.ts';
import { applyEdit, type FileEdit } from '../model/edit.ts';
import type { Fix } from '../model/fix.ts';
import type { Workspace } from '../model/settings.ts';
import { applyToWorkspace } from '../sandbox/applyEdits.ts';
import { composeEdits } from '../workspace/composeEdits.ts';
import { readText } from '../workspace/readText.ts';
import { unifiedDiff } from '../workspace/unifiedDiff.ts';

type Texts = ReadonlyMap<string, string>;
/** Told, before they are written, which fixes these texts of files have in them. */
export type OnTexts = (texts: Texts, fixes: readonly Fix[]) => Promise<void>;

export class WrittenFixes {
  readonly #kept: readonly Fix[];
  readonly #workspace: Workspace;
  /** Texts before the first fix; files that a fix made have none. */
  readonly #base: Texts;
  #now: Texts;
  #fixes: readonly Fix[];
  readonly #onTexts: OnTexts;

  private constructor(
    fixes: readonly Fix[],
    kept: readonly Fix[],
    workspace: Workspace,
    [base, now]: readonly [Texts, Texts],
    onTexts: OnTexts = () => Promise.resolve(),
  ) {
    this.#fixes = fixes;
    this.#kept = kept;
    this.#workspace = workspace;
    this.#base = base;
    this.#now = now;
    this.#onTexts = onTexts;
  }

  /** All or none. Throws a HumanError when one of the files cannot be written, or is not what it was. */
  static async write(
    cycle: Pick<CycleReport, 'fixes'>,
    accepted: readonly Fix[],
    workspace: Workspace,
    onTexts: OnTexts,
  ): Promise<WrittenFixes> {
    const kept = cycle.fixes.filter((fix) => fix.state !== 'declined');
    const read = (file: string): Promise<string | undefined> => readText(path.join(workspace.root, file));
    const edits = await composeEdits({ kept, accepted, read });
    const [base, now] = [new Map<string, string>(), new Map<string, string>()];
    for (const edit of edits) {
      const text = await read(edit.file);
      if (text !== undefined) base.set(edit.file, text);
      now.set(edit.file, applyEdit(edit, text ?? ''));
    }
    await onTexts(now, accepted);
    await applyToWorkspace(workspace.root, edits, workspace.cacheFolder);
    return new WrittenFixes(accepted, kept, workspace, [base, now], onTexts);
  }

  /** Fixes that somebody else wrote into the files, on top of these texts. Throws a `stale` HumanError where they do not fit them. */
  static async found(
    applied: readonly Fix[],
    kept: readonly Fix[],
    workspace: Workspace,
    bases: Readonly<Record<string, string>>,
  ): Promise<WrittenFixes> {
    const base = new Map(Object.entries(bases));
    const read = async (file: string): Promise<string | undefined> => base.get(file);
    const edits = await composeEdits({ kept, accepted: applied, read });
    const now = new Map(edits.map((edit) => [edit.file, applyEdit(edit, base.get(edit.file) ?? '')]));
    return new WrittenFixes(applied, kept, workspace, [base, now]);
  }

  /** Those that are in the files. */
  get fixes(): readonly Fix[] {
    return this.#fixes;
  }

  /** Files that somebody else wrote since. */
  async changedFiles(): Promise<ReadonlySet<string>> {
    const changed = new Set<string>();
    for (const [file, text] of this.#now)
      if ((await readText(path.join(this.#workspace.root, file)).catch(() => undefined)) !== text)
        changed.add(file);
    return changed;
  }

  /** Throws a `stale` HumanError where some of these were made on top of one that is none of them. */
  async textsWith(fixes: readonly Fix[]): Promise<Texts> {
    const edits = await this.#compose(fixes);
    const texts = new Map([...this.#now.keys()].map((file) => [file, this.#base.get(file) ?? '']));
    for (const edit of edits) texts.set(edit.file, applyEdit(edit, this.#base.get(edit.file) ?? ''));
    return texts;
  }

  /** Leaves only these of the written fixes in the files. Throws like `textsWith`, and like `write`; nothing is changed then. */
  async keepOnly(fixes: readonly Fix[]): Promise<void> {
    const { root, cacheFolder } = this.#workspace;
    const texts = await this.textsWith(fixes);
    const edits = [...this.#now].flatMap(([file, text]): FileEdit[] => {
      const newText = texts.get(file) ?? '';
      const change = { start: 0, end: text.length, newText };
      return newText === text ? [] : [{ file, before: hashText(text), changes: [change] }];
    });
    await this.#onTexts(texts, fixes);
    await applyToWorkspace(root, edits, cacheFolder);
    for (const { file } of edits)
      if (!this.#base.has(file) && texts.get(file) === '') await rm(path.join(root, file), { force: true });
    this.#now = texts;
    this.#fixes = fixes;
  }

  /** Unified diff of these fixes of the cycle against the files as they were; empty where they do not go together. */
  async patchOf(fixes: readonly Fix[]): Promise<string> {
    const edits = await this.#compose(fixes).catch(() => []);
    const parts = await Promise.all(
      edits.map(async (edit) => {
        const before = await this.#read(edit.file);
        return unifiedDiff(edit.file, before, applyEdit(edit, before ?? ''));
      }),
    );
    return parts.sort().join('');
  }

  #compose(accepted: readonly Fix[]): Promise<readonly FileEdit[]> {
    return composeEdits({ kept: this.#kept, accepted, read: (file) => this.#read(file) });
  }

  async #read(file: string): Promise<string | undefined> {
    return this.#now.has(file) ? this.#base.get(file) : readText(path.join(this.#workspace.root, file));
  }
}
