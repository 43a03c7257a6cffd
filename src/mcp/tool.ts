// What a tool is: its name, what it takes and gives as schemas, and what it does; how it is called is the server's business.
import type { z } from 'zod';
import type { McpSettings } from './allowedRoots.ts';

export interface ToolCall {
  readonly settings: McpSettings;
  /** Aborted when the client cancels or goes away; the reason is a HumanError. */
  readonly signal: AbortSignal;
  /** Tells the client how far the work is, where it wants to know; at most some times a second. */
  readonly progress: (text: string, done?: number, total?: number) => void;
  readonly person: Person;
}

/** Who sits before the client. */
export interface Person {
  /** Can the client ask? */
  readonly isThere: boolean;
  /** What was answered to the question of this key in this call; undefined before it was asked. */
  readonly answer: (key: string) => 'accept' | 'decline' | undefined;
}

/** The person has to answer before the tool can do more: the client asks, and calls again with the answer. */
export class Question {
  readonly key: string;
  readonly text: string;

  constructor(key: string, text: string) {
    this.key = key;
    this.text = text;
  }
}

interface ToolOf<Input extends z.ZodType, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Address of a page that clients which can show one show for its result. */
  readonly page?: string;
  /** Called by such a page, for its person; models are told nothing of it. */
  readonly onlyForPages?: true;
  /** Only lists: allowed in untrusted roots. */
  readonly onlyLists?: true;
  /** Writes nothing in the root. */
  readonly readOnly: boolean;
  /** May replace what is there. */
  readonly destructive?: true;
  /** Called twice it does no more than called once. */
  readonly idempotent?: true;
  readonly input: Input;
  readonly output: Output;
  run(input: z.output<Input>, call: ToolCall): Promise<z.input<Output> | Question>;
}

export interface Tool extends Omit<ToolOf<z.ZodType, z.ZodObject>, 'run'> {
  /** With what its schema for inputs gave. */
  run(input: unknown, call: ToolCall): Promise<object | Question>;
}

/** Holds `run` to the types of the schemas, which who calls it need not know. */
export function tool<Input extends z.ZodType, Output extends z.ZodObject>(one: ToolOf<Input, Output>): Tool {
  return one;
}
