// One call of a tool, whichever door it comes through: trust, cancelling, and what it gives as JSON text without secrets.
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { jsonWithoutSecrets } from '../core/base/redactSecrets.ts';
import { toldByAnswer } from '../core/engine/toldByAnswer.ts';
import { refuseUntrusted } from './allowedRoots.ts';
import { Question, type Tool, type ToolCall } from './tool.ts';

interface ToolAnswer {
  /** JSON of what the output schema says, or of `{error}` (CONTRACTS Q4). */
  readonly text: string;
  readonly isError: boolean;
}

/** `input`: as the schema of the tool gave it. Never throws: refusals and bugs are answers. */
export async function useTool(one: Tool, input: unknown, call: ToolCall): Promise<ToolAnswer | Question> {
  try {
    if (one.onlyLists !== true) refuseUntrusted(call.settings);
    const result = await one.run(input, { ...call, signal: cancellable(call.signal) });
    if (result instanceof Question) return result;
    const told = await toldByAnswer(
      result,
      call.settings.roots.map(({ root }) => root),
    );
    return { text: jsonWithoutSecrets(result, told), isError: false };
  } catch (error) {
    return { text: jsonWithoutSecrets({ error: toldError(error) }), isError: true };
  }
}

/** The same with the reason that the core looks for. */
function cancellable(signal: AbortSignal): AbortSignal {
  const controller = new AbortController();
  const cancel = (): void =>
    controller.abort(
      new HumanError('cancelled', 'Cancelled.', { remedy: 'Call the tool again when you are ready.' }),
    );
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  return controller.signal;
}

/** Of a bug of ours the stack goes to stderr, which clients keep as a log. */
function toldError(error: unknown): object {
  if (error instanceof HumanError) return error.toJSON();
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  return {
    code: 'internal',
    message: errorMessage(error),
    remedy: 'This is a bug in Testmend; please report it.',
  };
}
