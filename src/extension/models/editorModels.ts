// The language models of VS Code: which of them is meant, and asking it for the engine.
import * as vscode from 'vscode';
import { errorMessage } from '../../core/base/humanError.ts';
import {
  editorNotifications,
  editorRequests,
  type AskModelParams,
  type ModelAnswer,
} from '../../server/messages.ts';
import type { EngineClient } from '../engineClient.ts';

/** Silence after which a question is given up, ms. */
const silenceMs = 60_000;
/** All of an answer, ms. */
const limitMs = 180_000;
/** Longer than any answer that is asked for, characters. */
const answerLimit = 200_000;

const refused = (reason: string, remedy: string): ModelAnswer => ({ answered: false, reason, remedy });

export class EditorModels {
  readonly #engine: EngineClient;
  /** Ids of the models that the user let a cycle of this window ask. */
  readonly #allowed = new Set<string>();

  constructor(engine: EngineClient) {
    this.#engine = engine;
    engine.serve(editorRequests.askModel, (asked, token) => this.#ask(asked, token));
  }

  /** All that VS Code offers now; none where it has no notion of models. */
  async all(): Promise<readonly vscode.LanguageModelChat[]> {
    return Promise.resolve(vscode.lm.selectChatModels()).catch(() => []);
  }

  allow(id: string): void {
    this.#allowed.add(id);
  }

  async #ask(
    { askId, modelId, system, user }: AskModelParams,
    token: vscode.CancellationToken,
  ): Promise<ModelAnswer> {
    const model = (await this.all()).find(({ id }) => id === modelId);
    if (!this.#allowed.has(modelId) || model === undefined)
      return refused(`The model ${modelId} is no longer available.`, 'Start the fix cycle again.');
    const stop = new vscode.CancellationTokenSource();
    const clock = new Clock(() => stop.cancel());
    const listener = token.onCancellationRequested(() => stop.cancel());
    try {
      const messages = [system, user].map((text) => vscode.LanguageModelChatMessage.User(text));
      const answering = this.#read(model, messages, stop.token, (characters) => {
        clock.heard();
        this.#engine.tell(editorNotifications.modelProgress, { askId, characters });
      });
      // Where the time is over first, nobody hears how it ends.
      answering.catch(() => undefined);
      const text = await Promise.race([answering, cancelled(stop.token)]);
      if (text === undefined)
        return refused(
          `The model ${model.name} did not answer in time.`,
          'Try again, or choose another model.',
        );
      if (text.length > answerLimit)
        return refused(
          `The answer of the model ${model.name} does not end; it was cut off.`,
          'Choose another model.',
        );
      const [inputTokens, outputTokens] = await Promise.all([
        tokensOf(model, `${system}\n${user}`, stop.token),
        tokensOf(model, text, stop.token),
      ]);
      return {
        answered: true,
        text,
        ...(inputTokens === undefined ? {} : { inputTokens }),
        ...(outputTokens === undefined ? {} : { outputTokens }),
      };
    } catch (error) {
      return explained(error, model.name);
    } finally {
      clock.stop();
      listener.dispose();
      // What still streams is not wanted any more.
      stop.cancel();
      stop.dispose();
    }
  }

  /** The answer as it comes in; cut off a little beyond the limit. */
  async #read(
    model: vscode.LanguageModelChat,
    messages: vscode.LanguageModelChatMessage[],
    token: vscode.CancellationToken,
    onProgress: (characters: number) => void,
  ): Promise<string> {
    const justification = 'Testmend asks for edits of failing tests and proves them by running the tests.';
    const response = await model.sendRequest(messages, { justification }, token);
    let text = '';
    for await (const part of response.text) {
      text += part;
      onProgress(text.length);
      if (text.length > answerLimit || token.isCancellationRequested) break;
    }
    return text;
  }
}

/** Ends what is silent for too long, and what takes too long in all. */
class Clock {
  readonly #whole: NodeJS.Timeout;
  readonly #silence: NodeJS.Timeout;

  constructor(onEnd: () => void) {
    this.#whole = setTimeout(onEnd, limitMs);
    this.#silence = setTimeout(onEnd, silenceMs);
  }

  heard(): void {
    this.#silence.refresh();
  }

  stop(): void {
    clearTimeout(this.#whole);
    clearTimeout(this.#silence);
  }
}

function cancelled(token: vscode.CancellationToken): Promise<undefined> {
  return new Promise((resolve) => {
    if (token.isCancellationRequested) resolve(undefined);
    else token.onCancellationRequested(() => resolve(undefined));
  });
}

/** As the model counts; not every one can. */
async function tokensOf(
  model: vscode.LanguageModelChat,
  text: string,
  token: vscode.CancellationToken,
): Promise<number | undefined> {
  try {
    const count = await Promise.race([model.countTokens(text, token), cancelled(token)]);
    return count !== undefined && Number.isFinite(count) && count >= 0 ? Math.ceil(count) : undefined;
  } catch {
    return undefined;
  }
}

/** What VS Code says of a question that was not answered, with what the user can do. */
function explained(error: unknown, name: string): ModelAnswer {
  switch (error instanceof vscode.LanguageModelError ? error.code : '') {
    case vscode.LanguageModelError.NoPermissions.name:
      return refused(
        `VS Code does not let Testmend use the model ${name}.`,
        'Allow it when VS Code asks (Accounts, Manage Language Model Access), or choose another model.',
      );
    case vscode.LanguageModelError.Blocked.name:
      return refused(
        `The model ${name} is blocked, or its quota is used up: ${errorMessage(error)}`,
        'Try again later, or choose another model.',
      );
    case vscode.LanguageModelError.NotFound.name:
      return refused(
        `The model ${name} is no longer available.`,
        'Choose another one in testmend.fix.model.name.',
      );
    default:
      return refused(
        `The model ${name} failed: ${errorMessage(error)}`,
        'Try again, or choose another model in testmend.fix.model.name.',
      );
  }
}
