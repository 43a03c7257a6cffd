// An error whose message a user can act on; everything else is a bug and is logged with its stack.

interface HumanErrorDetails {
  /** The file the trouble is in, as the user knows it. */
  readonly file?: string;
  /** The offending value, as text. */
  readonly value?: string;
  /** What the user can do about it, one sentence. */
  readonly remedy: string;
  /** The choice that the user has to make; each host knows its name. */
  readonly choice?: Choice;
}

/** A choice that hosts offer: the folder, the session, the copy to try fixes in, the framework, affected tests. */
type Choice = 'root' | 'session' | 'copy' | 'framework' | 'affected';

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
    const { choice: _choice, ...told } = this.details;
    return { code: this.code, message: this.message, ...told };
  }
}

/** The remedy with the name that the host has for what it is chosen with, if any: `… in a copy (--sandbox copy).` */
export function remedyWith(
  { details }: HumanError,
  names: Readonly<Partial<Record<Choice, string>>>,
): string {
  const name = details.choice && names[details.choice];
  return name === undefined ? details.remedy : details.remedy.replace(/\.?$/, ` (${name}).`);
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
