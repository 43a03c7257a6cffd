// First tests: for which source, their text and place, whether they run, and writing them.
import { likelySource } from '../firstTest/likelySource.ts';
import { makeFirstTest, type FirstTest } from '../firstTest/makeFirstTest.ts';
import { tryFirstTest, type Tryout } from '../firstTest/tryFirstTest.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { Workspace } from '../model/settings.ts';

export { makeFirstTest, type FirstTest } from '../firstTest/makeFirstTest.ts';
export { tryFirstTest, tryoutText, type Tryout } from '../firstTest/tryFirstTest.ts';
export { writeFirstTest } from '../firstTest/writeFirstTest.ts';

/** Who runs the test, as people write it: "Vitest". */
export const runnerOf = ({ project }: Pick<FirstTest, 'project'>): string => frameworkOf(project).label;

export async function sourceToBeginWith(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<{ file?: string }> {
  const file = await likelySource(workspace, signal);
  return file === undefined ? {} : { file };
}

export async function newTestFor(
  workspace: Workspace,
  source: string,
  signal: AbortSignal,
): Promise<{ file: string; text: string; framework: string; notes: string[] }> {
  const { file, text, project, notes } = await makeFirstTest(workspace, source, signal);
  return { file, text, framework: frameworkOf(project).label, notes: [...notes] };
}

/** Of the text as it is in the editor, where somebody may have gone on with it. */
export async function triedTestFor(
  workspace: Workspace,
  { source, text }: { readonly source: string; readonly text: string },
  signal: AbortSignal,
): Promise<Tryout> {
  const made = await makeFirstTest(workspace, source, signal);
  return tryFirstTest(workspace, { ...made, text }, signal);
}
