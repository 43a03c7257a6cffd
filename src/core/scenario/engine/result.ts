// What becomes of a scenario and its steps (CONTRACTS S5): healed is a state of its own, and each attempt to find an element is told.
import type { Strategy } from '../locatorSchema.ts';
import type { StepType } from '../stepSchema.ts';

type StepState = 'passed' | 'failed' | 'skipped' | 'healed';

/** A strategy, or the path of a value in an answer of an API (S9). */
export type UsedStrategy = Strategy | { readonly type: 'jsonPath'; readonly path: string };

/** One try of one strategy, the last of its wait. */
export interface Attempt {
  readonly strategy: UsedStrategy;
  readonly outcome: 'found' | 'missing' | 'ambiguous' | 'invalid' | 'healed';
  /** How many elements matched. */
  readonly matches: number;
  /** S4: match confidence, 0..1. */
  readonly confidence?: number;
  /** Why not, as a sentence. */
  readonly reason?: string;
}

export interface Healed {
  readonly displayName: string;
  readonly originalStrategy: UsedStrategy;
  readonly usedStrategy: UsedStrategy;
  /** S4: 1 − penalties, 0..1. */
  readonly confidence: number;
  /** Evidence that decided, where the element was found by its fingerprint: 0..1, with the distance to the runner-up. */
  readonly score?: number;
  readonly margin?: number;
  readonly trigger: 'element_not_found' | 'multiple_matches' | 'wrong_element' | 'api_path_changed';
  readonly evidence: readonly string[];
}

/** An element that may be meant, for a person to decide. */
export interface Proposal {
  readonly strategy?: Strategy;
  readonly description: string;
  readonly score: number;
  readonly reasons: readonly string[];
}

/** Where the locator of a step is written, with what it says about healing. */
export interface WrittenPlace {
  /** Absolute: of the scenario, or of the component that the step comes from. */
  readonly file: string;
  readonly stepId: string;
  readonly autoApprove: boolean;
  /** 0..1. */
  readonly threshold: number;
  /** As they are written, in one form. */
  readonly strategies: readonly string[];
}

export interface StepResult {
  readonly id: string;
  readonly type: StepType;
  readonly description: string;
  readonly state: StepState;
  readonly durationMs: number;
  /** 1-based, in the file of the scenario. */
  readonly line: number;
  readonly message?: string;
  readonly expected?: string;
  readonly actual?: string;
  readonly attempts: readonly Attempt[];
  readonly healed?: Healed;
  /** Of a healed step. */
  readonly written?: WrittenPlace;
  readonly proposals?: readonly Proposal[];
  /** Absolute. */
  readonly screenshot?: string;
  /** Absolute. */
  readonly snapshot?: string;
  /** It failed and the scenario went on. */
  readonly continued?: true;
}

export interface ScenarioResult {
  readonly scenarioId: string;
  readonly name: string;
  readonly file: string;
  readonly runId: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'healed';
  readonly durationMs: number;
  readonly steps: readonly StepResult[];
  readonly counts: Readonly<Record<StepState, number>>;
  /** Absolute paths. */
  readonly trace?: string;
  readonly video?: string;
  readonly notes: readonly string[];
}

/** A failed step leaves the run failed, also where it went on; a healed one is never plainly passed. */
export function stateOf(steps: readonly StepResult[]): ScenarioResult['state'] {
  if (steps.some(({ state }) => state === 'failed')) return 'failed';
  if (steps.some(({ state }) => state === 'healed')) return 'healed';
  return steps.some(({ state }) => state === 'passed') ? 'passed' : 'skipped';
}

export function countsOf(steps: readonly StepResult[]): Readonly<Record<StepState, number>> {
  const counts = { passed: 0, failed: 0, skipped: 0, healed: 0 };
  for (const { state } of steps) counts[state]++;
  return counts;
}
