// Lets the frameworks say which files are their tests, where a configuration that computes them keeps a fix cycle from knowing.
import path from 'node:path';
import { holdsTests, rememberRanFiles } from '../frameworks/rememberRanFiles.ts';
import type { RunEvent } from '../model/testResult.ts';
import { runTests } from '../run/runTests.ts';
import type { OpenedWorkspace } from './openWorkspace.ts';

/** No test file is listed, or one that was named (as typed) holds tests and is not. */
export async function isListingInDoubt(
  typed: readonly string[],
  { testFiles, projects, workspace }: OpenedWorkspace,
): Promise<boolean> {
  if (testFiles.length === 0) return true;
  const known = new Set(testFiles);
  const named = typed
    .flatMap((name) => [path.resolve(name), path.resolve(workspace.root, name)])
    .filter((file) => !known.has(file));
  for (const file of named)
    for (const project of projects)
      if (file.startsWith(workspace.root + path.sep) && (await holdsTests(project, file))) return true;
  return false;
}

/** Runs everything once; true when the workspace lists other files from now on, so that it has to be opened anew. */
export async function learnTestFiles(
  { workspace, projects, frameworks, listing }: OpenedWorkspace,
  signal: AbortSignal,
  onEvent: (event: RunEvent) => void,
): Promise<boolean> {
  const summary = await runTests({ workspace, projects, frameworks, selection: {}, signal, onEvent });
  return rememberRanFiles(workspace, listing, summary);
}
