// The tools as a client is told of them: those of pages only where it shows pages, and keeps them from its model.
import type { ListToolsResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { metaOfPage } from './reviewPage.ts';
import type { Tool } from './tool.ts';
import { tools, toolsOfPages } from './toolSet.ts';

type Listed = ListToolsResult['tools'][number];

const known = new Map<Tool, Listed>();

export function listedTools(showsPages: boolean): ListToolsResult {
  const all = showsPages ? [...tools, ...toolsOfPages] : tools;
  return { tools: all.map((one) => known.get(one) ?? listed(one)) };
}

/** What the tool does, as the protocol has it; kept, since making schemas takes longer than all else of an answer. */
function listed(one: Tool): Listed {
  const { name, title, about, input, output, page, onlyForPages } = one;
  const { readOnly, destructive = false, idempotent = false } = one;
  const made: Listed = {
    name,
    title,
    description: about,
    inputSchema: schemaOf(input, 'input'),
    outputSchema: schemaOf(output, 'output'),
    annotations: {
      readOnlyHint: readOnly,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: false,
    },
    _meta: metaOfPage(page, onlyForPages),
  };
  known.set(one, made);
  return made;
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Listed['inputSchema'] {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io })));
}
