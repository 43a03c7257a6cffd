// Turns the healed steps of a run into records that people decide about, and approves those that may be without asking (CONTRACTS S6).
import { readFile } from 'node:fs/promises';
import { errorMessage } from '../../base/humanError.ts';
import { hashText } from '../../base/hash.ts';
import { toRelativePosix } from '../../base/paths.ts';
import { assertBar } from '../healing/decideHealing.ts';
import { approveHealing } from '../healing/decideRecord.ts';
import { canonical, type NewHealing } from '../healing/healingRecord.ts';
import { HealingStore } from '../healing/healingStore.ts';
import type { Strategy } from '../locatorSchema.ts';
import type { Step } from '../stepSchema.ts';
import type { Healed, ScenarioResult, StepResult, WrittenPlace } from './result.ts';

interface RecordOptions {
  /** Absolute: of the workspace. */
  readonly root: string;
  /** Above their threshold all healings are approved, not only those whose locator says so. */
  readonly autoApprove: boolean;
}

/**
 * Keeps a record of each healed locator. A healing is approved without asking only in a scenario without a failed step, with its evidence
 * (without it, its confidence) above the threshold of the locator, and well before the next candidate. Gives sentences for the user.
 */
export async function recordHealings(
  result: ScenarioResult,
  { root, autoApprove }: RecordOptions,
): Promise<readonly string[]> {
  const store = new HealingStore(root);
  const notes: string[] = [];
  for (const step of result.steps) {
    const { healed, written } = step;
    if (step.state !== 'healed' || !healed || !written) continue;
    try {
      const healing = await newHealing(result, step, healed, written, root);
      if (healing === undefined) continue;
      const record = await store.propose(healing);
      const mayApprove =
        (autoApprove || written.autoApprove) && result.state === 'healed' && isSure(healed, written);
      if (record.status !== 'pending' || !mayApprove) continue;
      const approved = await approveHealing(root, store, record.id);
      await store.write({ ...approved.record, status: 'auto_approved' });
      notes.push(`The healed locator "${healed.displayName}" was written into ${approved.files.join(', ')}.`);
    } catch (error) {
      notes.push(`The healing of "${healed.displayName}" was not kept: ${errorMessage(error)}`);
    }
  }
  return notes;
}

/** Was this very healing rejected by somebody before? */
export async function isRejected(
  root: string,
  { file, stepId }: Pick<WrittenPlace, 'file' | 'stepId'>,
  healing: { readonly displayName: string; readonly original: Strategy; readonly used: Strategy },
): Promise<boolean> {
  return new HealingStore(root).isRejected({
    scenarioId: '',
    fileHash: '',
    runId: '',
    file: toRelativePosix(root, file),
    stepId,
    locatorDisplayName: healing.displayName,
    originalStrategy: healing.original,
    healedStrategy: healing.used,
    trigger: 'element_not_found',
    confidence: 0,
  });
}

function isSure({ score, margin, confidence }: Healed, { threshold }: WrittenPlace): boolean {
  return (score ?? confidence) >= threshold && (margin ?? 1) >= assertBar.margin;
}

async function newHealing(
  { scenarioId, runId }: ScenarioResult,
  { screenshot }: StepResult,
  healed: Healed,
  { file, stepId, strategies }: WrittenPlace,
  root: string,
): Promise<NewHealing | undefined> {
  const { originalStrategy, usedStrategy, displayName, score, margin, evidence } = healed;
  if (originalStrategy.type === 'jsonPath' || usedStrategy.type === 'jsonPath') return undefined;
  // A strategy with variables stands for many elements: a healed one would stand for one of them.
  if (!strategies.includes(canonical(originalStrategy))) return undefined;
  return {
    scenarioId,
    runId,
    stepId,
    file: toRelativePosix(root, file),
    fileHash: hashText(await readFile(file, 'utf8')),
    locatorDisplayName: displayName,
    originalStrategy,
    healedStrategy: usedStrategy,
    trigger: healed.trigger,
    confidence: healed.confidence,
    ...(score !== undefined &&
      margin !== undefined && { evidence: { score, margin, reasons: [...evidence] } }),
    ...(screenshot !== undefined && { screenshots: { after: toRelativePosix(root, screenshot) } }),
  };
}

/** Where the locator of a step is written, which is a component's file for a step of one; undefined for a step without a locator. */
export function writtenPlace(step: Step, file: string, stepId: string): WrittenPlace | undefined {
  const { config } = step;
  if (!('locator' in config) || config.locator === undefined) return undefined;
  const { healing, strategies } = config.locator;
  return {
    file,
    stepId,
    autoApprove: healing.autoApprove,
    threshold: healing.confidenceThreshold,
    strategies: strategies.map(canonical),
  };
}
