// `testmend messages <op>`: the message log of a session (CONTRACTS T12).
import { HumanError } from '../core/base/humanError.ts';
import { plainLine } from '../core/reports/paint.ts';
import {
  messageOperations,
  sessionMessages,
  type AskedOfMessages,
  type Message,
  type NewMessage,
} from '../core/engine/sessionMessages.ts';
import type { Command, CommandContext, CommandResult } from './command.ts';
import { exitCodes } from './command.ts';
import type { Options } from './options.ts';
import { refuseNoFolder, refuseNoSession, sessionFolder } from './sessionFolder.ts';

type Operation = (typeof messageOperations)[number];

export const messagesCommand: Command = async (context) => {
  const { files, terminal } = context;
  const [named = '', id, ...more] = files;
  const operation = messageOperations.find((one) => one === named);
  if (operation === undefined || more.length > 0)
    throw usage(
      named === ''
        ? 'testmend messages needs an operation.'
        : `There is no operation "${files.slice(0, 3).join(' ')}".`,
      `The operations are ${messageOperations.join(', ')}.`,
      named,
    );
  const asked = await askedOf(operation, id, context);
  const json = await sessionMessages(sessionFolder(context.options), asked);
  if (!terminal.json) await terminal.out(textOf(json));
  return { exitCode: exitCodes.ok, json } satisfies CommandResult;
};

async function askedOf(
  operation: Operation,
  id: string | undefined,
  { options }: CommandContext,
): Promise<AskedOfMessages> {
  const needsId = operation === 'read' || operation === 'delete';
  if (needsId !== (id !== undefined))
    throw needsId
      ? usage(
          `messages ${operation} needs the id of a message.`,
          `Write testmend messages ${operation} MSG-001.`,
        )
      : usage(`messages ${operation} takes only options, but got "${id ?? ''}".`, 'Leave it out.', id);
  if (operation === 'log' || operation === 'broadcast') await refuseNoFolder(options);
  else await refuseNoSession(options);
  const [from, to, type] = ['from', 'to', 'type'].map((name) => options.text(name));
  const last = options.number('last');
  switch (operation) {
    case 'log':
      return { operation, message: { ...newMessage(options), ...(to === undefined ? {} : { to }) } };
    case 'broadcast':
      return { operation, message: newMessage(options) };
    case 'list': {
      const filter = Object.entries({ from, to, type, last }).filter(([, value]) => value !== undefined);
      return { operation, filter: Object.fromEntries(filter) };
    }
    case 'read':
    case 'delete':
      return { operation, id: id ?? '' };
    case 'status':
    case 'clear':
    case 'get_state':
      return { operation };
  }
}

function newMessage(options: Options): Omit<NewMessage, 'to'> {
  const [from, type, summary] = ['from', 'type', 'summary'].map((name) => options.text(name));
  if (from === undefined || type === undefined || summary === undefined)
    throw usage('A message needs --from, --type and --summary.', 'Give all three.');
  const data = dataOf(options.text('data'));
  return { from, type, summary, ...(data === undefined ? {} : { data }) };
}

function dataOf(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const data: unknown = JSON.parse(text);
    if (typeof data === 'object' && data !== null && !Array.isArray(data)) return { ...data };
  } catch {
    // Said below.
  }
  throw usage('--data is not a JSON object.', `Write --data '{"key": "value"}'.`, text.slice(0, 200));
}

/** A line for each message; everything else as JSON. */
function textOf(json: object): string {
  const lineOf = ({ id, ts, from, to, type, summary }: Message): string =>
    plainLine(`${id}  ${ts}  ${from} → ${to}  ${type}  ${summary}`);
  const { messages, message } = json as { messages?: readonly Message[]; message?: Message };
  if (messages)
    return messages.length === 0 ? 'No messages.\n' : messages.map((one) => `${lineOf(one)}\n`).join('');
  if (message)
    return `${lineOf(message)}\n${message.data === undefined ? '' : `${JSON.stringify(message.data, null, 2)}\n`}`;
  return `${JSON.stringify(json, null, 2)}\n`;
}

const usage = (message: string, remedy: string, value?: string): HumanError =>
  new HumanError('usage', message, { remedy, ...(value === undefined ? {} : { value }) });
