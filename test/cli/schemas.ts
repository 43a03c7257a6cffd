// Reads the documents of --json.
import assert from 'node:assert/strict';
import { z } from 'zod';
import type { CliResult } from '../support/testmendCli.ts';

/** The one document on stdout, parsed; what else the process said is in the message when it does not fit. */
export function documentOf<T>(schema: z.ZodType<T>, result: CliResult): T {
  let data: unknown;
  try {
    data = JSON.parse(result.stdout);
  } catch {
    assert.fail(
      `stdout is not one JSON document:\n${result.stdout.slice(0, 2000)}\n${result.stderr.slice(-2000)}`,
    );
  }
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  return assert.fail(
    `${z.prettifyError(parsed.error)}\n${result.stdout.slice(0, 2000)}\n${result.stderr.slice(-2000)}`,
  );
}
