// A healing as a run records it: the "Buy" button of a scenario was found by its role.
import type { NewHealing } from '../../src/core/scenario/healing/healingRecord.ts';
import { hashText } from '../../src/core/base/hash.ts';

/** Of the scenario with that text. */
export const proposedHealing = (text: string, more: Partial<NewHealing> = {}): NewHealing => ({
  scenarioId: 'shop',
  file: 'shop.scenario.yaml',
  fileHash: hashText(text),
  stepId: 'one',
  runId: 'run-1',
  locatorDisplayName: 'Buy',
  originalStrategy: { type: 'testId', value: 'buy' },
  healedStrategy: { type: 'role', role: 'button', name: 'Buy now' },
  trigger: 'element_not_found',
  confidence: 0.9,
  ...more,
});
