// The processes that run skill tests: one for each file, in the file's own folder (CONTRACTS K4).
import path from 'node:path';
import { hashText } from '../../base/hash.ts';
import { HumanError } from '../../base/humanError.ts';
import type { Workspace } from '../../model/settings.ts';
import { injectedFile } from '../../process/injectedFile.ts';
import { checkFilter, matchesFilter } from '../filter.ts';
import type { FrameworkProject, Launch, Selection } from '../framework.ts';
import { nodeCoverageEnv } from '../nodeCoverage.ts';

const suffix = '.tests.mjs';

/** Title of the one test that a skill file is: its short name (K1). */
export function skillTitle(file: string): string {
  const name = path.basename(file);
  return name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}

/**
 * One launch for each selected file; `listed` gives the files when the selection names none. Filters pick files by title.
 * Throws a `bad-input` HumanError for a filter that CONTRACTS Q4 refuses.
 */
export async function skillLaunches(
  project: FrameworkProject,
  selection: Selection,
  workspace: Workspace,
  listed: () => Promise<readonly string[]>,
): Promise<readonly Launch[]> {
  const filters = [selection.filter, selection.nativeFilter].flatMap((filter) =>
    filter === undefined ? [] : checkFilter(filter),
  );
  const { files, tests } = selection;
  const chosen =
    files === undefined && tests === undefined
      ? await listed()
      : [...(files ?? []), ...(tests ?? []).filter(isTheTest).map(({ file }) => file)];
  const host = injectedFile('frameworks/skill', 'skillHost.mjs');
  return [...new Set(chosen)]
    .filter((file) => filters.every((filter) => matchesFilter([skillTitle(file)], filter)))
    .map(launchOf);

  function launchOf(file: string): Launch {
    const title = skillTitle(file);
    return {
      project,
      args: [host, file, title],
      // With coverage every process counts from its start and leaves that in a place of its own.
      ...(selection.coverage ? {} : { spare: { args: [host], task: { file, title } } }),
      cwd: path.dirname(file),
      env: nodeCoverageEnv(selection, skillPart(file)),
      files: [file],
      timeoutMs: workspace.limits.skillTimeoutMs,
      exitTells: true,
    };
  }
}

/** Where the process of a skill file leaves its coverage. */
export function skillPart(file: string): string {
  return hashText(path.normalize(file));
}

/** A selected test of a skill file can only be the file itself. */
function isTheTest({ file, names }: { readonly file: string; readonly names: readonly string[] }): boolean {
  if (names.length === 0 || (names.length === 1 && names[0] === skillTitle(file))) return true;
  throw new HumanError('bad-input', `${path.basename(file)} has no test named "${names.join(' ')}".`, {
    file,
    value: names.join(' '),
    remedy: 'A skill file is one test; run the file.',
  });
}
