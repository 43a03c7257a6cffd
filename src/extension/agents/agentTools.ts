// Tools of the chat of VS Code: the engine's answers to agents. What writes is shown to the user before, who has to confirm it.
import * as vscode from 'vscode';
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import { requests, type ToolAnswer, type UseTool } from '../../server/messages.ts';
import type { agentToolNames } from '../contributions.ts';
import type { EngineClient } from '../engineClient.ts';
import { plainMessage } from '../plainMessage.ts';

type AgentToolName = (typeof agentToolNames)[number];

/** Told in the chat while it goes. */
const doing: Readonly<Record<AgentToolName, string>> = {
  run_tests: 'Running tests',
  diagnose_failure: 'Looking for the reason of the failure',
  propose_fixes: 'Looking for fixes and proving them in a copy',
  apply_fix: 'Applying a fix',
  verify_patch: 'Trying the patch in a copy',
};

const agree = 'Apply';
const errorSchema = z.object({ error: z.object({ message: z.string(), remedy: z.string() }) });
const shownSchema = z.object({
  fix: z.object({ title: z.string(), diff: z.string(), files: z.array(z.string()) }),
});
const fixInputSchema = z.looseObject({ dry_run: z.boolean().default(true) });

export class AgentTools {
  readonly #engine: EngineClient;

  constructor(engine: EngineClient) {
    this.#engine = engine;
  }

  /** Before a fix is written its diff is to be confirmed; an id that is not known is told by the tool itself. */
  async prepare(
    name: AgentToolName,
    input: object,
    token: vscode.CancellationToken,
  ): Promise<vscode.PreparedToolInvocation> {
    const invocationMessage = doing[name];
    if (!writes(name, input)) return { invocationMessage };
    const fix = await this.#shown(input, token).catch(() => undefined);
    if (fix === undefined) return { invocationMessage };
    const message = new vscode.MarkdownString()
      .appendText(`${fix.title}\n`)
      .appendCodeblock(fix.diff, 'diff');
    return { invocationMessage, confirmationMessages: { title: 'Apply this fix?', message } };
  }

  /** Throws an Error with what the agent can do about it. A changed expectation is asked for, even where the chat confirms by itself. */
  async use(
    name: AgentToolName,
    input: object,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    if (writes(name, input)) refuseUnsaved((await this.#shown(input, token)).files);
    let answer = await this.#ask({ name, input, answers: {} }, token);
    if ('question' in answer) {
      const { key, text } = answer.question;
      const detail = text.split('\n').map(plainMessage).join('\n');
      const title = 'Testmend: an agent wants to change what a test expects.';
      const choice = await vscode.window.showWarningMessage(title, { modal: true, detail }, agree);
      const answers = { [key]: choice === agree ? ('accept' as const) : ('decline' as const) };
      answer = await this.#ask({ name, input, answers }, token);
    }
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(textOf(answer))]);
  }

  /** An agent is told of an error by its message alone. */
  async #ask(asked: UseTool, token: vscode.CancellationToken): Promise<ToolAnswer> {
    try {
      return await this.#engine.request(requests.useTool, asked, token);
    } catch (error) {
      if (error instanceof HumanError)
        throw new Error(`${error.message} ${error.details.remedy}`, { cause: error });
      throw error;
    }
  }

  async #shown(input: object, token: vscode.CancellationToken): Promise<z.infer<typeof shownSchema>['fix']> {
    const dry = { name: 'apply_fix', input: { ...input, dry_run: true }, answers: {} };
    return shownSchema.parse(JSON.parse(textOf(await this.#ask(dry, token)))).fix;
  }
}

const writes = (name: AgentToolName, input: object): boolean =>
  name === 'apply_fix' && fixInputSchema.safeParse(input).data?.dry_run === false;

function textOf(answer: ToolAnswer): string {
  if ('question' in answer) throw new Error('Nobody has agreed, so nothing was done.');
  if (!answer.isError) return answer.text;
  const { message, remedy } = errorSchema.parse(JSON.parse(answer.text)).error;
  throw new Error(`${message} ${remedy}`);
}

/** The fix is written to the disk: an editor with other text would keep the user from saving. */
function refuseUnsaved(files: readonly string[]): void {
  const unsaved = vscode.workspace.textDocuments.find(
    ({ isDirty, uri }) => isDirty && files.includes(vscode.workspace.asRelativePath(uri, false)),
  );
  if (unsaved === undefined) return;
  const name = plainMessage(vscode.workspace.asRelativePath(unsaved.uri, false));
  throw new Error(`${name} has unsaved changes in the editor. Ask the user to save it first.`);
}
