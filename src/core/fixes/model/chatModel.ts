// A model that answers questions, wherever it is: behind an endpoint, or in the editor.

import { HumanError } from '../../base/humanError.ts';

/** The model began to answer and did not end as agreed: what it sent is paid for all the same. */
export class HalfAnswer extends HumanError {}

export interface ChatModel {
  /** For people. */
  readonly name: string;
  /** Where it is: what it answered is never taken for the answer of another place. */
  readonly place: string;
  /** Throws a HumanError that names the trouble and the remedy; its text holds no key. */
  ask(question: ChatQuestion): Promise<ChatAnswer>;
}

export interface ChatQuestion {
  readonly system: string;
  readonly user: string;
  readonly schema: { readonly name: string; readonly schema: object };
  readonly maxTokens: number;
  readonly signal: AbortSignal;
  /** Told when the question is sent once more, as after a refusal of its form. */
  readonly onAgain?: () => void;
  /** Told with the characters so far while the answer comes in. */
  readonly onProgress?: (characters: number) => void;
}

export interface ChatAnswer {
  readonly text: string;
  /** As the endpoint reports it; absent where it reports nothing. */
  readonly usage: ChatUsage;
}

export interface ChatUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  /** In the currency of the endpoint, mostly US dollars. */
  readonly cost?: number;
}
