// Content hashes, for caches and for noticing that a file changed under a proposal.
import { createHash } from 'node:crypto';

/** SHA-1 of the text, hex; identity only, not security. */
export function hashText(text: string | Uint8Array): string {
  return createHash('sha1').update(text).digest('hex');
}
