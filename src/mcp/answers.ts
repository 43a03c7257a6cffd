// What tools give, as clients get it: data and the same as JSON text, without secrets; errors with what to do about them.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { jsonWithoutSecrets } from '../core/base/redactSecrets.ts';

export function answerOf(data: object): CallToolResult {
  const text = jsonWithoutSecrets(data);
  const structuredContent: Record<string, unknown> = JSON.parse(text);
  return { content: [{ type: 'text', text }], structuredContent };
}

/** CONTRACTS Q4: `{error}`. What is no HumanError is a bug of ours: its stack goes to stderr, which clients keep as a log. */
export function errorAnswer(error: unknown): CallToolResult {
  if (!(error instanceof HumanError))
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  const told =
    error instanceof HumanError
      ? error.toJSON()
      : {
          code: 'internal',
          message: errorMessage(error),
          remedy: 'This is a bug in Testmend; please report it.',
        };
  return { ...answerOf({ error: told }), isError: true };
}
