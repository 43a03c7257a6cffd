// An error whose message a user can act on; everything else is a bug and is logged with its stack.

interface HumanErrorDetails {
  /** The file the trouble is in, as the user knows it. */
  readonly file?: string;
  /** The offending value, as text. */
  readonly value?: string;
  /** What the user can do about it, one sentence. */
  readonly remedy: string;
}

export type HumanErrorCode =
  | 'usage'
  | 'broken-project'
  | 'not-installed'
  | 'no-tests'
  | 'no-task'
  | 'bad-input'
  | 'read-only'
  | 'busy'
  | 'stale'
  | 'timeout'
  | 'cancelled'
  | 'untrusted';

export class HumanError extends Error {
  override readonly name = 'HumanError';
  readonly code: HumanErrorCode;
  readonly details: HumanErrorDetails;

  constructor(code: HumanErrorCode, message: string, details: HumanErrorDetails, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.details = details;
  }

  /** The JSON face of the error (INTERFACES, CLI `{error: …}`). */
  toJSON(): { code: HumanErrorCode; message: string; file?: string; value?: string; remedy: string } {
    return { code: this.code, message: this.message, ...this.details };
  }
}

/** Message of anything thrown, for logs and reports. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Throws the cancellation error when the signal has been aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted)
    throw new HumanError('cancelled', 'Cancelled.', { remedy: 'Start it again when you are ready.' });
}
