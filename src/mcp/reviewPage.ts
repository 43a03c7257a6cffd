// The MCP App of the server: the panel in which a person reviews fixes, for clients that show pages of servers in the chat.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';

declare const TESTMEND_REVIEW_PAGE: string | undefined;

/** The extension of the protocol, as clients name it among their capabilities. */
const extension = 'io.modelcontextprotocol/ui';
const mimeType = 'text/html;profile=mcp-app';

export const reviewAddress = 'ui://testmend/review';

const capabilitiesSchema = z.object({
  extensions: z.object({
    [extension]: z.object({ mimeTypes: z.array(z.string()).refine((types) => types.includes(mimeType)) }),
  }),
});

/** Whether a client with these capabilities shows pages: it keeps the tools of a page from the model then. */
export const showsPages = (capabilities: unknown): boolean =>
  capabilitiesSchema.safeParse(capabilities).success;

/** What the extension wants to know of a tool; the second key is that of its drafts. */
export function metaOfPage(
  page: string | undefined,
  onlyForPages = false,
): Record<string, unknown> | undefined {
  if (onlyForPages) return { ui: { visibility: ['app'] } };
  return page === undefined ? undefined : { ui: { resourceUri: page }, 'ui/resourceUri': page };
}

export function addReviewPage(server: McpServer): void {
  const about = {
    title: 'Review of fixes',
    description: 'Diffs and verdicts of the fixes of a cycle, for a person to accept or reject.',
    mimeType,
  };
  // It needs no network, and no more rights than a page has.
  const meta = { ui: { csp: {}, prefersBorder: true } };
  server.registerResource('review', reviewAddress, about, async () => ({
    contents: [{ uri: reviewAddress, mimeType, text: await pageText(), _meta: meta }],
  }));
}

/** The build makes it: a file beside the bundle, or in the extension a part of it. */
async function pageText(): Promise<string> {
  if (typeof TESTMEND_REVIEW_PAGE === 'string') return TESTMEND_REVIEW_PAGE;
  const here = path.dirname(fileURLToPath(import.meta.url));
  const beside = path.join(here, 'review.html');
  return readFile(existsSync(beside) ? beside : path.resolve(here, '../../dist/review.html'), 'utf8');
}
