// One call of a tool, whichever door it comes through: trust, cancelling, and what it gives as JSON text without secrets.
import { z } from 'zod';
import { HumanError, errorMessage } from '../core/base/humanError.ts';
import { jsonWithoutSecrets, redactSecrets } from '../core/base/redactSecrets.ts';
import { hidingTexts, toldByAnswer } from '../core/engine/discretion.ts';
import { refuseUntrusted } from './allowedRoots.ts';
import { Question, type Tool, type ToolCall } from './tool.ts';

interface ToolAnswer {
  /** JSON of what the output schema says, or of `{error}` (CONTRACTS Q4). */
  readonly text: string;
  readonly isError: boolean;
}

/** `input`: as the schema of the tool gave it. Never throws: refusals and bugs are answers. Whatever comes out of it has no secrets. */
export async function useTool(one: Tool, input: unknown, call: ToolCall): Promise<ToolAnswer | Question> {
  const roots = call.settings.roots.map(({ root }) => root);
  const hidden = async (document: object): Promise<string> =>
    jsonWithoutSecrets(document, await toldByAnswer(document, roots));
  const hides = roots.map(hidingTexts);
  const progress: ToolCall['progress'] = (text, ...counts) =>
    call.progress(
      hides.reduce((told, hide) => hide(told), text),
      ...counts,
    );
  try {
    if (one.onlyLists !== true) refuseUntrusted(call.settings);
    const result = await one.run(input, { ...call, progress, signal: cancellable(call.signal) });
    if (!(result instanceof Question)) return { text: await hidden(result), isError: false };
    const { text } = questionSchema.parse(JSON.parse(await hidden({ text: result.text })));
    return new Question(result.key, text);
  } catch (error) {
    return { text: await hidden({ error: toldError(error) }), isError: true };
  }
}

const questionSchema = z.object({ text: z.string() });

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
  process.stderr.write(
    `${redactSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`,
  );
  return {
    code: 'internal',
    message: errorMessage(error),
    remedy: 'This is a bug in Testmend; please report it.',
  };
}
