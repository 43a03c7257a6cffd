// The process that runs scenarios: one for all that share a configuration, since they share a browser.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { HumanError } from '../../base/humanError.ts';
import type { Workspace } from '../../model/settings.ts';
import { playwrightRemedy } from '../../scenario/browser/findBrowser.ts';
import { checkFilter, matchesFilter } from '../filter.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { batches, selectedFiles } from '../launchParts.ts';
import { textOfFile } from '../configFiles.ts';
import type { WorkerTask } from './workerTask.ts';

/**
 * `listed` gives the files when the selection names none. Filters go by title and tags. Throws a HumanError: `not-installed` without
 * Playwright or a browser, `bad-input` for a filter that CONTRACTS Q4 refuses.
 */
export async function scenarioLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
  listed: () => Promise<readonly string[]>,
): Promise<readonly Launch[]> {
  const { root, entry, problem } = project;
  for (const filter of [selection.filter, selection.nativeFilter])
    if (filter !== undefined) checkFilter(filter);
  if (entry === undefined || problem !== undefined)
    throw new HumanError('not-installed', problem?.message ?? 'playwright-core is not installed.', {
      file: problem?.file ?? root,
      remedy: problem?.remedy ?? playwrightRemedy,
    });
  const chosen = selectedFiles(selection) ?? (await listed());
  const files = await filtered(chosen, selection);
  const { scenario, browser } = selection;
  const task: WorkerTask = {
    root: project.copy?.original === undefined ? workspace.root : root,
    playwright: entry,
    workers: Math.max(1, Math.min(4, workspace.limits.maxParallel)),
    ...(scenario?.environment !== undefined && { environment: scenario.environment }),
    ...(scenario?.untrusted && { untrusted: true }),
    ...(scenario?.autoApprove && { autoApprove: true }),
    ...(browser?.headed && { headed: true }),
    ...(browser?.name !== undefined && { browser: browser.name }),
    ...(selection.debug && { debug: true }),
  };
  return batches(files).flatMap((batch) =>
    batch.length === 0
      ? []
      : [
          {
            project,
            args: [...workerCommand(), JSON.stringify(task), '--', ...batch],
            cwd: root,
            env: {},
            files: batch,
            timeoutMs: workspace.limits.timeoutMs,
            // Scenarios of one project meet the same application.
            lane: `scenario ${root}`,
          },
        ],
  );
}

async function filtered(
  files: readonly string[],
  { filter, nativeFilter }: Selection,
): Promise<readonly string[]> {
  if (filter === undefined && nativeFilter === undefined) return files;
  const [{ readScenario }, { scenarioTitle, matchesTags }] = await Promise.all([
    import('../../scenario/readScenario.ts'),
    import('../../scenario/scenarioTitle.ts'),
  ]);
  return files.filter((file) => {
    const { value } = readScenario(textOfFile(file) ?? '', file);
    if (value === undefined) return false;
    return (
      (filter === undefined || matchesFilter([scenarioTitle(value)], filter)) &&
      (nativeFilter === undefined || matchesTags(value, nativeFilter))
    );
  });
}

/** The bundle beside this one, else the source with the loader of TypeScript that we run with ourselves. */
function workerCommand(): readonly string[] {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const bundled = path.join(here, 'scenarioWorker.js');
  if (existsSync(bundled)) return [bundled];
  return [
    '--import',
    pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href,
    path.join(here, 'scenarioWorker.ts'),
  ];
}
