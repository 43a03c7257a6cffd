// Where the fixes of a kept cycle stand in the workspace as it is now.
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import type { CycleFix } from '../model/cycle.ts';
import type { Became } from '../model/review.ts';
import { readText } from '../workspace/readText.ts';
import { lookAt } from './applyFixes.ts';
import { fixesIn, type StoredCycle } from './cycleStore.ts';

/** By id; of those that can be applied nothing is said. */
export async function becameOf(cycle: StoredCycle): Promise<Became> {
  const became: Became = {};
  for (const fix of cycle.report.fixes) {
    if (fix.verdict.verdict !== 'verified') continue;
    if (await isInFiles(cycle, fix)) became[fix.id] = 'applied';
    else if (!(await fits(cycle, fix))) became[fix.id] = 'stale';
  }
  return became;
}

async function isInFiles(cycle: StoredCycle, { id, edits }: CycleFix): Promise<boolean> {
  for (const { file } of edits) {
    const text = await readText(path.join(cycle.root, file)).catch(() => undefined);
    const own = await fixesIn(cycle, file, text);
    if (own?.includes(id) !== true) return false;
  }
  return edits.length > 0;
}

async function fits(cycle: StoredCycle, fix: CycleFix): Promise<boolean> {
  try {
    await lookAt(cycle, [fix]);
    return true;
  } catch (error) {
    if (error instanceof HumanError && error.code === 'stale') return false;
    throw error;
  }
}
