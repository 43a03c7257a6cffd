// Why a step failed, with what it looked for and found.
import type { Attempt, Proposal } from './result.ts';

interface StepErrorDetails {
  readonly expected?: string;
  readonly actual?: string;
  readonly attempts?: readonly Attempt[];
  readonly proposals?: readonly Proposal[];
}

export class StepError extends Error {
  override readonly name = 'StepError';
  readonly details: StepErrorDetails;
  constructor(message: string, details: StepErrorDetails = {}, options?: ErrorOptions) {
    super(message, options);
    this.details = details;
  }
}
