// What the work of one step may use.
import type { Locator as PageLocator } from 'playwright-core';
import type { Session } from '../browser/session.ts';
import type { Locator } from '../locatorSchema.ts';
import type { FoundElement } from './findElement.ts';
import type { Purpose } from './healer.ts';
import type { Healed } from './result.ts';

export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON where it is, else text. */
  readonly body: unknown;
  readonly url: string;
}

export interface StepContext {
  readonly session: Session;
  readonly stepId: string;
  /** Address of a relative URL. Throws where there is no base. */
  readonly absolute: (url: string) => string;
  /** `performance.now()` at which the step is over. */
  readonly deadline: number;
  /** Finds the element, and keeps the attempts for the result of the step. */
  readonly find: (
    locator: Locator,
    needs: 'visible' | 'attached',
    purpose?: Purpose,
  ) => Promise<FoundElement>;
  /** Looks once, without healing: can any strategy see the element? */
  readonly sees: (locator: Locator, state: 'visible' | 'attached') => Promise<boolean>;
  /** Values for later steps. */
  readonly set: (name: string, value: unknown) => void;
  readonly responses: Map<string, ApiResponse>;
  readonly signal: AbortSignal;
  /** Absolute folder of the scenario, where files to upload lie. */
  readonly folder: string;
  /** Absolute folder for what the run leaves: downloads, screenshots. */
  readonly evidence: string;
  /** What screenshots cover. */
  readonly masks: () => readonly PageLocator[];
  /** The field holds a secret: screenshots cover it from here on. */
  readonly mask: (target: PageLocator) => void;
  readonly isSecret: (value: string) => boolean;
  readonly heal: (healed: Healed) => void;
  /** Paths of answers are healed too (S9). */
  readonly healsPaths: boolean;
  readonly note: (text: string) => void;
}

/** What is left of the time of the step, ms; at least a moment, so that an action fails with a reason of its own. */
export function timeLeft({ deadline }: Pick<StepContext, 'deadline'>): number {
  return Math.max(50, Math.round(deadline - performance.now()));
}
