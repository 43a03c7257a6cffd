// How bad it is that a test fails (CONTRACTS T8).
import type { Severity } from '../model/testResult.ts';

const byName: readonly (readonly [RegExp, Severity])[] = [
  [/auth|security|permission|login|password/i, 'critical'],
  [/core|main|primary|data|state/i, 'high'],
  [/edge|flaky|timeout|env/i, 'low'],
];

const criticalError =
  /\b(?:SyntaxError|IndentationError|TabError|ModuleNotFoundError|ImportError|NameError)\b|\bReferenceError\b|\bmodule not found\b|\bCannot find (?:module|package)\b|\bFailed to (?:resolve import|load url)\b|^\W*\w*:? ?Transform failed\b/i;

/** By the name of the test, first match, medium else; raised to critical by errors that keep code from running at all. */
export function severityOf(testName: string, errorText: string): Severity {
  if (criticalError.test(errorText)) return 'critical';
  return byName.find(([pattern]) => pattern.test(testName))?.[1] ?? 'medium';
}
