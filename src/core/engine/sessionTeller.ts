// Tells a fix cycle to the coordinator of a session: logged first, then handed to a command when one is named (CONTRACTS T11, T12).
import { HumanError, errorMessage } from '../base/humanError.ts';
import { tellable } from '../diagnosis/toldSecrets.ts';
import { shellCommands } from '../frameworks/shellWords.ts';
import type { CycleEvent } from '../model/cycle.ts';
import { runProcess } from '../process/runProcess.ts';
import {
  aboutTask,
  errorMessageOf,
  messageOf,
  messagesOf,
  type ToldOutcome,
} from '../session/cycleMessages.ts';
import { MessageLog, type NewMessage } from '../session/messageLog.ts';

/** Of the command, ms. */
const commandLimitMs = 10_000;

export interface SessionTeller {
  onEvent(event: CycleEvent): void;
  onEnd(outcome: ToldOutcome): Promise<void>;
  /** The cycle did not come to its end. */
  onError(error: unknown): Promise<void>;
}

interface TellerRequest {
  /** Absolute folder. */
  readonly session: string;
  /** Where the command for messages is started. */
  readonly root: string;
  /** Name of the task that the messages are about. */
  readonly task?: string;
  /** That messages are handed to, as typed. */
  readonly command: string | undefined;
  /** Told what the log could not hand on. */
  readonly warn: (text: string) => Promise<void>;
}

/** Throws a `usage` HumanError for a command that is none. */
export function sessionTeller({ command: line, session, root, task, warn }: TellerRequest): SessionTeller {
  const log = new MessageLog(session);
  const words = line === undefined ? undefined : commandWords(line);
  let telling: Promise<void> = Promise.resolve();
  /** `about`: what the message was made of. */
  const tell = (plain: NewMessage, about: unknown): Promise<void> =>
    (telling = telling.then(async () => {
      try {
        const message = tellable(plain, root, about);
        const logged = await log.log(task === undefined ? message : aboutTask(message, task));
        if (words) await handOn(words, root, logged, warn);
      } catch (error) {
        await warn(`The message "${plain.type}" could not be logged: ${errorMessage(error)}`);
      }
    }));
  return {
    onEvent: (event) => {
      const message = messageOf(event);
      if (message) void tell(message, event);
    },
    onEnd: async (outcome) => {
      for (const message of messagesOf(outcome)) await tell(message, outcome);
    },
    onError: (error) => tell(errorMessageOf(errorMessage(error)), errorMessage(error)),
  };
}

function commandWords(line: string): readonly [string, ...string[]] {
  const [words, ...more] = shellCommands(line);
  const [command, ...rest] = words?.map(({ text }) => text) ?? [];
  if (command !== undefined && more.length === 0 && words?.some(({ computed }) => computed) !== true)
    return [command, ...rest];
  throw new HumanError('usage', '--message-command takes one command and starts it without a shell.', {
    value: line,
    remedy: 'For example --message-command "ccw team log --team T".',
  });
}

/** When it fails the log still holds. */
async function handOn(
  [command, ...words]: readonly [string, ...string[]],
  cwd: string,
  { from, to, type, summary, data }: NewMessage,
  warn: (text: string) => Promise<void>,
): Promise<void> {
  const told = ['--from', from, '--to', to ?? 'coordinator', '--type', type, '--summary', summary];
  const args = [...words, ...told, '--data', JSON.stringify(data ?? {}), '--json'];
  const { ended, exitCode, error } = await runProcess({ command, args, cwd, timeoutMs: commandLimitMs });
  if (ended === 'exited' && exitCode === 0) return;
  const why = ended === 'exited' ? `ended with ${exitCode ?? 'a signal'}` : (error ?? ended);
  await warn(`The command for messages ${why}; the message is in the log.`);
}
