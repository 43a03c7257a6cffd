// Turns what the user accepts of a cycle, one click after another, into edits of the files as they are on disk.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { applyEdit, fileEdit, type FileEdit } from '../model/edit.ts';
import type { Fix } from '../model/fix.ts';
import { composeEdits, spanningChange } from '../workspace/composeEdits.ts';
import { readText } from '../workspace/readText.ts';

interface AcceptRequest {
  /** All verified fixes of the cycle, in the order they were proven. */
  readonly kept: readonly Fix[];
  /** Fixes of the cycle that are in the files already. */
  readonly applied: readonly Fix[];
  readonly accepted: readonly Fix[];
  /** Texts of files before the first fix, as the editor kept them: this engine may be a later one. */
  readonly bases?: Readonly<Record<string, string>> | undefined;
}

export class Acceptance {
  readonly #root: string;
  /** Texts the cycle started from: later fixes were made on top of earlier ones, whatever the user took of them. */
  readonly #base = new Map<string, string>();

  constructor(root: string) {
    this.#root = root;
  }

  /** A new cycle starts from the files as they are then. */
  startAnew(): void {
    this.#base.clear();
  }

  /** Throws a `stale` HumanError when a file is neither what the cycle started from nor that with the applied fixes. */
  async compose(request: AcceptRequest): Promise<FileEdit[]> {
    const files = new Set(request.accepted.flatMap((fix) => fix.edits.map((edit) => edit.file)));
    return Promise.all([...files].map((file) => this.#composeFile(file, request)));
  }

  async #composeFile(file: string, request: AcceptRequest): Promise<FileEdit> {
    const { kept, applied, accepted, bases } = request;
    const disk = await readText(path.resolve(this.#root, file));
    if (disk === undefined) throw stale(file);
    const base = bases?.[file] ?? this.#base.get(file) ?? disk;
    const textWith = async (fixes: readonly Fix[]): Promise<string> => {
      const [edit] = await composeEdits({
        kept: only(kept, file),
        accepted: only(fixes, file),
        read: async () => base,
      });
      return edit === undefined ? base : applyEdit(edit, base);
    };
    if (disk === base) {
      // Nothing was applied to it yet, or the user took it back.
      const [edit] = await composeEdits({
        kept: only(kept, file),
        accepted: only(accepted, file),
        read: async () => base,
      });
      if (edit !== undefined) {
        this.#base.set(file, base);
        return edit;
      }
    }
    if (disk !== (await textWith(applied))) throw stale(file);
    return fileEdit(file, disk, spanningChange(disk, await textWith([...applied, ...accepted])));
  }
}

/** The parts of the fixes that concern one file. */
function only(fixes: readonly Fix[], file: string): readonly Fix[] {
  return fixes
    .map((fix) => ({ ...fix, edits: fix.edits.filter((edit) => edit.file === file) }))
    .filter((fix) => fix.edits.length > 0);
}

function stale(file: string): HumanError {
  return new HumanError('stale', `${file} changed after the fixes were proven.`, {
    file,
    remedy: 'Nothing was changed; start the fix cycle again.',
  });
}
