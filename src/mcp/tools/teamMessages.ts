// `team_msg` (CONTRACTS T11, T12): the message log of a session that several programs share.
import path from 'node:path';
import { z } from 'zod';
import { HumanError } from '../../core/base/humanError.ts';
import {
  isSession,
  messageOperations,
  sessionMessages,
  type AskedOfMessages,
} from '../../core/engine/sessionMessages.ts';
import { rootNamed } from '../allowedRoots.ts';
import { fileSchema, placesIn, rootArgument } from '../argumentSchemas.ts';
import { tool } from '../tool.ts';

const wordSchema = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[\w.@:-]+$/);
const inputSchema = z.strictObject({
  operation: z.enum(messageOperations),
  session: fileSchema
    .regex(/^\.workflow\//, 'it must begin with .workflow/')
    .describe('Folder of the session, such as .workflow/.team/S1.'),
  id: z
    .string()
    .regex(/^MSG-\d{1,9}$/)
    .optional()
    .describe('For read and delete.'),
  from: wordSchema.optional(),
  to: wordSchema.optional().describe('coordinator when left out.'),
  type: wordSchema.optional().describe('Such as test_result, impl_progress, fix_required, error.'),
  summary: z.string().min(1).max(2_000).optional(),
  data: z.record(z.string().max(200), z.unknown()).optional(),
  last: z.number().int().min(1).max(100).optional(),
  ...rootArgument,
});

const messageSchema = z.object({
  id: z.string(),
  ts: z.string(),
  from: z.string(),
  to: z.string(),
  type: z.string(),
  summary: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
});

export const teamMessages = tool({
  name: 'team_msg',
  title: 'Team messages',
  about:
    'The message log of a session shared with other agents: log, list, read, status, delete, clear, broadcast, get_state.',
  readOnly: false,
  destructive: true,
  input: inputSchema,
  output: z.looseObject({
    message: messageSchema.optional(),
    messages: z.array(messageSchema).optional(),
  }),
  run: async (input, { settings }) => {
    const [folder = ''] = placesIn(rootNamed(settings, input.root), [input.session]);
    const isWriting = input.operation === 'log' || input.operation === 'broadcast';
    if (!isWriting && !isSession(folder))
      throw new HumanError('bad-input', `There is no session in ${input.session}.`, {
        value: input.session,
        remedy: 'Name the folder of the session, relative to the root.',
      });
    // Its documents are those of `testmend messages`.
    return { ...(await sessionMessages(path.resolve(folder), askedOf(input))) };
  },
});

function askedOf(input: z.infer<typeof inputSchema>): AskedOfMessages {
  const { operation, id, from, to, type, summary, data, last } = input;
  switch (operation) {
    case 'log':
    case 'broadcast': {
      if (from === undefined || type === undefined || summary === undefined)
        throw incomplete('A message needs from, type and summary.');
      const message = { from, type, summary, ...(data !== undefined && { data }) };
      return operation === 'broadcast'
        ? { operation, message }
        : { operation, message: { ...message, ...(to !== undefined && { to }) } };
    }
    case 'list':
      return {
        operation,
        filter: {
          ...(from !== undefined && { from }),
          ...(to !== undefined && { to }),
          ...(type !== undefined && { type }),
          ...(last !== undefined && { last }),
        },
      };
    case 'read':
    case 'delete':
      if (id === undefined) throw incomplete(`${operation} needs the id of a message.`);
      return { operation, id };
    case 'status':
    case 'clear':
    case 'get_state':
      return { operation };
  }
}

const incomplete = (message: string): HumanError =>
  new HumanError('bad-input', message, { remedy: 'Give what is missing.' });
