// Records a scenario into a file: its place is looked at before the browser opens, and it is written when that is closed.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { HumanError } from '../base/humanError.ts';
import { toRelativePosix } from '../base/paths.ts';
import { recordScenario, type RecordOptions } from '../scenario/recording/recordScenario.ts';
import { alreadyThere, writeScenarioFile } from '../scenario/writeScenarioFile.ts';
import { scenarioText } from '../scenario/writtenScenario.ts';
import { scenarioConfigFor } from './scenarioFiles.ts';

interface RecordRequest extends Pick<RecordOptions, 'root' | 'url' | 'headless' | 'signal' | 'onOpened'> {
  /** Absolute; absent: `recorded.scenario.yaml` in the folder, or the next free one after it. */
  readonly file?: string | undefined;
  /** Absolute. */
  readonly folder: string;
  /** Write over the file. */
  readonly force: boolean;
}

interface RecordedFile {
  /** Absolute. */
  readonly file: string;
  readonly steps: number;
  /** What a person should look at. */
  readonly notes: readonly string[];
}

/** Also ends, and keeps what there is, when the signal is aborted. Throws a HumanError. */
export async function recordToFile(request: RecordRequest): Promise<RecordedFile> {
  const { folder, force, root } = request;
  const file = request.file ?? freeFile(path.join(folder, 'recorded.scenario.yaml'));
  if (!/\.scenario\.ya?ml$/.test(file))
    throw new HumanError('usage', `${file} is no name of a scenario.`, {
      value: file,
      remedy: 'Name a file that ends with .scenario.yaml.',
    });
  if (!force && existsSync(file)) throw alreadyThere(file);
  const name = path
    .basename(file)
    .replace(/\.scenario\.ya?ml$/, '')
    .replace(/[-_]+/g, ' ');
  const { scenario, notes } = await recordScenario({
    ...request,
    name: name.charAt(0).toUpperCase() + name.slice(1),
    config: scenarioConfigFor(file, root),
    browser: process.env['TESTMEND_SCENARIO_BROWSER'] || undefined,
  });
  // What took a person minutes is not lost to a file that came to be there meanwhile.
  const written = force || !existsSync(file) ? file : freeFile(file);
  const passwords = (scenario.variables ?? []).map(
    ({ name: variable, fromEnv = '' }) => `{{${variable}}} is ${fromEnv} of the environment.`,
  );
  const all = [...notes, ...passwords];
  await writeScenarioFile(written, scenarioText(scenario, all), force);
  return { file: written, steps: scenario.steps.length, notes: all };
}

/** Into the root; the file relative to it. */
export async function recordForEditor(
  root: string,
  url: string | undefined,
  signal: AbortSignal,
): Promise<{ file: string; steps: number; notes: string[] }> {
  const { file, steps, notes } = await recordToFile({ root, folder: root, url, force: false, signal });
  return { file: toRelativePosix(root, file), steps, notes: [...notes] };
}

/** `recorded.scenario.yaml`, `recorded-2.scenario.yaml`, … */
function freeFile(file: string): string {
  for (let count = 1; ; count++) {
    const free = count === 1 ? file : file.replace(/(?=\.scenario\.ya?ml$)/, `-${count}`);
    if (!existsSync(free)) return free;
  }
}
