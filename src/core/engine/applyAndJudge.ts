// Writes the fixes that were accepted and judges the workspace as it then is, while nobody tries fixes in it.
import type { CycleOutcome } from '../reports/cycleOutcome.ts';
import { whileReading } from '../sandbox/readWorkspace.ts';
import { noteWritten } from './cycleStore.ts';
import { judgeOnDisk, type DiskRequest } from './judgeOnDisk.ts';
import { WrittenFixes, type OnTexts } from './writtenFixes.ts';

export interface AppliedFixes {
  readonly outcome: CycleOutcome;
  /** Why nothing was written. */
  readonly unwritten?: { readonly error: unknown };
}

/** Written fixes that do not help on disk are taken back. What was found is told also where nothing can be written: a file changed meanwhile, or somebody tries fixes in these very files. */
export async function applyAndJudge(
  request: DiskRequest,
  onNote: (note: string) => void,
): Promise<AppliedFixes> {
  const { cycle, accepted, opened } = request;
  const unapplied = async (error: unknown): Promise<AppliedFixes> => ({
    outcome: await judgeOnDisk({ ...request, accepted: [] }),
    unwritten: { error },
  });
  if (accepted.length === 0) return { outcome: await judgeOnDisk(request) };
  let isMine = false;
  try {
    return await whileReading(opened.workspace.root, onNote, async () => {
      isMine = true;
      let written: WrittenFixes;
      try {
        written = await WrittenFixes.write(cycle, accepted, opened.workspace, noting(request));
      } catch (error) {
        return await unapplied(error);
      }
      return { outcome: await judgeOnDisk(request, written) };
    });
  } catch (error) {
    if (isMine) throw error;
    return unapplied(error);
  }
}

/** Keeps which fixes of the cycle a text has in it, so that others of the same files can be applied later. */
function noting({ cycle: { cycleId }, opened, inFiles }: DiskRequest): OnTexts {
  return async (texts, fixes) => {
    if (cycleId === undefined) return;
    const written = [...texts].map(([file, text]) => {
      const own = fixes.filter(({ edits }) => edits.some((edit) => edit.file === file));
      return { file, text, fixes: [...(inFiles?.get(file) ?? []), ...own.map(({ id }) => id)] };
    });
    // Nothing but a later question is lost.
    await noteWritten(opened.workspace.root, cycleId, written).catch(() => undefined);
  };
}
