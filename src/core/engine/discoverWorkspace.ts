// The tests of a workspace, found without running any of its code: as a document, or to be shown.
import { discoverTests, type TestListing } from '../frameworks/discover.ts';
import { discoverAnswer, type DiscoverAnswer } from '../frameworks/discoverAnswer.ts';
import { toDiscoverJson, type DiscoverJson } from '../frameworks/discoverJson.ts';
import type { Workspace } from '../model/settings.ts';
import type { TestFile } from '../model/testNode.ts';
import { firstTestOffer } from './firstTestOffer.ts';

interface DiscoveredWorkspace {
  readonly files: readonly TestFile[];
  /** The document of `testmend discover --json`, exactly as INTERFACES has it. */
  readonly json: DiscoverJson;
  /** What to do where there is no test file, as sentences. */
  readonly offer: readonly string[];
}

export async function discoverWorkspace(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<DiscoveredWorkspace> {
  const discovery = await discoverTests(workspace, {}, signal);
  const offer = discovery.files.length === 0 ? await firstTestOffer(workspace, signal) : [];
  return { files: discovery.files, json: toDiscoverJson(discovery), offer };
}

/** The same document as text, from an earlier start where nothing changed since. */
export function discoverDocument(workspace: Workspace, signal: AbortSignal): Promise<DiscoverAnswer> {
  const offer = async ({ files }: TestListing): Promise<readonly string[]> =>
    files.length === 0 ? firstTestOffer(workspace, signal) : [];
  return discoverAnswer(workspace, offer, signal);
}
