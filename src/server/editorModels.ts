// Has the editor ask one of its models: sends the question, hears how far the answer is, and cancels it.
import { randomUUID } from 'node:crypto';
import { CancellationTokenSource, type Connection } from 'vscode-languageserver/node';
import { errorMessage, HumanError, throwIfCancelled } from '../core/base/humanError.ts';
import type { ChatAnswer, ChatModel, ChatQuestion } from '../core/engine/fixers.ts';
import { editorNotifications, editorRequests, type ModelAnswer } from './messages.ts';

export class EditorModels {
  readonly #connection: Connection;
  /** Who hears how far which answer is. */
  readonly #listeners = new Map<string, (characters: number) => void>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onNotification(editorNotifications.modelProgress.method, (params: unknown) => {
      const { data } = editorNotifications.modelProgress.params.safeParse(params);
      if (data) this.#listeners.get(data.askId)?.(data.characters);
    });
  }

  /** The model of the editor with this id. */
  model({ id, name }: { readonly id: string; readonly name: string }): ChatModel {
    return { name, place: `editor:${id}`, ask: (question) => this.#ask(id, name, question) };
  }

  async #ask(modelId: string, name: string, question: ChatQuestion): Promise<ChatAnswer> {
    const { system, user, signal, onProgress } = question;
    const askId = randomUUID();
    const cancel = new CancellationTokenSource();
    const onAbort = (): void => cancel.cancel();
    throwIfCancelled(signal);
    signal.addEventListener('abort', onAbort, { once: true });
    if (onProgress) this.#listeners.set(askId, onProgress);
    try {
      const answer = await this.#send({ askId, modelId, system, user }, cancel, name);
      throwIfCancelled(signal);
      if (!answer.answered) throw new HumanError('bad-input', answer.reason, { remedy: answer.remedy });
      const { text, inputTokens, outputTokens } = answer;
      return {
        text,
        usage: {
          ...(inputTokens !== undefined && { inputTokens }),
          ...(outputTokens !== undefined && { outputTokens }),
        },
      };
    } finally {
      this.#listeners.delete(askId);
      signal.removeEventListener('abort', onAbort);
      cancel.dispose();
    }
  }

  async #send(asked: object, cancel: CancellationTokenSource, name: string): Promise<ModelAnswer> {
    const { method, result } = editorRequests.askModel;
    try {
      return result.parse(await this.#connection.sendRequest(method, asked, cancel.token));
    } catch (error) {
      return {
        answered: false,
        reason: `The editor could not ask the model ${name}: ${errorMessage(error)}`,
        remedy: 'Check the log of Testmend, or choose another testmend.fix.provider.',
      };
    }
  }
}
