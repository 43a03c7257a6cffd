// The processes that run a selection of a Cypress project: one for each testing type.
import path from 'node:path';
import picomatch from 'picomatch';
import { HumanError } from '../../base/humanError.ts';
import { toRelativePosix } from '../../base/paths.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { checkFilter, escapePattern } from '../filter.ts';
import type { FrameworkProject, Launch, ListedFile, Selection } from '../framework.ts';
import { batches, browserOptions, selectedFiles } from '../launchParts.ts';
import type { TestingType } from './cypressConfig.ts';

/** All specs of a start are one argument: Linux takes 128 KiB, Windows 32,767 characters for all of them. */
const longestSpecs = process.platform === 'win32' ? 20_000 : 100_000;

/**
 * `node cypressHost.mjs …`; the specs of a type share a browser and a server. The native filter is a part of a spec's path (CONTRACTS
 * Q2); titles narrow the results only, because Cypress itself has no filter for them. Throws a HumanError: `not-installed` when the
 * project has no Cypress, `bad-input` for filters that CONTRACTS Q4 refuses.
 */
export function cypressLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
  listed: readonly ListedFile[],
): readonly Launch[] {
  const { entry, root, problem } = project;
  const { filter, nativeFilter } = selection;
  if (filter !== undefined) checkFilter(filter);
  const part = nativeFilter === undefined ? undefined : checkFilter(nativeFilter);
  if (entry === undefined) {
    throw new HumanError('not-installed', problem?.message ?? `Cypress is not installed in ${root}.`, {
      file: problem?.file ?? path.join(root, 'package.json'),
      remedy: problem?.remedy ?? 'Run `npm install -D cypress`.',
    });
  }
  const chosen = selectedFiles(selection);
  const relative = (file: string): string => toRelativePosix(root, file);
  const isNamed = part === undefined ? () => true : picomatch(`**/*${part}*`, { dot: true });
  const types: readonly TestingType[] = ['e2e', 'component'];
  return types.flatMap((type) => {
    const files = listed
      .filter(({ file, project: own = 'e2e' }) => own === type && (chosen?.includes(file) ?? true))
      .map(({ file }) => file)
      .filter((file) => isNamed(relative(file)));
    if (files.length === 0) return [];
    return batches(files, longestSpecs).map((batch) => ({
      project,
      args: [
        injectedFile('frameworks/cypress', 'cypressHost.mjs'),
        '--entry',
        entry,
        '--',
        `--${type}`,
        ...browserOptions(selection.browser),
        '--spec',
        batch.map((file) => asGlob(relative(file))).join(','),
      ],
      cwd: root,
      env: {},
      files: batch,
      timeoutMs: workspace.limits.timeoutMs,
      exitTells: true,
      // The configuration, a server and a port are the project's.
      lane: `cypress ${root}`,
    }));
  });
}

/** `--spec` takes patterns, separated by commas. */
function asGlob(file: string): string {
  return /[^\w./-]/.test(file)
    ? escapePattern(file)
        .replaceAll('\\.', '.')
        .replaceAll('\\/', '/')
        .replaceAll('\\-', '-')
        .replaceAll(',', '?')
    : file;
}
