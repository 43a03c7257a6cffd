// The healings of a root for every host: listed, approved into the scenarios, rejected.
import glob from 'fast-glob';
import { HumanError } from '../base/humanError.ts';
import { approveHealing, rejectHealing } from '../scenario/healing/decideRecord.ts';
import type { HealingRecord } from '../scenario/healing/healingRecord.ts';
import { HealingStore } from '../scenario/healing/healingStore.ts';

export type { HealingRecord } from '../scenario/healing/healingRecord.ts';

interface HealingDecisionRequest {
  readonly healing: string;
  readonly decision: 'approve' | 'reject';
  /** Also in every scenario and component with a locator of the same name; for an approval only. */
  readonly propagate?: boolean;
}

interface DecidedHealing {
  readonly record: HealingRecord;
  /** Files that were rewritten, relative to the root. */
  readonly files: readonly string[];
}

/** All healings of the root, the newest first. */
export const healingsOf = (root: string): Promise<readonly HealingRecord[]> => new HealingStore(root).list();

/**
 * Throws a HumanError: `usage` for an unknown or decided healing, or a rejection that is to be propagated; `stale` when the scenario
 * changed since.
 */
export async function decideHealingOf(
  root: string,
  request: HealingDecisionRequest,
): Promise<DecidedHealing> {
  const { healing, decision, propagate = false } = request;
  const store = new HealingStore(root);
  if (decision === 'reject') {
    if (propagate)
      throw new HumanError('usage', 'A rejection cannot be propagated.', {
        remedy: 'Reject the other healings one by one.',
      });
    return { record: await rejectHealing(store, healing), files: [] };
  }
  return approveHealing(root, store, healing, propagate ? await filesWithLocators(root) : undefined);
}

const filesWithLocators = async (root: string): Promise<readonly string[]> =>
  (
    await glob(['**/*.scenario.{yaml,yml,json}', '**/*.component.{yaml,yml,json}'], {
      cwd: root,
      ignore: ['**/node_modules/**', '**/.git/**', '**/.testmend/**'],
      followSymbolicLinks: false,
    })
  ).sort();
