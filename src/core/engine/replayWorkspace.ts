// How Testmend would have done on commits of the repository; the workspace is only read.
import { HumanError } from '../base/humanError.ts';
import { shellCommands } from '../frameworks/shellWords.ts';
import type { Workspace } from '../model/settings.ts';
import { chooseCommits, type Commit, type CommitChoice } from '../replay/commits.ts';
import type { InstallSteps } from '../replay/environments.ts';
import { loadMutator } from '../replay/mutants.ts';
import { replayCommits, type ReplayEvent } from '../replay/replayCommits.ts';
import { replayReportSchema, type ReplayReport } from '../replay/replayReport.ts';

export type { CommitChoice } from '../replay/commits.ts';
export type { InstallSteps } from '../replay/environments.ts';
export type { ReplayEvent } from '../replay/replayCommits.ts';
export type { ReplayReport } from '../replay/replayReport.ts';

interface WorkspaceReplay {
  readonly workspace: Workspace;
  readonly choice: CommitChoice;
  readonly install?: InstallSteps | undefined;
  /** Counts the mutants that mended tests notice. */
  readonly mutants: boolean;
  readonly commitTimeoutMs: number;
  readonly installTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** The report is the document of `testmend replay --json`. Throws a `usage` HumanError when no commit fits the choice. */
export async function replayWorkspace(
  { workspace, choice, install, mutants, ...rest }: WorkspaceReplay,
  onEvent: (event: ReplayEvent) => void,
): Promise<ReplayReport> {
  const mutate = mutants ? await loadMutator(workspace.root) : undefined;
  const commits = await commitsOf(workspace.root, choice, rest.signal);
  const asked = { workspace, commits, ...(install && { install }), ...(mutate && { mutate }), ...rest };
  return replayReportSchema.parse(await replayCommits(asked, onEvent));
}

async function commitsOf(
  root: string,
  choice: CommitChoice,
  signal: AbortSignal,
): Promise<readonly Commit[]> {
  const commits = await chooseCommits(root, choice, signal);
  if (commits.length > 0) return commits;
  throw new HumanError('usage', 'There is no commit to replay.', {
    file: root,
    remedy: 'Choose commits with --commits N, --since REF or --commit SHA.',
  });
}

/** The words of each command, joined by `&&`: they never meet a shell, so nothing in them may need one. */
export function installSteps(text: string | undefined): InstallSteps | undefined {
  if (text === undefined) return undefined;
  const commands = text.split(/\s&&\s/).map((one) => shellCommands(one));
  const isPlain = commands.every(
    ([words = [], ...more]) =>
      more.length === 0 && words.length > 0 && !words.some(({ computed, glob }) => computed || glob),
  );
  if (isPlain) return commands.map(([words = []]) => words.map((word) => word.text));
  throw new HumanError('usage', `--install "${text}" needs a shell.`, {
    value: text,
    remedy:
      'Use commands without pipes, variables or patterns, joined by &&: --install "npm ci", or --install "python3 -m venv .venv && pip install -e . pytest".',
  });
}
