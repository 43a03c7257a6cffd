// Runs a first test in a sandbox copy, before anybody calls it runnable.
import path from 'node:path';
import { HumanError, throwIfCancelled } from '../base/humanError.ts';
import { frameworkOf } from '../frameworks/registry.ts';
import type { Workspace } from '../model/settings.ts';
import type { RunSummary } from '../model/testResult.ts';
import { runTests } from '../run/runTests.ts';
import { projectsInSandbox } from '../verification/relocate.ts';
import { openCopySandbox } from '../sandbox/copySandbox.ts';
import { whileReading } from '../sandbox/readWorkspace.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { FirstTest } from './makeFirstTest.ts';

export interface Tryout {
  readonly runs: boolean;
  readonly passed: number;
  /** Places for real assertions. */
  readonly toDo: number;
  /** Why it does not run, with what can be done about it. */
  readonly reason?: string;
}

/** Nothing in the workspace changes. Throws a HumanError when no copy can be made, and the cancellation error. */
export async function tryFirstTest(
  workspace: Workspace,
  test: FirstTest,
  signal?: AbortSignal,
): Promise<Tryout> {
  const { problem } = test.project;
  if (problem) return unfit(`${problem.message} ${problem.remedy}`);
  const notes = (): void => undefined;
  return whileReading(workspace.root, notes, () => tryInCopy(workspace, test, signal));
}

async function tryInCopy(
  workspace: Workspace,
  test: FirstTest,
  signal: AbortSignal | undefined,
): Promise<Tryout> {
  const sandbox = await openCopySandbox({ root: workspace.root, ...(signal && { signal }) });
  try {
    await sandbox.write(new Map([[test.file, test.text]]));
    const first = await runIn(sandbox, workspace, test, signal);
    if (first.runs) return first;
    // It may need what git ignores: what a build has written, generated code.
    const { changed } = await sandbox.copyIgnored();
    return changed > 0 ? await runIn(sandbox, workspace, test, signal) : first;
  } finally {
    await sandbox.dispose();
  }
}

async function runIn(
  sandbox: Sandbox,
  workspace: Workspace,
  { file, project }: FirstTest,
  signal: AbortSignal | undefined,
): Promise<Tryout> {
  const frameworks = (id: typeof project.framework): ReturnType<typeof frameworkOf> =>
    frameworkOf({ framework: id });
  const projects = projectsInSandbox([project], frameworks, sandbox);
  const absolute = path.join(sandbox.root, file);
  const { label } = frameworkOf(project);
  const [copy = project] = projects;
  const listed = await frameworkOf(project).listTestFiles(copy, signal);
  if (!listed.some((one) => one.file === absolute)) {
    return unfit(
      `${label} does not treat ${file} as a test file: its configuration in this workspace names others.`,
    );
  }
  try {
    const summary = await runTests({
      workspace: { ...workspace, root: sandbox.root },
      projects,
      frameworks,
      selection: { files: [absolute], updateSnapshots: false },
      ...(signal && { signal }),
    });
    throwIfCancelled(signal);
    return judge(summary, sandbox);
  } catch (error) {
    if (!(error instanceof HumanError) || error.code === 'cancelled') throw error;
    return unfit(sandbox.told(`${error.message} ${error.details.remedy}`));
  }
}

function judge(summary: RunSummary, sandbox: Sandbox): Tryout {
  const { ended, passed, failed, errored, skipped, tests, notes } = summary;
  const counts = { passed, toDo: skipped };
  if (ended === 'complete' && passed > 0 && failed + errored === 0) return { runs: true, ...counts };
  const failure = tests.find((one) => one.failure !== undefined)?.failure;
  const message = failure?.message ?? notes[0] ?? 'No test ran.';
  const said = ended === 'timeout' ? 'It did not finish within its time limit.' : message;
  return { runs: false, ...counts, reason: sandbox.told(said) + helpFor(said) };
}

/** What helps where Node was to load what it cannot. */
function helpFor(message: string): string {
  if (/Unknown file extension "\.[cm]?tsx?"/.test(message))
    return '\nThis node loads no TypeScript: install tsx or a framework such as vitest, or use Node 22.18 or newer.';
  return '';
}

const unfit = (reason: string): Tryout => ({ runs: false, passed: 0, toDo: 0, reason });

/** `runs: 1 passed, 3 to do`, or why it does not. */
export function tryoutText({ runs, passed, toDo, reason = '' }: Tryout): string {
  return runs ? `runs: ${passed} passed, ${toDo} to do` : `does not run: ${reason}`;
}
