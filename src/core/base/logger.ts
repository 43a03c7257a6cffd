// Where the product tells engineers what happened; hosts decide where the lines go.
import { redactSecrets } from './redactSecrets.ts';

export type LogLevel = 'trace' | 'info' | 'warn' | 'error';

export interface Logger {
  log(level: LogLevel, message: string): void;
}

/** A logger that hands lines to `write` with secrets blotted out. */
export function createLogger(write: (level: LogLevel, message: string) => void): Logger {
  return { log: (level, message) => write(level, redactSecrets(message)) };
}
