// Runs the scenarios of a process several at once, tries failed ones again, and leaves the results of those that are not plainly green.
import { randomBytes } from 'node:crypto';
import { access, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { errorMessage, HumanError } from '../../base/humanError.ts';
import { inParallel } from '../../base/inParallel.ts';
import { fileName } from '../../scenario/engine/evidence.ts';
import { recordHealings } from '../../scenario/engine/healingRecords.ts';
import type { ScenarioResult } from '../../scenario/engine/result.ts';
import { runScenario } from '../../scenario/engine/runScenario.ts';
import type { LoadedScenario } from '../../scenario/project/loadProject.ts';
import type { OpenedBrowser } from './openBrowser.ts';
import type { ScenarioMessages } from './scenarioMessages.ts';
import type { WorkerTask } from './workerTask.ts';

interface LoadedRun {
  readonly task: WorkerTask;
  readonly opened: (first: LoadedScenario) => Promise<OpenedBrowser>;
  readonly messages: ScenarioMessages;
  readonly signal: AbortSignal;
}

/** Folders of former runs that stay. */
const keptRuns = 20;

/** Those that save a storage state come before those that use one. */
export async function runLoaded(scenarios: readonly LoadedScenario[], run: LoadedRun): Promise<void> {
  const { task, messages, signal } = run;
  const runId = `${new Date().toISOString().replace(/\D/g, '').slice(0, 14)}-${randomBytes(3).toString('hex')}`;
  const used = new Set(scenarios.flatMap(({ scenario }) => scenario.storageState?.use ?? []));
  const isNeeded = ({ scenario: { storageState } }: LoadedScenario): boolean =>
    storageState?.saveAs !== undefined && used.has(storageState.saveAs);
  const [first] = scenarios;
  const workers = first?.project.config.workers ?? task.workers;
  const folder = path.join(task.root, '.testmend', 'scenarios');
  for (const part of [scenarios.filter(isNeeded), scenarios.filter((one) => !isNeeded(one))])
    await inParallel(part, task.debug ? 1 : workers, (one) => runOne(one));
  await dropOldRuns(folder);

  async function runOne(loaded: LoadedScenario): Promise<void> {
    if (signal.aborted) return;
    const { scenario, file, project } = loaded;
    messages.started(file);
    if (scenario.skip !== undefined && scenario.skip !== false) return messages.skipped(loaded);
    let before: ScenarioResult | undefined;
    try {
      const { browser, newRequests } = await run.opened(loaded);
      const retries = scenario.retries ?? project.config.retries ?? 0;
      const evidence = path.join(folder, runId, fileName(scenario.id));
      for (let tries = 0; ; tries++) {
        const result = await runScenario({
          ...loaded,
          browser,
          newRequests,
          runId,
          root: task.root,
          isRetry: tries > 0,
          evidence: tries === 0 ? evidence : path.join(evidence, `retry-${tries}`),
          states: path.join(folder, 'state'),
          untrusted: task.untrusted ?? false,
          env: process.env,
          signal,
          onStep: (step) => messages.step(file, step),
        });
        if (result.state === 'failed' && tries < retries) {
          before ??= result;
          continue;
        }
        await keepResult(task.root, evidence, result);
        const told = await recordHealings(result, {
          root: task.root,
          autoApprove: task.autoApprove ?? false,
        });
        return messages.ended(loaded, { ...result, notes: [...result.notes, ...told] }, before);
      }
    } catch (error) {
      if (signal.aborted) return;
      const remedy = error instanceof HumanError ? ` ${error.details.remedy}` : '';
      messages.errored(loaded, `${errorMessage(error)}${remedy}`);
    }
  }
}

/** `result.json` with every attempt, of what failed or was healed (S5). */
async function keepResult(root: string, evidence: string, result: ScenarioResult): Promise<void> {
  const ignore = path.join(root, '.testmend', '.gitignore');
  if (result.state === 'failed' || result.state === 'healed') {
    await mkdir(evidence, { recursive: true });
    await writeFile(path.join(evidence, 'result.json'), `${JSON.stringify(result, null, 1)}\n`);
  }
  const isThere = (file: string): Promise<boolean> =>
    access(file).then(
      () => true,
      () => false,
    );
  if ((await isThere(path.dirname(ignore))) && !(await isThere(ignore))) await writeFile(ignore, '*\n');
}

async function dropOldRuns(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const runs = names.filter((name) => /^\d{14}-[\da-f]{6}$/.test(name)).sort();
  for (const name of runs.slice(0, -keptRuns))
    await rm(path.join(folder, name), { recursive: true, force: true });
}
