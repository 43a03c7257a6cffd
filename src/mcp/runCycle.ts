// A fix cycle as a tool runs it: in a copy, writing nothing, with its progress told.
import { fixWorkspace } from '../core/engine/fixWorkspace.ts';
import type { AskedCycle } from '../core/engine/cycleRequest.ts';
import { isListingInDoubt, learnTestFiles } from '../core/engine/learnTestFiles.ts';
import type { OpenedWorkspace } from '../core/engine/openWorkspace.ts';
import type { CycleReport } from '../core/model/cycle.ts';
import { progressText } from '../core/model/progressText.ts';
import { openAt } from './allowedRoots.ts';
import type { ToolCall } from './tool.ts';

interface ToolCycle {
  readonly opened: OpenedWorkspace;
  readonly report: CycleReport;
}

/** Throws what `openWorkspace` and `fixWorkspace` throw. */
export async function runCycle(root: string, asked: AskedCycle, call: ToolCall): Promise<ToolCycle> {
  const { signal, progress } = call;
  const opened = await openForCycle(root, asked.files ?? [], call);
  const notes: string[] = [];
  const cycle = fixWorkspace({ opened, signal, asked, onNote: (note) => notes.push(note) });
  for (;;) {
    const { value, done } = await cycle.next();
    if (done === true) return { opened, report: { ...value, notes: [...notes, ...value.notes] } };
    if (value.type === 'progress') progress(progressText(value), value.done, value.total);
  }
}

/** As `testmend fix` does: where the listing is in doubt, everything runs once to learn which files hold tests. */
async function openForCycle(
  root: string,
  files: readonly string[],
  { settings, signal, progress }: ToolCall,
): Promise<OpenedWorkspace> {
  const opened = await openAt(root, settings, signal);
  if (!(await isListingInDoubt(files, opened))) return opened;
  progress('running all tests once, to find out which files they are in');
  const isChanged = await learnTestFiles(opened, signal, () => undefined);
  return isChanged ? openAt(root, settings, signal) : opened;
}
