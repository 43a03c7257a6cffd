// Remembers the test files that a run had and no listing finds.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toRelativePosix } from '../base/paths.ts';
import type { FrameworkProject } from '../model/frameworkProject.ts';
import type { Workspace } from '../model/settings.ts';
import { fileTestId, frameworkOfId, projectOfId } from '../model/testId.ts';
import type { RunSummary } from '../model/testResult.ts';
import type { TestListing } from './discover.ts';
import { configurationOf, ranKey, ranMemoryFile, readRanMemory, type RanMemory } from './ranFiles.ts';
import { frameworkOf } from './registry.ts';
import { writeEntries } from './scanCache.ts';

/**
 * What a complete run of everything says of its projects: files that it ran and the listing does not have, and in which tests are
 * found, are listed from now on, until a configuration is written anew or another such run says otherwise. True when that changes.
 */
export async function rememberRanFiles(
  workspace: Pick<Workspace, 'root' | 'cacheFolder'>,
  { projects, files }: TestListing,
  { ended, tests }: RunSummary,
): Promise<boolean> {
  if (ended !== 'complete') return false;
  const { root } = workspace;
  const found = new Set(files.filter((listed) => !listed.ran).map(({ file }) => file));
  const former = readRanMemory(workspace);
  const memory: Record<string, RanMemory[string]> = { ...former };
  for (const project of projects) {
    const { framework } = project;
    const own = tests.filter(
      ({ id, file }) => frameworkOfId(id) === framework && isOwn(project, file, projects, root),
    );
    if (own.length === 0) continue;
    const ran = new Map<string, NonNullable<FrameworkProject['ranFiles']>[number]>();
    for (const { id, file } of own) {
      const name = projectOfId(id, file);
      const key = fileTestId(framework, name, file);
      if (found.has(file) || ran.has(key) || !(await holdsTests(project, path.join(root, file)))) continue;
      const relative = toRelativePosix(project.root, path.join(root, file));
      ran.set(key, { file: relative, ...(name !== undefined && { project: name }) });
    }
    const key = ranKey(project, root);
    if (ran.size > 0) memory[key] = { configuration: configurationOf(project), files: [...ran.values()] };
    else delete memory[key];
  }
  const [before, after] = [JSON.stringify(former), JSON.stringify(memory)];
  if (before === after) return false;
  await writeEntries(ranMemoryFile(workspace), after);
  return true;
}

/** The deepest project of the framework around the file. */
function isOwn(
  { framework, root: folder }: FrameworkProject,
  file: string,
  projects: readonly FrameworkProject[],
  root: string,
): boolean {
  const absolute = path.join(root, file);
  const around = projects
    .filter((one) => one.framework === framework && absolute.startsWith(one.root + path.sep))
    .map((one) => one.root);
  return around.length > 0 && around.reduce((a, b) => (b.length > a.length ? b : a)) === folder;
}

/** Are there tests in the text of an absolute file? A report alone makes no file a test file. */
export async function holdsTests(project: FrameworkProject, file: string): Promise<boolean> {
  const framework = frameworkOf(project);
  if (framework.fileTitle || path.basename(file) === 'package.json') return false;
  try {
    const { tests } = await framework.scan(file, readFileSync(file, 'utf8'), { thorough: true, project });
    return tests.length > 0;
  } catch {
    return false;
  }
}
