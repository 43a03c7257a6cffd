// Where the product tells engineers what happened; hosts decide where the lines go.

export type LogLevel = 'trace' | 'info' | 'warn' | 'error';

export interface Logger {
  log(level: LogLevel, message: string): void;
}

export const silentLogger: Logger = { log: () => undefined };

/** A logger that hands lines to `write` with secrets blotted out. */
export function createLogger(write: (level: LogLevel, message: string) => void): Logger {
  return { log: (level, message) => write(level, redactSecrets(message)) };
}

const secretPatterns: readonly RegExp[] = [
  /\b(authorization\s*[:=]\s*)(?:bearer\s+|basic\s+)?[^\s,;"']+/gi,
  /\b((?:[\w-]*(?:password|passwd|token|api[_-]?key|secret))["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi,
];

/** Replaces the values of Authorization, password, token, api_key and secret (CONTRACTS Q4). */
export function redactSecrets(text: string): string {
  return secretPatterns.reduce((result, pattern) => result.replace(pattern, '$1[redacted]'), text);
}
