// The command of a coding agent: a template by name, or any command line, as words; never through a shell.
import path from 'node:path';
import { HumanError } from '../../base/humanError.ts';
import { shellCommands } from '../../frameworks/shellWords.ts';

/** How the agents that people have are started without questions; `{task}` is the task as text, `{taskFile}` a file with it. */
export const agentTemplates: Readonly<Record<string, string>> = {
  aider: 'aider --yes-always --no-auto-commits --no-git --message-file {taskFile}',
  claude: 'claude -p {task} --permission-mode acceptEdits',
  codex: 'codex exec --full-auto {task}',
  copilot: 'copilot -p {task} --allow-all-tools',
  gemini: 'gemini --approval-mode auto_edit -p {task}',
  opencode: 'opencode run {task}',
};

/** Where these agents keep logins and settings, below the user's home. */
const agentFiles: Readonly<Record<string, readonly string[]>> = {
  aider: ['.aider.conf.yml', '.aider.model.settings.yml', '.aider.model.metadata.json', '.aider', '.env'],
  claude: ['.claude.json', '.claude', '.config/claude'],
  codex: ['.codex'],
  copilot: ['.copilot', '.config/github-copilot', '.config/gh'],
  gemini: ['.gemini'],
  opencode: ['.config/opencode', '.local/share/opencode', '.local/state/opencode'],
};

/** Paths below the home in which the agent keeps its login and its settings; none for one that we do not know. */
export const agentFilesOf = ({ command }: AgentCommand): readonly string[] =>
  agentFiles[path.basename(command)] ?? [];

export interface AgentCommand {
  /** For people. */
  readonly name: string;
  readonly command: string;
  /** The program and its words, with `{task}` or `{taskFile}` in one of them. */
  readonly words: readonly string[];
}

/**
 * Throws a `usage` HumanError for a line that holds no command, several, or no place for the task; it names what the line was given
 * with.
 */
export function readAgentCommand(line: string, givenWith: string): AgentCommand {
  const template = agentTemplates[line.trim()] ?? line;
  const fail = (why: string): never => {
    throw new HumanError('usage', `${givenWith} ${why}`, {
      value: line,
      remedy: `Name one of ${Object.keys(agentTemplates).join(', ')}, or a command line that contains {task} or {taskFile}.`,
    });
  };
  const [words, ...more] = shellCommands(template);
  if (words === undefined) return fail('needs a command.');
  if (more.length > 0)
    return fail('takes one command: Testmend starts it without a shell, so commands cannot be joined.');
  const computed = words.find((word) => word.computed);
  if (computed) return fail(`contains "${computed.text}", which only a shell could expand.`);
  const [command, ...rest] = words.map(({ text }) => text);
  if (command === undefined || command === '') return fail('needs a command.');
  if (!rest.some((word) => /\{task(?:File)?\}/.test(word)))
    return fail('does not contain {task} or {taskFile}.');
  return { name: command, command, words: rest };
}

/** The words with the task in place. */
export function wordsFor({ words }: AgentCommand, task: string, taskFile: string): readonly string[] {
  return words.map((word) =>
    word.replace(/\{task(File)?\}/g, (_all, isFile: string | undefined) =>
      isFile === undefined ? task : taskFile,
    ),
  );
}
