// Runs tests of applied fixes again, in the Testing view like any other run, and tells how they ended.
import { fileIdOf } from '../../core/model/testId.ts';
import { requests } from '../../server/messages.ts';
import type { Rerun } from '../../webview/messages.ts';
import type { EngineClient } from '../engineClient.ts';
import type { Testing } from '../testing/testing.ts';

/** Outcomes by id, only of tests that ran and whose files did not change since. */
export async function outcomesOf(
  root: string,
  ids: readonly string[],
  engine: EngineClient,
  testing: Testing,
): Promise<Rerun['outcomes']> {
  await testing.discovery.listed();
  // After a reload the view may not know the tests of a file yet.
  for (const fileId of new Set(ids.map(fileIdOf))) {
    const item = testing.tree.get(root, fileId);
    if (item !== undefined) await testing.resolve(item);
  }
  await testing.runIds(root, ids);
  const { results } = await engine.request(requests.lastResults, { root });
  const wanted = new Set(ids);
  const outcomes: Rerun['outcomes'] = {};
  for (const { result, outdated } of results) {
    if (outdated || result.outcome === 'skipped') continue;
    const outcome = result.outcome === 'passed' ? 'passed' : 'failed';
    if (wanted.has(result.id)) outcomes[result.id] = outcome;
    // A file that did not load was one failure; now its tests speak for it.
    const fileId = fileIdOf(result.id);
    if (fileId !== result.id && wanted.has(fileId) && outcomes[fileId] !== 'failed')
      outcomes[fileId] = outcome;
  }
  return outcomes;
}
