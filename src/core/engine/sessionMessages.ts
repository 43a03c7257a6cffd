// The message log of a session, asked one operation at a time (CONTRACTS T12).
import { MessageLog, type MessageFilter, type NewMessage } from '../session/messageLog.ts';

export { isSession, type Message, type NewMessage } from '../session/messageLog.ts';

/** Their names are those of the wire. */
export const messageOperations = [
  'log',
  'list',
  'read',
  'status',
  'delete',
  'clear',
  'broadcast',
  'get_state',
] as const;

export type AskedOfMessages =
  | { readonly operation: 'log'; readonly message: NewMessage }
  | { readonly operation: 'broadcast'; readonly message: Omit<NewMessage, 'to'> }
  | { readonly operation: 'list'; readonly filter: MessageFilter }
  | { readonly operation: 'read' | 'delete'; readonly id: string }
  | { readonly operation: 'status' | 'clear' | 'get_state' };

/** The document of the operation. `folder`: absolute. Throws a `bad-input` HumanError for an id that no message has. */
export async function sessionMessages(folder: string, asked: AskedOfMessages): Promise<object> {
  const log = new MessageLog(folder);
  switch (asked.operation) {
    case 'log':
      return { message: await log.log(asked.message) };
    case 'broadcast':
      return { message: await log.broadcast(asked.message) };
    case 'list':
      return { messages: await log.list(asked.filter) };
    case 'read':
      return { message: await log.read(asked.id) };
    case 'status':
      return log.status();
    case 'delete':
      await log.delete(asked.id);
      return { deleted: asked.id };
    case 'clear':
      return { cleared: await log.clear() };
    case 'get_state':
      return { state: await log.state() };
  }
}
