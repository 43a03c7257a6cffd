// What a command says where there are no tests at all: how to get a first one.
import type { Workspace } from '../core/model/settings.ts';

/** A sentence with the exact command; none where nothing could be tested. Throws the cancellation error. */
export async function firstTestOffer(workspace: Workspace, signal: AbortSignal): Promise<readonly string[]> {
  const { likelySource } = await import('../core/firstTest/likelySource.ts');
  const source = await likelySource(workspace, signal);
  if (source === undefined) return [];
  return [`For a first test: testmend generate ${inShell(source)}`];
}

function inShell(file: string): string {
  return /^[\w./@+-]+$/.test(file) && !file.startsWith('-') ? file : `'${file.replaceAll("'", "'\\''")}'`;
}
